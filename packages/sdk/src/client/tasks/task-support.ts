import { McpError } from '../../errors.ts'
import type { ServerCapabilities } from '../../model/capabilities.ts'
import { tasksExtension } from '../../model/tasks.ts'
import type { TaskHost } from './task-host.ts'

interface TaskSettings {
  list?: unknown
  cancel?: unknown
}

/** The task settings that a server declared, in the words of the model. */
export const declaredTaskSettings = ({ extensions }: ServerCapabilities): TaskSettings | undefined =>
  extensions !== undefined && Object.hasOwn(extensions, tasksExtension) ? extensions[tasksExtension] : undefined

/** Throws `unsupported` unless both sides know tasks. */
export function assertTasks({ connection, sources }: TaskHost): void {
  if (sources.settings.tasks === false) throw new McpError('unsupported', 'Tasks were switched off: `tasks` is false')
  const { server } = connection.latest
  if (declaredTaskSettings(server.capabilities) !== undefined) return
  throw new McpError('unsupported', `The server did not declare tasks for tool calls in revision ${server.revision}`)
}

/** Throws `unsupported` unless the server lists its tasks. */
export function assertListed(host: TaskHost): void {
  assertTasks(host)
  const { server, codec } = host.connection.latest
  if (!codec.requests.client.has('tasks/list') || declaredTaskSettings(server.capabilities)?.list !== undefined) return
  throw new McpError('unsupported', 'The server did not declare the capability tasks.list')
}
