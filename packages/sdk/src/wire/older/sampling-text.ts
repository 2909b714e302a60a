import type { JsonObject } from '../../jsonrpc/message.ts'
import type { ShapeChange } from '../change.ts'
import { isObject, omit } from '../change.ts'
import { describeBlock, describeToolResult, describeToolUse } from './content-text.ts'

const toolBlockAsText: ShapeChange = (block) => {
  if (block.type === 'tool_use') return { type: 'text', text: describeToolUse(block) }
  if (block.type === 'tool_result') return { type: 'text', text: describeToolResult(block) }
  return block
}

const isPlain = (message: unknown): boolean =>
  isObject(message) && isObject(message.content) && toolBlockAsText(message.content) === message.content

function plainMessages(message: unknown): unknown[] {
  if (!isObject(message)) return [message]
  const blocks = Array.isArray(message.content) ? message.content : [message.content]
  return blocks.filter(isObject).map((block) => ({ ...message, content: toolBlockAsText(block) }))
}

/** Sampling without tools: one block per message, and tool results as text. */
export function samplingParamsWithoutTools(params: JsonObject): JsonObject {
  const kept = omit(params, 'tools', 'toolChoice')
  if (!Array.isArray(kept.messages) || kept.messages.every(isPlain)) return kept
  return { ...kept, messages: kept.messages.flatMap(plainMessages) }
}

/** A sampling result of one block. Several blocks become one text, in which images and audio are only named. */
export function samplingResultWithoutTools(result: JsonObject): JsonObject {
  const content = result.content
  if (!Array.isArray(content)) {
    const plain = isObject(content) ? toolBlockAsText(content) : content
    return plain === content ? result : { ...result, content: plain }
  }
  const blocks = content.filter(isObject)
  const only = blocks.length === 1 ? blocks[0] : undefined
  const single = only ? toolBlockAsText(only) : { type: 'text', text: blocks.map(describeBlock).join('\n\n') }
  return { ...result, content: single }
}
