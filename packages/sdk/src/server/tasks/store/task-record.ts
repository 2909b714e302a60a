import { ErrorCode } from '../../../errors.ts'
import type { JsonObject, WireError } from '../../../jsonrpc/message.ts'
import { type DetailedTask, hasEnded } from '../../../model/tasks.ts'
import type { Memory } from '../../questions/memory.ts'
import type { TaskCall, TaskQuestion, TaskRecord } from './task-store.ts'

/** How a run ended: with a result, which may be questions, or with an error. */
export type TaskOutcome = ({ result: JsonObject; memory?: Memory | undefined } | { error: WireError }) & {
  /** The handler threw something that it did not mean for the client. */
  fault?: boolean
}

/** A handler that never comes to an end must not fill the store. */
const maxQuestions = 100

/** The questions of a task that have no answer yet. */
export function openQuestions({ status, questions = [], answers = {} }: TaskRecord): readonly TaskQuestion[] {
  if (status !== 'input_required') return []
  return questions.filter(({ ownKey }) => !Object.hasOwn(answers, ownKey))
}

/** A task as clients know it. */
export function taskOf(record: TaskRecord): DetailedTask {
  const { id, status, statusMessage, createdAt, updatedAt, ttlMs, pollIntervalMs, result, error } = record
  const asked = openQuestions(record).map(({ key, method, params }) => [key, { method, params }] as const)
  return {
    taskId: id,
    status,
    ...(statusMessage !== undefined && { statusMessage }),
    createdAt: new Date(createdAt).toISOString(),
    lastUpdatedAt: new Date(updatedAt).toISOString(),
    ttlMs,
    pollIntervalMs,
    ...(status === 'input_required' && { inputRequests: Object.fromEntries(asked) }),
    ...(result !== undefined && { result: result as unknown as NonNullable<DetailedTask['result']> }),
    ...(error !== undefined && { error }),
  }
}

export const isExpired = ({ createdAt, ttlMs }: TaskRecord): boolean => ttlMs !== null && Date.now() > createdAt + ttlMs

/** True if a run that was lost left something to go on from. */
const canGoOn = ({ memory, answers }: TaskRecord): boolean =>
  (memory !== undefined && (memory.steps.length > 0 || memory.asked.length > 0 || memory.own !== undefined)) ||
  (answers !== undefined && Object.keys(answers).length > 0)

/** A task that ends the process of its run again and again must not end them all. */
const mostRuns = 25

/** True if a task whose run was lost may run again: it never began, was declared repeatable, or has something to go on from. */
export function canRunAgain(record: TaskRecord, retry: { readonly attempts: number } | undefined): boolean {
  const { queued, attempts = 1 } = record
  if (queued !== undefined) return true
  if (retry !== undefined) return attempts < retry.attempts
  return canGoOn(record) && attempts < mostRuns
}

/** A task that comes to an end keeps only the members that clients read afterwards. */
export function ended(
  record: TaskRecord,
  end: Pick<TaskRecord, 'status' | 'statusMessage' | 'result' | 'error'>,
): TaskRecord {
  const {
    memory: _,
    questions: __,
    answers: ___,
    usedKeys: ____,
    lease: _____,
    statusMessage: ______,
    queued: _______,
    call,
    ...kept
  } = record
  return { ...kept, call: endedCall(call), ...end }
}

/** The arguments may be as large as a message, and nothing runs any more: the name of the tool decides who may see it. */
const endedCall = ({ revision, requestId, params, transport }: TaskCall): TaskCall => ({
  revision,
  requestId,
  params: { name: params.name },
  capabilities: {},
  transport,
})

/** A task whose handler asked. The key of an earlier question is not used for another one. */
function asking(record: TaskRecord, requests: JsonObject, memory: Memory | undefined): TaskRecord {
  const used = new Set(record.usedKeys)
  const questions = Object.entries(requests).map(([ownKey, request]): TaskQuestion => {
    const { method, params = {} } = request as { method: string; params?: JsonObject }
    return { key: freeKey(used, ownKey), ownKey, method, params }
  })
  const { lease: _, answers: __, ...kept } = record
  return { ...kept, status: 'input_required', memory, questions, usedKeys: [...used] }
}

function freeKey(used: Set<string>, wanted: string): string {
  let key = wanted
  for (let count = 2; used.has(key); count++) key = `${wanted}#${count}`
  used.add(key)
  return key
}

/** A task with more answers; undefined if none of them is to a question that is open. */
export function answered(
  record: TaskRecord,
  responses: { readonly [key: string]: JsonObject },
): TaskRecord | undefined {
  const given = openQuestions(record).filter(({ key }) => Object.hasOwn(responses, key))
  if (hasEnded(record.status) || given.length === 0) return undefined
  const more = given.map(({ key, ownKey }) => [ownKey, responses[key]!] as const)
  return { ...record, answers: { ...record.answers, ...Object.fromEntries(more) } }
}

/** A task after a run of its handler. */
export function afterRun(record: TaskRecord, outcome: TaskOutcome): TaskRecord {
  if ('error' in outcome) {
    return ended(record, { status: 'failed', statusMessage: outcome.error.message, error: outcome.error })
  }
  const { result, memory } = outcome
  if (result.resultType !== 'input_required') return ended(record, { status: 'completed', result })
  // Without questions the handler just wants to run again.
  if (result.inputRequests === undefined) return { ...record, memory, answers: undefined }
  if ((record.usedKeys?.length ?? 0) < maxQuestions) return asking(record, result.inputRequests as JsonObject, memory)
  const message = `A handler asked ${maxQuestions} questions and did not come to an end`
  return ended(record, { status: 'failed', statusMessage: message, error: { code: ErrorCode.InternalError, message } })
}

/** True if a change is one that clients can see. */
export const isDifferent = (before: TaskRecord, after: TaskRecord): boolean =>
  before.status !== after.status ||
  before.statusMessage !== after.statusMessage ||
  before.questions !== after.questions ||
  before.answers !== after.answers
