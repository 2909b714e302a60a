import { ErrorCode, isRpcError, McpError } from '../../errors.ts'
import { hasEnded, type Task } from '../../model/tasks.ts'
import type { CallOptions } from '../types.ts'
import type { TaskHost } from './task-host.ts'
import { declaredTaskSettings } from './task-support.ts'

/** Asks the server to stop a task. A task that has ended is no error in any revision. */
export async function cancelRemoteTask(id: string, host: TaskHost, options: CallOptions = {}): Promise<void> {
  const { codec, server } = host.connection.latest
  const endedIsFine = codec.tasks?.endedCanBeCancelled !== false
  if (!endedIsFine && declaredTaskSettings(server.capabilities)?.cancel === undefined) {
    throw new McpError('unsupported', 'The server did not declare the capability tasks.cancel')
  }
  try {
    await host.requests.call('tasks/cancel', { taskId: id }, options)
  } catch (error) {
    if (endedIsFine || !isRpcError(error) || error.code !== ErrorCode.InvalidParams) throw error
    const task = await host.requests.call('tasks/get', { taskId: id }, options).catch(() => undefined)
    if (task === undefined || !hasEnded(task.status as Task['status'])) throw error
  }
}
