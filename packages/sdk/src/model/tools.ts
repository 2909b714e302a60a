import type { CacheHints } from './caching.ts'
import type { ContentBlock } from './content.ts'
import type { Icon, Meta } from './meta.ts'
import type { TaskSupport } from './tasks.ts'

/** A JSON Schema object. */
export type JsonSchema = { [keyword: string]: unknown }

export interface ToolAnnotations {
  title?: string
  readOnlyHint?: boolean
  destructiveHint?: boolean
  idempotentHint?: boolean
  openWorldHint?: boolean
}

/** A tool as it is listed. */
export interface Tool {
  name: string
  title?: string
  description?: string
  inputSchema: JsonSchema
  outputSchema?: JsonSchema
  annotations?: ToolAnnotations
  /** 2025-11-25 only. */
  execution?: { taskSupport?: TaskSupport }
  icons?: Icon[]
  _meta?: Meta
}

export interface ListToolsResult extends CacheHints {
  tools: Tool[]
  nextCursor?: string
  _meta?: Meta
}

export interface CallToolResult {
  content: ContentBlock[]
  /** Any JSON value from 2026-07-28, an object before. */
  structuredContent?: unknown
  isError?: boolean
  _meta?: Meta
}
