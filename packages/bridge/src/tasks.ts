import { ErrorCode, isRpcError, type JsonObject, RpcError } from '@tenon/sdk/client'
import { type BackendRequest, type RawCallOptions, type RawSender, tasksExtension } from '@tenon/sdk/relay'
import { paramsOf } from './calls.ts'
import type { Link } from './link.ts'
import { type Running, wait } from './running.ts'
import { knowsTasks } from './shown.ts'

/**
 * Sends a call to a server that asks while it works. Some tools run only as tasks, and say so by refusing a client that
 * asked for none: such a call did not run, and is made again as a task. A client that knows tasks gets it; for others it
 * is waited for here.
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
    // Such a call is never cancelled itself: its task is.
    const { signal, ...unhurried } = options
    const created = await link.run(call, 'tools/call', { ...params, task: {} }, unhurried)
    const isTaken = created.resultType !== 'task' || (!request.live && knowsTasks(request.caller.capabilities))
    return isTaken ? created : fetchResult(link, call, created.taskId as string, signal)
  }
}

const maxPages = 1_000

const isRefusal = (error: unknown): boolean =>
  isRpcError(error) &&
  error.remote &&
  (error.code === ErrorCode.MethodNotFound || error.code === ErrorCode.InvalidRequest)

async function runsOnlyAsTask({ client }: Link, { name }: JsonObject, { signal }: RawCallOptions): Promise<boolean> {
  if (!client.knows('tasks/result') || !knowsTasks(client.server.capabilities)) return false
  let cursor: unknown
  // A server whose list has no end does not keep its client waiting.
  for (let pages = 0; pages < maxPages; pages++) {
    const page = await client.request('tools/list', cursor === undefined ? {} : { cursor }, signal ? { signal } : {})
    const tools = page.tools as { name: string; execution?: { taskSupport?: string } }[]
    const found = tools.find((tool) => tool.name === name)
    if (found !== undefined) return found.execution?.taskSupport === 'required'
    cursor = page.nextCursor
    if (typeof cursor !== 'string' || cursor === '') return false
  }
  return false
}

/** Waits for a task of a server that gives out results on request. */
async function fetchResult(
  link: Link,
  call: Running,
  taskId: string,
  signal: AbortSignal | undefined,
): Promise<JsonObject> {
  try {
    return await link.run(call, 'tasks/result', { taskId }, signal ? { signal } : {})
  } catch (error) {
    if (signal?.aborted) void link.client.request('tasks/cancel', { taskId }).catch(() => {})
    throw error
  }
}

/** True if a server refused a call because it would have to be a task, of which its client said nothing. */
export function wantsTasks(error: unknown): boolean {
  if (!isRpcError(error) || error.code !== ErrorCode.MissingRequiredClientCapability) return false
  const { requiredCapabilities } = (error.data ?? {}) as { requiredCapabilities?: JsonObject }
  return knowsTasks(requiredCapabilities ?? {})
}

/** A client that says that it knows tasks. */
export const withTasks = (sender: RawSender): RawSender => ({
  ...sender,
  capabilities: {
    ...sender.capabilities,
    extensions: { ...sender.capabilities.extensions, [tasksExtension]: {} },
  },
})

interface SeenTask {
  taskId: string
  status: string
  pollIntervalMs?: number
  inputRequests?: { [key: string]: { method: string; params?: JsonObject } }
  result?: JsonObject
  error?: { code: number; message: string; data?: unknown }
}

/** Waits for a task of a server that shows its questions and its result to whoever looks, for a client with a session. */
export async function watchTask(
  link: Link,
  call: Running,
  created: JsonObject,
  options: RawCallOptions,
): Promise<JsonObject> {
  const { taskId, pollIntervalMs: first } = created as unknown as SeenTask
  const signal = options.signal ?? new AbortController().signal
  const answered = new Set<string>()
  let pollMs = first
  try {
    while (true) {
      const task = (await link.run(call, 'tasks/get', { taskId }, options)) as unknown as SeenTask
      if (task.status === 'completed') return task.result ?? { content: [] }
      if (task.status === 'failed' || task.status === 'cancelled') throw endOf(task)
      const asked = Object.entries(task.inputRequests ?? {}).filter(([key]) => !answered.has(key))
      for (const [key] of asked) answered.add(key)
      const answers = asked.map(
        async ([key, { method, params = {} }]): Promise<[string, JsonObject]> => [
          key,
          await call.ask({ method, params, signal }),
        ],
      )
      if (asked.length > 0) {
        const inputResponses = Object.fromEntries(await Promise.all(answers))
        await link.run(call, 'tasks/update', { taskId, inputResponses }, options)
      }
      pollMs = task.pollIntervalMs ?? pollMs
      await wait(Math.min(Math.max(pollMs ?? 1_000, 50), 5_000), signal)
      signal.throwIfAborted()
    }
  } catch (error) {
    if (signal.aborted) void link.client.request('tasks/cancel', { taskId }).catch(() => {})
    throw error
  }
}

const endOf = ({ status, error }: SeenTask): RpcError =>
  error === undefined
    ? new RpcError(ErrorCode.InternalError, `The task of this call was ${status}`)
    : new RpcError(error.code, error.message, error.data)
