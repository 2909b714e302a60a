import { ErrorCode, McpError, RpcError } from '../../errors.ts'
import type { JsonObject } from '../../jsonrpc/message.ts'
import { hasEnded, tasksExtension } from '../../model/tasks.ts'
import { knowsTasks } from '../../wire/tasks.ts'
import { isIdentified } from '../access/caller-owner.ts'
import type { Call } from '../dispatch/call.ts'
import { paginate } from '../features/pagination.ts'
import { tagWithTask } from './runs/task-run.ts'
import { openQuestions, taskOf } from './store/task-record.ts'
import type { TaskQuestion, TaskRecord } from './store/task-store.ts'
import { type TaskManager, tasksOf } from './task-manager.ts'
import { undeclared } from './task-refusals.ts'
import type { TaskServer } from './task-server.ts'

type Handler = (call: Call, definition: TaskServer, params: JsonObject) => Promise<JsonObject>

/** A request that describes its caller has to declare that the client knows tasks. */
function tasksFor({ caller, request }: Call, definition: TaskServer): TaskManager {
  if (!caller.codec.tasks?.declared || knowsTasks(caller.capabilities)) return tasksOf(definition)
  throw undeclared(`${request.method} needs the client capability extensions["${tasksExtension}"]`)
}

export const answerTasksGet: Handler = async (call, definition, { taskId }) => {
  const record = await tasksFor(call, definition).need(call.caller, taskId as string)
  return taskOf(record) as unknown as JsonObject
}

export const answerTasksCancel: Handler = async (call, definition, { taskId }) => {
  const tasks = tasksFor(call, definition)
  const record = await tasks.need(call.caller, taskId as string)
  if (hasEnded(record.status) && !call.caller.codec.tasks!.endedCanBeCancelled) {
    throw new RpcError(ErrorCode.InvalidParams, `The task has ended already: it is ${record.status}`)
  }
  return taskOf(await tasks.cancel(record)) as unknown as JsonObject
}

export const answerTasksList: Handler = async (call, definition, { cursor }) => {
  if (!isIdentified(call.caller)) {
    const why = 'this server cannot tell callers apart here'
    throw new RpcError(ErrorCode.MethodNotFound, `Method not found: tasks/list (${why})`)
  }
  const own = (await tasksOf(definition).list(call.caller)).map(taskOf)
  const all = call.parts === undefined ? own : [...own, ...((await call.parts.tasks(call)) as unknown as typeof own)]
  const page = paginate(all, ({ taskId }) => taskId, definition.pageSizes.tasks, cursor as string | undefined)
  const { items, nextCursor } = page
  return { tasks: items, ...(nextCursor !== undefined && { nextCursor }) }
}

export const answerTasksUpdate: Handler = async (call, definition, { taskId, inputResponses }) => {
  const tasks = tasksFor(call, definition)
  const record = await tasks.need(call.caller, taskId as string)
  const responses = inputResponses as { [key: string]: JsonObject }
  for (const question of openQuestions(record)) checkAnswer(call, question, responses)
  await tasks.answer(record, responses, call)
  return {}
}

/** An answer that no handler could read is refused before it counts: its question stays open. */
function checkAnswer({ caller }: Call, { key, method, params }: TaskQuestion, responses: JsonObject): void {
  if (!Object.hasOwn(responses, key)) return
  try {
    caller.codec.decodeResult(method, responses[key] as JsonObject, params)
  } catch (error) {
    throw new RpcError(
      ErrorCode.InvalidParams,
      `tasks/update params.inputResponses[${JSON.stringify(key)}]: ${(error as Error).message}`,
    )
  }
}

/** The result of a task, when it has one; a client that waits for it gets the questions of the task. */
export const answerTasksResult: Handler = async (call, definition, params) => {
  const tasks = tasksOf(definition)
  const { signal } = call.request
  const taskId = params.taskId as string
  for (;;) {
    if (signal.aborted) throw new McpError('cancelled', 'Nobody waits for the result any more')
    const changed = tasks.changed(taskId, signal)
    const record = await tasks.need(call.caller, taskId)
    if (hasEnded(record.status)) {
      tasks.wake(taskId)
      return tagWithTask(resultOf(record), taskId)
    }
    for (const question of openQuestions(record)) void deliver(tasks, call, record, question)
    await changed
  }
}

function resultOf({ status, result, error }: TaskRecord): JsonObject {
  if (result !== undefined) return result
  if (error !== undefined) throw new RpcError(error.code, error.message, error.data)
  throw new RpcError(ErrorCode.InvalidRequest, `The task has no result: it is ${status}`)
}

const underWay = new WeakMap<TaskManager, Set<string>>()

/** Asks one question of a task, unless a client is being asked it. */
async function deliver(tasks: TaskManager, call: Call, record: TaskRecord, question: TaskQuestion): Promise<void> {
  const { key, method, params } = question
  const asking = underWay.get(tasks) ?? new Set()
  underWay.set(tasks, asking)
  const name = `${record.id} ${key}`
  if (asking.has(name)) return
  asking.add(name)
  const { caller, outlet, request } = call
  const { askTimeoutMs: timeoutMs } = outlet
  try {
    const encoded = caller.codec.encodeParams(method, tagWithTask(params, record.id))
    const wait = { signal: request.signal, timeoutMs, maxTotalMs: timeoutMs }
    const answer = await outlet.ask(method, encoded, wait, request)
    caller.codec.decodeResult(method, answer, params)
    await tasks.answer(record, { [key]: answer }, call)
  } catch (error) {
    // A client that stopped waiting leaves the question open for the next one.
    if (!request.signal.aborted) await giveUp(tasks, record, key, error)
  } finally {
    asking.delete(name)
    tasks.wake(record.id)
  }
}

async function giveUp(tasks: TaskManager, record: TaskRecord, key: string, error: unknown): Promise<void> {
  try {
    await tasks.giveUp(record, key, (error as Error).message)
  } catch (failure) {
    tasks.definition.report(failure, 'tasks')
  }
}
