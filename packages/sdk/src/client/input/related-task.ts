import { isObject } from '../../jsonrpc/classify.ts'
import type { JsonObject } from '../../jsonrpc/message.ts'
import { metaKeys } from '../../model/meta.ts'

/** The answer to a request that belongs to a task names the task, as all its messages do. */
export function answerWithRelatedTask(answer: JsonObject, params: JsonObject | undefined): JsonObject {
  const meta = params?._meta
  const related = isObject(meta) ? meta[metaKeys.relatedTask] : undefined
  if (!isObject(related) || typeof related.taskId !== 'string') return answer
  const own = isObject(answer._meta) ? answer._meta : {}
  return { ...answer, _meta: { ...own, [metaKeys.relatedTask]: { taskId: related.taskId } } }
}
