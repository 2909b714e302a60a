import type { JsonObject } from '../../jsonrpc/message.ts'
import { isObject, omit } from '../change.ts'
import { jsonText } from './content-text.ts'

const isText = (block: unknown): boolean => isObject(block) && block.type === 'text'

/** Takes `structuredContent` out of a tool result. Without an equivalent text, its JSON becomes text. */
export function structuredContentAsText(result: JsonObject): JsonObject {
  if (!Object.hasOwn(result, 'structuredContent')) return result
  const rest = omit(result, 'structuredContent')
  const content = Array.isArray(result.content) ? result.content : []
  if (result.structuredContent === undefined || content.some(isText)) return rest
  return { ...rest, content: [...content, { type: 'text', text: jsonText(result.structuredContent) }] }
}

/** Keeps `structuredContent` only if it is an object. */
export const structuredObjectOnly = (result: JsonObject): JsonObject =>
  isObject(result.structuredContent) ? result : structuredContentAsText(result)
