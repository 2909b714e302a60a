import type { JsonObject } from '../jsonrpc/message.ts'
import { taskStatuses, tasksExtension } from '../model/tasks.ts'
import { changeMember, isObject, omit } from './change.ts'
import type { Reader } from './readers/reader.ts'
import { anyObject, mapOf, number, object, oneOf, optional, orElse, string } from './readers/reader.ts'

/** The rules of a revision for tasks. */
export interface TaskManners {
  /** True if a request declares whether its sender knows tasks; otherwise it need not. */
  readonly declared: boolean
  /** True if a task that has ended can be cancelled, to no effect; otherwise that is an error. */
  readonly endedCanBeCancelled: boolean
  /** True if progress and log messages of a task reach the client. */
  readonly reportsProgress: boolean
}

/** True if capabilities name the extension. */
export const knowsTasks = (capabilities: unknown): boolean =>
  isObject(capabilities) &&
  isObject(capabilities.extensions) &&
  Object.hasOwn(capabilities.extensions, tasksExtension) &&
  isObject(capabilities.extensions[tasksExtension])

/** The extension without settings: none are defined. */
export const plainExtension = (capabilities: JsonObject): JsonObject =>
  knowsTasks(capabilities)
    ? changeMember(capabilities, 'extensions', (extensions) => ({ ...extensions, [tasksExtension]: {} }))
    : capabilities

/** Capabilities without the extension. */
export function withoutExtension(capabilities: JsonObject): JsonObject {
  const { extensions } = capabilities
  if (!isObject(extensions) || !Object.hasOwn(extensions, tasksExtension)) return capabilities
  const others = omit(extensions, tasksExtension)
  return Object.keys(others).length === 0 ? omit(capabilities, 'extensions') : { ...capabilities, extensions: others }
}

const inputRequest = object({ method: string, params: optional(anyObject) })

/** A task in the model. */
export const taskReader: Reader = object({
  taskId: string,
  status: oneOf(taskStatuses),
  statusMessage: optional(string),
  createdAt: orElse(string, ''),
  lastUpdatedAt: orElse(string, ''),
  ttlMs: orElse(number, null),
  pollIntervalMs: optional(number),
  inputRequests: optional(mapOf(inputRequest)),
  result: optional(anyObject),
  error: optional(object({ code: number, message: string })),
})

const rename = (value: JsonObject, from: string, to: string): JsonObject => {
  if (!Object.hasOwn(value, from)) return value
  const { [from]: member, ...rest } = value
  return { ...rest, [to]: member }
}

/** A task of 2025-11-25. Its result and input requests are fetched separately there. */
export function encodeLegacyTask(task: JsonObject): JsonObject {
  const { result, error, inputRequests: _, ...plain } = task
  const failed = task.status === 'completed' && isObject(result) && result.isError === true
  const said = failed ? { statusMessage: textOf(result), ...plain, status: 'failed' } : plain
  const message = task.status === 'failed' && isObject(error) ? { statusMessage: error.message } : {}
  return rename(rename({ ...message, ...omit(said, 'resultType') }, 'ttlMs', 'ttl'), 'pollIntervalMs', 'pollInterval')
}

/** A task of 2025-11-25 in the model, not read yet. */
export const decodeLegacyTask = (task: JsonObject): JsonObject =>
  rename(rename(task, 'ttl', 'ttlMs'), 'pollInterval', 'pollIntervalMs')

/** The text of a result with `isError`, for clients that only see a failed task. */
function textOf({ content }: JsonObject): string {
  const texts = Array.isArray(content) ? content.filter(isObject).map(({ text }) => text) : []
  const text = texts.find((one) => typeof one === 'string') as string | undefined
  return text === undefined || text === '' ? 'The tool failed' : text.slice(0, 200)
}
