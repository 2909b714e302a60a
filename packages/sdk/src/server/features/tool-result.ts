import { McpError } from '../../errors.ts'
import { describe, isObject } from '../../jsonrpc/classify.ts'
import type { ContentBlock } from '../../model/content.ts'
import type { Meta } from '../../model/meta.ts'
import type { CallToolResult, JsonSchema } from '../../model/tools.ts'
import type { InputRequired } from '../questions/input-required.ts'
import { isContentBlock, text } from './content.ts'

type Blocks = string | ContentBlock | readonly (string | ContentBlock)[]

/** The members of a `ToolResult`. The names of the specification are accepted beside the short ones. */
export interface ToolResultOptions {
  content?: Blocks
  /** Structured content: data beside the content blocks, which an `output` schema checks. */
  structured?: unknown
  /** The same as `structured`. */
  structuredContent?: unknown
  isError?: boolean
  meta?: Meta
  /** The same as `meta`. */
  _meta?: Meta
}

/** A tool's answer, spelled out: for errors, for structured data beside other content, and for `_meta`. */
export class ToolResult {
  readonly content: ContentBlock[]
  readonly structured: unknown
  readonly isError: boolean
  readonly meta: Meta | undefined

  constructor(options: ToolResultOptions) {
    this.content = toBlocks(options.content ?? [])
    this.structured = options.structured ?? options.structuredContent
    this.isError = options.isError ?? false
    this.meta = options.meta ?? options._meta
  }
}

/** The same as a plain object, in the words of the specification. */
export interface PlainToolResult<Data = unknown> {
  content: readonly (string | ContentBlock)[]
  structuredContent?: Data
  isError?: boolean
  _meta?: Meta
}

/** The return value of a tool without an `output` schema. */
export type ToolReturn = Blocks | ToolResult | PlainToolResult | InputRequired | undefined

// With the names of `ToolResult` and, for results of another server, of `callTool`: to TypeScript they are the same.
const members: ReadonlySet<string> = new Set('content structured structuredContent isError meta _meta text'.split(' '))

/** The result that a handler spelled out, if it did. With `output`, an object is one only if it cannot be the data. */
export function spelledOut(returned: unknown, output: JsonSchema | undefined): ToolResult | undefined {
  if (returned instanceof ToolResult) return returned
  const isPlain =
    isObject(returned) && Array.isArray(returned.content) && Object.keys(returned).every((name) => members.has(name))
  if (!isPlain || (output !== undefined && mayHaveContent(output))) return undefined
  return new ToolResult(returned as ToolResultOptions)
}

const mayHaveContent = ({ properties }: JsonSchema): boolean =>
  !isObject(properties) || Object.hasOwn(properties, 'content')

function toBlocks(value: Blocks): ContentBlock[] {
  if (typeof value === 'string') return [text(value)]
  if (!Array.isArray(value)) return [toBlock(value)]
  return value.map(toBlock)
}

function toBlock(value: unknown): ContentBlock {
  if (typeof value === 'string') return text(value)
  if (isContentBlock(value)) return value
  throw new McpError('invalid_result', `expected a string or a content block, got ${describe(value)}`)
}

/** The result of a tool that declares no output schema. */
export function contentResult(returned: unknown): CallToolResult {
  if (returned === undefined) return { content: [] }
  if (typeof returned === 'string' || isContentBlock(returned) || Array.isArray(returned)) {
    return { content: toBlocks(returned) }
  }
  throw new McpError(
    'invalid_result',
    `a tool without an output schema returns a string, content blocks or a ToolResult, got ${describe(returned)}; declare \`output\` to return data`,
  )
}

/** The result of a tool that declares an output schema: the data, and the same as text for clients without it. */
export const structuredResult = (data: unknown): CallToolResult => ({
  content: [text(JSON.stringify(data))],
  structuredContent: data,
})

/** The result that a `ToolResult` spells out; `structured` is its data after validation. */
export function spelledOutResult(result: ToolResult, structured: unknown = result.structured): CallToolResult {
  const { content, isError, meta } = result
  return {
    content: content.length === 0 && structured !== undefined ? [text(JSON.stringify(structured))] : content,
    ...(structured !== undefined && { structuredContent: structured }),
    ...(isError && { isError }),
    ...(meta && { _meta: meta }),
  }
}

/** A result with an error for the model. */
export const errorResult = (message: string): CallToolResult => ({ content: [text(message)], isError: true })
