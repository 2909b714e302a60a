import { isObject } from '../../jsonrpc/classify.ts'
import type { JsonObject } from '../../jsonrpc/message.ts'
import { metaKeys } from '../../model/meta.ts'

/** Stands in no prefix, and in no id that a server of this library makes. */
const separator = ':'

/** The prefix of the server that a task belongs to, and its id there. */
interface PartTask {
  readonly prefix: string
  readonly taskId: string
}

/** Reads the id of a task as clients know it; undefined for a task of the mounting server itself. */
export function readTaskId(id: unknown): PartTask | undefined {
  if (typeof id !== 'string') return undefined
  const end = id.indexOf(separator)
  return end < 0 ? undefined : { prefix: id.slice(0, end), taskId: id.slice(end + 1) }
}

/** The id of a task as clients know it. */
export const outwardTaskId = (prefix: string, id: string): string => prefix + separator + id

/** A task, with its id as clients know it. */
export const withTaskId = (prefix: string, task: JsonObject): JsonObject =>
  typeof task.taskId === 'string' ? { ...task, taskId: outwardTaskId(prefix, task.taskId) } : task

/** A message of a server that may be about a task, with the id as clients know it. */
export function withRelatedTask(prefix: string, message: JsonObject): JsonObject {
  const meta = message._meta
  const related = isObject(meta) ? meta[metaKeys.relatedTask] : undefined
  if (!isObject(related)) return message
  return { ...message, _meta: { ...(meta as JsonObject), [metaKeys.relatedTask]: withTaskId(prefix, related) } }
}
