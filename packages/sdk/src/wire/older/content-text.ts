import type { JsonObject } from '../../jsonrpc/message.ts'
import { isObject } from '../change.ts'

/** JSON of a value, or an empty string if it has none. */
export function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? ''
  } catch {
    return ''
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** A text block in place of another block, for the same audience. */
export const textInstead = (block: JsonObject, text: string): JsonObject =>
  isObject(block.annotations) ? { type: 'text', text, annotations: block.annotations } : { type: 'text', text }

/** Names the resource that a `resource_link` points to. */
export function describeResourceLink(link: JsonObject): string {
  const name = textOf(link.title) || textOf(link.name)
  const where = [textOf(link.uri), textOf(link.mimeType)].filter(Boolean).join(', ')
  const description = textOf(link.description)
  return `Resource ${name} (${where})${description && `: ${description}`}`
}

/** Names an image or audio, without its data. */
export function describeMedia(block: JsonObject): string {
  const data = textOf(block.data)
  const padding = data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0
  const bytes = Math.max(0, Math.floor((data.length * 3) / 4) - padding)
  return `[${textOf(block.type)}: ${textOf(block.mimeType)}, ${bytes} bytes]`
}

function describeEmbedded(block: JsonObject): string {
  const resource = isObject(block.resource) ? block.resource : {}
  return typeof resource.text === 'string' ? resource.text : `[resource: ${textOf(resource.uri)}]`
}

/** A tool call by a model. */
export const describeToolUse = (block: JsonObject): string =>
  `[call ${textOf(block.id)} of tool ${textOf(block.name)}: ${jsonText(block.input)}]`

/** A tool result for a model. */
export function describeToolResult(block: JsonObject): string {
  const content = Array.isArray(block.content) ? block.content.filter(isObject).map(describeBlock) : []
  const verdict = block.isError === true ? 'error' : 'result'
  return [`[${verdict} of call ${textOf(block.toolUseId)}]`, ...content].join('\n')
}

/** Any block as text. */
export function describeBlock(block: JsonObject): string {
  switch (block.type) {
    case 'text':
      return textOf(block.text)
    case 'resource_link':
      return describeResourceLink(block)
    case 'resource':
      return describeEmbedded(block)
    case 'tool_use':
      return describeToolUse(block)
    case 'tool_result':
      return describeToolResult(block)
    default:
      return describeMedia(block)
  }
}
