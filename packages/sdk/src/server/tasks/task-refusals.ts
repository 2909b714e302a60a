import { ErrorCode, RpcError } from '../../errors.ts'
import { tasksExtension } from '../../model/tasks.ts'
import type { Call } from '../dispatch/call.ts'

/** The refusal of a call that did not become a task, of a tool that only runs as one. */
export function needsTask({ caller }: Call, name: string): RpcError {
  const { tasks } = caller.codec
  const problem = `Tool ${JSON.stringify(name)} only runs as a task`
  if (tasks?.declared)
    return undeclared(`${problem}, which needs the client capability extensions["${tasksExtension}"]`)
  const why = tasks === undefined ? `, and revision ${caller.revision} has no tasks` : ': call it with params.task'
  return new RpcError(ErrorCode.MethodNotFound, problem + why)
}

/** The refusal of a client that did not say that it knows tasks. */
export const undeclared = (message: string): RpcError =>
  new RpcError(ErrorCode.MissingRequiredClientCapability, message, {
    requiredCapabilities: { extensions: { [tasksExtension]: {} } },
  })

/** The refusal of an id; the same for a task of another owner and for one that does not exist. */
export const unknownTask = (): RpcError =>
  new RpcError(ErrorCode.InvalidParams, 'Unknown task: no such taskId, or it has expired')
