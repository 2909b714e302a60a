import type { JsonObject } from '../../jsonrpc/message.ts'
import { type DetailedTask, hasEnded } from '../../model/tasks.ts'
import type { Memory } from '../replay.ts'
import type { TaskQuestion, TaskRecord } from './store.ts'

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

/** True if nobody is believed to work on a task that should be worked on. */
export const isOrphan = ({ status, lease }: TaskRecord): boolean =>
  status === 'working' && (lease === undefined || lease.until < Date.now())

/** True if a run that was lost left something to go on from. */
export const canGoOn = ({ memory, answers }: TaskRecord): boolean =>
  (memory !== undefined && (memory.steps.length > 0 || memory.asked.length > 0 || memory.own !== undefined)) ||
  (answers !== undefined && Object.keys(answers).length > 0)

/** A task that comes to an end keeps only what is asked for afterwards. */
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
    ...kept
  } = record
  return { ...kept, ...end }
}

/** A task whose handler asked. What an earlier question was called is not used for another one. */
export function asking(record: TaskRecord, requests: JsonObject, memory: Memory | undefined): TaskRecord {
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
