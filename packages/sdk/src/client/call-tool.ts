import type { ContentBlock } from '../model/content.ts'
import type { CallToolResult } from '../model/tools.ts'
import type { ToolResult } from './types.ts'

/** A tool's answer in the form that callers use. */
export function toToolResult<Structured>(result: CallToolResult): ToolResult<Structured> {
  return {
    content: result.content,
    structured: result.structuredContent as Structured | undefined,
    isError: result.isError ?? false,
    text: textOf(result.content),
    meta: result._meta,
  }
}

const textOf = (content: readonly ContentBlock[]): string =>
  content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n')
