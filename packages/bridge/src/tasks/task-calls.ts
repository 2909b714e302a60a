import { ErrorCode, isRpcError, type JsonObject, RpcError } from '@tenon/sdk/client'
import type { RawCallOptions } from '@tenon/sdk/relay'
import type { ActiveCall } from '../calls/active-call.ts'
import { delay } from '../delay.ts'
import type { UpstreamConnection } from '../upstream/connection.ts'
import { knowsTasks } from './capability.ts'

/**
 * Calls a server with sessions. A tool that runs only as a task refuses a call without `task`; the refused call did not run,
 * and is made again as a task. The bridge waits for its result, unless the client accepts tasks.
 */
export async function callWithTaskRetry(
  connection: UpstreamConnection,
  call: ActiveCall,
  method: string,
  params: JsonObject,
  options: RawCallOptions,
): Promise<JsonObject> {
  try {
    return await connection.run(call, method, params, options)
  } catch (error) {
    const again = params.task === undefined && method === 'tools/call' && isRefusal(error)
    if (!again || !(await runsOnlyAsTask(connection, params, options))) throw error
    // Cancelling the call itself would leave the task running: the task is cancelled instead.
    const { signal, ...unhurried } = options
    const created = await connection.run(call, 'tools/call', { ...params, task: {} }, unhurried)
    const isAccepted = created.resultType !== 'task' || call.acceptsTasks
    return isAccepted ? created : fetchResult(connection, call, created.taskId as string, signal)
  }
}

const maxPages = 1_000

const isRefusal = (error: unknown): boolean =>
  isRpcError(error) &&
  error.remote &&
  (error.code === ErrorCode.MethodNotFound || error.code === ErrorCode.InvalidRequest)

async function runsOnlyAsTask(
  { client }: UpstreamConnection,
  { name }: JsonObject,
  { signal }: RawCallOptions,
): Promise<boolean> {
  if (!client.knows('tasks/result') || !knowsTasks(client.server.capabilities)) return false
  let cursor: unknown
  // Bounded: a server could return pages without end.
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

/** Waits for the result of a task with `tasks/result`. */
async function fetchResult(
  connection: UpstreamConnection,
  call: ActiveCall,
  taskId: string,
  signal: AbortSignal | undefined,
): Promise<JsonObject> {
  try {
    return await connection.run(call, 'tasks/result', { taskId }, signal ? { signal } : {})
  } catch (error) {
    if (signal?.aborted) void connection.client.request('tasks/cancel', { taskId }).catch(() => {})
    throw error
  }
}

/** True if a server refused a call because its client did not declare tasks. */
export function requiresTask(error: unknown): boolean {
  if (!isRpcError(error) || error.code !== ErrorCode.MissingRequiredClientCapability) return false
  const { requiredCapabilities } = (error.data ?? {}) as { requiredCapabilities?: JsonObject }
  return knowsTasks(requiredCapabilities ?? {})
}

interface PolledTask {
  taskId: string
  status: string
  pollIntervalMs?: number
  inputRequests?: { [key: string]: { method: string; params?: JsonObject } }
  result?: JsonObject
  error?: { code: number; message: string; data?: unknown }
}

/** Polls a task with `tasks/get` until it ends; the client, which has a session, answers its input requests. */
export async function waitForTask(
  connection: UpstreamConnection,
  call: ActiveCall,
  created: JsonObject,
  options: RawCallOptions,
): Promise<JsonObject> {
  const { taskId, pollIntervalMs: first } = created as unknown as PolledTask
  const signal = options.signal ?? new AbortController().signal
  const answered = new Set<string>()
  let pollMs = first
  try {
    while (true) {
      const task = (await connection.run(call, 'tasks/get', { taskId }, options)) as unknown as PolledTask
      if (task.status === 'completed') return task.result ?? { content: [] }
      if (task.status === 'failed' || task.status === 'cancelled') throw errorOf(task)
      const inputResponses = await newResponses(task, answered, call, signal)
      if (inputResponses !== undefined) {
        await connection.run(call, 'tasks/update', { taskId, inputResponses }, options)
      }
      pollMs = task.pollIntervalMs ?? pollMs
      await delay(Math.min(Math.max(pollMs ?? 1_000, 50), 5_000), signal)
      signal.throwIfAborted()
    }
  } catch (error) {
    if (signal.aborted) void connection.client.request('tasks/cancel', { taskId }).catch(() => {})
    throw error
  }
}

/** The responses to input requests that the client has not answered yet; undefined if there are none. */
async function newResponses(
  { inputRequests = {} }: PolledTask,
  answered: Set<string>,
  call: ActiveCall,
  signal: AbortSignal,
): Promise<JsonObject | undefined> {
  const asked = Object.entries(inputRequests).filter(([key]) => !answered.has(key))
  if (asked.length === 0) return undefined
  for (const [key] of asked) answered.add(key)
  const responses = asked.map(
    async ([key, { method, params = {} }]): Promise<[string, JsonObject]> => [
      key,
      await call.ask({ method, params, signal }),
    ],
  )
  return Object.fromEntries(await Promise.all(responses))
}

const errorOf = ({ status, error }: PolledTask): RpcError =>
  error === undefined
    ? new RpcError(ErrorCode.InternalError, `The task of this call was ${status}`)
    : new RpcError(error.code, error.message, error.data)
