import type { ContentBlock } from '../../model/content.ts'
import { type Meta, metaKeys } from '../../model/meta.ts'
import type { CallToolResult } from '../../model/tools.ts'
import type { ToolCallResult } from '../types.ts'

/** A tool's answer in the form that callers use. */
export function toToolResult<Structured>(result: CallToolResult): ToolCallResult<Structured> {
  const structured = result.structuredContent as Structured | undefined
  const meta = withoutServerInfo(result._meta)
  return {
    content: result.content,
    structured,
    structuredContent: structured,
    isError: result.isError ?? false,
    text: textOf(result.content),
    meta,
    _meta: meta,
  }
}

/** `client.server` has the server info; here it would only be noise. */
function withoutServerInfo(meta: Meta | undefined): Meta | undefined {
  if (meta?.[metaKeys.serverInfo] === undefined) return meta
  const { [metaKeys.serverInfo]: _, ...rest } = meta
  return Object.keys(rest).length === 0 ? undefined : rest
}

// A loop, because arrays of texts would cost most calls more than all other work on their result.
function textOf(content: readonly ContentBlock[]): string {
  let text: string | undefined
  for (const block of content) {
    if (block.type === 'text') text = text === undefined ? block.text : `${text}\n${block.text}`
  }
  return text ?? ''
}
