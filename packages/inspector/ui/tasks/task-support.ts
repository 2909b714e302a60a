import type { Tool } from '@tenon/sdk/client'
import type { ServerView } from '../../src/protocol.ts'

const extension = 'io.modelcontextprotocol/tasks'

/** Whether a server has tasks, and what it can do with them. */
export const taskSettings = ({ capabilities }: ServerView): { list?: unknown; cancel?: unknown } | undefined =>
  capabilities?.extensions?.[extension]

/** In 2025-11-25 the caller asks for a task and tools say whether they can be one; later the server decides about each call. */
const callerDecides = ({ revision }: ServerView): boolean => revision === '2025-11-25'

/** Whether a tool runs as a task; `decided`: the server finds out when it is called. */
export function taskSupport(tool: Tool, server: ServerView): 'forbidden' | 'optional' | 'required' | 'decided' {
  if (taskSettings(server) === undefined) return 'forbidden'
  return callerDecides(server) ? (tool.execution?.taskSupport ?? 'forbidden') : 'decided'
}

/** Where a server says what tasks there are. */
export const listsTasks = (server: ServerView): boolean =>
  server.status === 'connected' && taskSettings(server)?.list !== undefined

/** Whether a task of a server can be cancelled: in 2025-11-25 it has to say so. */
export const canCancel = (server: ServerView): boolean =>
  server.status === 'connected' && (!callerDecides(server) || taskSettings(server)?.cancel !== undefined)
