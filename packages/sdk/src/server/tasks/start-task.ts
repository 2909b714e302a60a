import { ErrorCode, RpcError } from '../../errors.ts'
import type { JsonObject } from '../../jsonrpc/message.ts'
import type { Call } from '../dispatch/call.ts'
import type { FoundTool } from '../features/find-tool.ts'
import { runUntilTask } from './runs/task-candidate.ts'
import { taskOf } from './store/task-record.ts'
import { tasksOf } from './task-manager.ts'
import type { TaskServer } from './task-server.ts'

/** Answers a call of a tool that runs as a task, or is expected to. */
export async function startTask(
  call: Call,
  definition: TaskServer,
  params: JsonObject,
  { tool, owner }: FoundTool,
  expected: boolean,
): Promise<JsonObject | undefined> {
  if (!(await owner.sees(call.caller, tool.visible))) return undefined
  const { task } = tool
  if (task === undefined) throw notAsTask(tool.name)
  const tasks = tasksOf(definition)
  if (!expected && (task.start === 'by-handler' || task.afterMs !== undefined)) {
    return runUntilTask(tasks, call, params, task)
  }
  const record = await tasks.create(call, params, task)
  // Nobody would ever know its id.
  if (call.request.cancelled) return taskOf(await tasks.cancel(record)) as unknown as JsonObject
  await tasks.begin(record, { caller: call.caller, outlet: call.outlet })
  return { resultType: 'task', ...taskOf(record) }
}

const notAsTask = (name: string): RpcError =>
  new RpcError(ErrorCode.MethodNotFound, `Tool ${JSON.stringify(name)} does not run as a task: call it without one`)
