import type { JsonObject } from '../../jsonrpc/message.ts'
import { isObject, omit } from '../change.ts'
import { jsonText } from './content-text.ts'

const isText = (block: unknown): boolean => isObject(block) && block.type === 'text'

/** Takes `structuredContent` out of a tool result. Without an equivalent text, its JSON becomes text. */
export function structuredContentAsText(result: JsonObject): JsonObject {
  if (!Object.hasOwn(result, 'structuredContent')) return result
  return omit(withText(result), 'structuredContent')
}

/** Wraps `structuredContent` that is not an object. Its text has the value itself. */
export function structuredContentAsObject(result: JsonObject): JsonObject {
  if (!Object.hasOwn(result, 'structuredContent') || isObject(result.structuredContent)) return result
  if (result.structuredContent === undefined) return omit(result, 'structuredContent')
  return { ...withText(result), structuredContent: { result: result.structuredContent } }
}

function withText(result: JsonObject): JsonObject {
  const content = Array.isArray(result.content) ? result.content : []
  if (result.structuredContent === undefined || content.some(isText)) return result
  return { ...result, content: [...content, { type: 'text', text: jsonText(result.structuredContent) }] }
}
