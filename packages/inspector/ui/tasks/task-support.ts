import type { Tool } from '@tenon/sdk/client'
import type { ServerView } from '../../src/protocol.ts'

const extension = 'io.modelcontextprotocol/tasks'

/** The tasks capability of a server, if it has one. */
export const taskSettings = ({ capabilities }: ServerView): { list?: unknown; cancel?: unknown } | undefined =>
  capabilities?.extensions?.[extension]

/** Whether the client asks for a task, and tools say whether they can be one; otherwise the server decides about each call. */
export const clientDecides = ({ facts }: ServerView): boolean => facts?.tasks === 'client'

/** Whether a tool runs as a task; `decided`: the server finds out when it is called. */
export function taskSupport(tool: Tool, server: ServerView): 'forbidden' | 'optional' | 'required' | 'decided' {
  if (taskSettings(server) === undefined) return 'forbidden'
  return clientDecides(server) ? (tool.execution?.taskSupport ?? 'forbidden') : 'decided'
}

/** Whether a server lists its tasks. */
export const listsTasks = (server: ServerView): boolean =>
  server.status === 'connected' && taskSettings(server)?.list !== undefined

/** Whether a task of a server can be cancelled. If the client asks for tasks, the server has to declare that. */
export const canCancel = (server: ServerView): boolean =>
  server.status === 'connected' && (!clientDecides(server) || taskSettings(server)?.cancel !== undefined)
