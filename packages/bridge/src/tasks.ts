import { ErrorCode, isRpcError, type JsonObject } from '@tenon/sdk/client'
import { type BackendRequest, type RawCallOptions, tasksExtension } from '@tenon/sdk/relay'
import { paramsOf } from './calls.ts'
import type { Link } from './link.ts'
import type { Running } from './running.ts'

/**
 * Sends a call to a server that asks while it works. Some tools run only as tasks, and say so by refusing a client that
 * asked for none: such a call did not run, and is made again as a task that is waited for here.
 */
export async function runCall(
  link: Link,
  call: Running,
  request: BackendRequest,
  options: RawCallOptions,
): Promise<JsonObject> {
  const params = paramsOf(request, link)
  try {
    return await link.run(call, request.method, params, options)
  } catch (error) {
    const again = params.task === undefined && request.method === 'tools/call' && isRefusal(error)
    if (!again || !(await runsOnlyAsTask(link, params, options))) throw error
    return followTask(link, call, params, options)
  }
}

const isRefusal = (error: unknown): boolean =>
  isRpcError(error) &&
  error.remote &&
  (error.code === ErrorCode.MethodNotFound || error.code === ErrorCode.InvalidRequest)

async function runsOnlyAsTask({ client }: Link, { name }: JsonObject, { signal }: RawCallOptions): Promise<boolean> {
  const extensions = client.server.capabilities.extensions ?? {}
  if (!client.knows('tasks/result') || !Object.hasOwn(extensions, tasksExtension)) return false
  let cursor: unknown
  do {
    const page = await client.request('tools/list', cursor === undefined ? {} : { cursor }, signal ? { signal } : {})
    const tools = page.tools as { name: string; execution?: { taskSupport?: string } }[]
    const found = tools.find((tool) => tool.name === name)
    if (found !== undefined) return found.execution?.taskSupport === 'required'
    cursor = page.nextCursor
  } while (typeof cursor === 'string' && cursor !== '')
  return false
}

async function followTask(link: Link, call: Running, params: JsonObject, options: RawCallOptions): Promise<JsonObject> {
  // Such a call is never cancelled itself: its task is.
  const { signal, ...unhurried } = options
  const created = await link.run(call, 'tools/call', { ...params, task: {} }, unhurried)
  if (created.resultType !== 'task') return created
  const { taskId } = created
  try {
    return await link.run(call, 'tasks/result', { taskId }, signal ? { signal } : {})
  } catch (error) {
    if (signal?.aborted) void link.client.request('tasks/cancel', { taskId }).catch(() => {})
    throw error
  }
}
