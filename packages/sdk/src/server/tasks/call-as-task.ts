import { ErrorCode, RpcError } from '../../errors.ts'
import type { JsonObject } from '../../jsonrpc/message.ts'
import type { TaskRequest } from '../../model/tasks.ts'
import type { Call } from '../call.ts'
import type { Definition } from '../definition.ts'
import { type FoundTool, findTool } from '../find-tool.ts'
import { runUntilTask } from './promote.ts'
import { taskOf } from './record.ts'

/** Answers a call that may become a task; undefined if it is to be answered as any other. */
export function callAsTask(
  call: Call,
  definition: Definition,
  params: JsonObject,
): Promise<JsonObject | undefined> | undefined {
  const found = findTool(definition, params.name)
  if (found === undefined) return undefined
  const { expected = false } = params.task as TaskRequest
  // Clients that know tasks say so with every call, and most calls are of other tools.
  if (found.tool.task === undefined && !(expected && definition.offersTasks)) return undefined
  return start(call, definition, params, found, expected)
}

async function start(
  call: Call,
  definition: Definition,
  params: JsonObject,
  { tool, owner }: FoundTool,
  expected: boolean,
): Promise<JsonObject | undefined> {
  if (!(await owner.sees(call.caller, tool.visible))) return undefined
  const { task } = tool
  if (task === undefined) throw notAsTask(tool.name)
  const { tasks } = definition
  if (!expected && (task.start === 'by-handler' || task.afterMs !== undefined)) {
    return runUntilTask(tasks, call, params, task)
  }
  const record = await tasks.create(call, params, task)
  // Nobody would ever know its id.
  if (call.request.cancelled) return taskOf(await tasks.cancel(record)) as unknown as JsonObject
  tasks.begin(record, { caller: call.caller, outlet: call.outlet })
  return { resultType: 'task', ...taskOf(record) }
}

const notAsTask = (name: string): RpcError =>
  new RpcError(ErrorCode.MethodNotFound, `Tool ${JSON.stringify(name)} does not run as a task: call it without one`)
