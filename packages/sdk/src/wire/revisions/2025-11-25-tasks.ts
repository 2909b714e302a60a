import type { JsonObject } from '../../jsonrpc/message.ts'
import { tasksExtension } from '../../model/tasks.ts'
import { changeItems, isObject, omit } from '../change.ts'
import { readParams, readResult } from '../decode.ts'
import type { Coding } from '../dialect.ts'
import { array, number, object, optional, string } from '../readers/reader.ts'
import { decodeLegacyTask, encodeLegacyTask, knowsTasks, taskReader, withoutExtension } from '../tasks.ts'

const taskParams = object({ task: optional(object({ ttl: optional(number) })) })
const listed = object({ tasks: array(taskReader), nextCursor: optional(string) })

const tasksOf = (page: JsonObject, change: (task: JsonObject) => JsonObject): JsonObject =>
  Array.isArray(page.tasks) ? { ...page, tasks: changeItems(page.tasks, change) } : page

/** The methods whose results are one task. */
const ofOneTask: ReadonlySet<string> = new Set(['tasks/get', 'tasks/cancel'])
const statusNews = 'notifications/tasks/status'

/** The server capability of this revision in place of the extension. */
export function tasksCapability(capabilities: JsonObject): JsonObject {
  if (!knowsTasks(capabilities)) return capabilities
  const { list } = (capabilities.extensions as JsonObject)[tasksExtension] as JsonObject
  const tasks = { ...(isObject(list) && { list: {} }), cancel: {}, requests: { tools: { call: {} } } }
  return { ...withoutExtension(capabilities), tasks }
}

/** The capability in the model; the extension itself means nothing here. */
function decodeTasksCapability(result: JsonObject): JsonObject {
  const capabilities = withoutExtension(result.capabilities as JsonObject)
  const { tasks } = capabilities
  const rest = { ...result, capabilities: omit(capabilities, 'tasks') }
  if (!isObject(tasks) || !isObject(tasks.requests) || !isObject(tasks.requests.tools)) return rest
  if (!isObject(tasks.requests.tools.call)) return rest
  const settings = { ...(isObject(tasks.list) && { list: {} }), ...(isObject(tasks.cancel) && { cancel: {} }) }
  const { extensions } = rest.capabilities
  const known = { ...(isObject(extensions) ? extensions : {}), [tasksExtension]: settings }
  return { ...rest, capabilities: { ...rest.capabilities, extensions: known } }
}

/** Tasks as only this revision has them: requested by the caller, with their results fetched separately. */
export const withTasks = (inner: Coding): Coding => ({
  encodeParams(method, params) {
    const encoded = inner.encodeParams(method, params)
    if (method === statusNews) return encodeLegacyTask(encoded)
    if (method !== 'tools/call' || !isObject(params.task)) return encoded
    const { ttlMs } = params.task
    return { ...encoded, task: typeof ttlMs === 'number' ? { ttl: ttlMs } : {} }
  },
  encodeResult(method, result) {
    if (ofOneTask.has(method)) return encodeLegacyTask(result)
    if (method === 'tasks/list') return tasksOf(result, encodeLegacyTask)
    if (method === 'tasks/result') return inner.encodeResult('tools/call', result)
    if (method !== 'tools/call' || result.resultType !== 'task') return inner.encodeResult(method, result)
    const { _meta, ...task } = result
    return { task: encodeLegacyTask(task), ...(_meta !== undefined && { _meta }) }
  },
  decodeParams(method, params) {
    if (method === statusNews) return readParams(method, decodeLegacyTask(params ?? {}), taskReader)
    const decoded = inner.decodeParams(method, params)
    if (method !== 'tools/call' || params?.task === undefined) return decoded
    const { task } = readParams(method, params, taskParams)
    if (!isObject(task)) return decoded
    const { ttl } = task
    return { ...decoded, task: { expected: true, ...(ttl !== undefined && { ttlMs: ttl }) } }
  },
  decodeResult(method, result, params) {
    if (ofOneTask.has(method)) return readResult(method, decodeLegacyTask(result), taskReader)
    if (method === 'initialize') return decodeTasksCapability(inner.decodeResult(method, result, params))
    if (method === 'tasks/list') return readResult(method, tasksOf(result, decodeLegacyTask), listed)
    if (method === 'tasks/result') return inner.decodeResult('tools/call', result, params)
    if (method !== 'tools/call' || !isObject(result.task) || result.content !== undefined)
      return inner.decodeResult(method, result, params)
    const { task, ...rest } = result
    return { ...rest, ...readResult(method, decodeLegacyTask(task as JsonObject), taskReader), resultType: 'task' }
  },
})
