import { ErrorCode, RpcError } from '../../errors.ts'
import type { JsonObject } from '../../jsonrpc/message.ts'
import type { TaskRequest } from '../../model/tasks.ts'
import type { Call } from '../call.ts'
import type { Definition } from '../definition.ts'
import type { ServerTool } from '../tool.ts'
import { runUntilTask } from './promote.ts'
import { taskOf } from './record.ts'

/** Answers a call that may become a task; undefined if it is to be answered as any other. */
export async function callAsTask(
  call: Call,
  definition: Definition,
  params: JsonObject,
): Promise<JsonObject | undefined> {
  const { expected = false } = params.task as TaskRequest
  if (!definition.offersTasks) return undefined
  const found = findTool(definition, params.name as string)
  if (found === undefined || !(await found.owner.sees(call.caller, found.tool.visible))) return undefined
  const { task } = found.tool
  if (task === undefined) {
    if (expected) throw notAsTask(found.tool.name)
    return undefined
  }
  const { tasks } = definition
  if (!expected && (task.start === 'by-handler' || task.afterMs !== undefined)) {
    return runUntilTask(tasks, call, params, task)
  }
  const record = await tasks.create(call, params, task)
  tasks.begin(record, { caller: call.caller, outlet: call.outlet })
  return { resultType: 'task', ...taskOf(record) }
}

/** A tool by the name that clients use, here or in a mounted server. */
function findTool(definition: Definition, name: string): { tool: ServerTool<never>; owner: Definition } | undefined {
  const tool = definition.tools.get(name)
  if (tool !== undefined) return { tool, owner: definition }
  for (const { definition: mounted, prefix } of definition.mounts) {
    const found = name.startsWith(prefix) ? findTool(mounted, name.slice(prefix.length)) : undefined
    if (found !== undefined) return found
  }
  return undefined
}

const notAsTask = (name: string): RpcError =>
  new RpcError(ErrorCode.MethodNotFound, `Tool ${JSON.stringify(name)} does not run as a task: call it without one`)
