import type { CacheHints } from './caching.ts'
import type { ContentBlock } from './content.ts'
import type { Icon, Meta, Role } from './meta.ts'

export interface PromptArgument {
  name: string
  title?: string
  description?: string
  required?: boolean
}

/** A prompt as it is listed. */
export interface Prompt {
  name: string
  title?: string
  description?: string
  arguments?: PromptArgument[]
  icons?: Icon[]
  _meta?: Meta
}

export interface PromptMessage {
  role: Role
  content: ContentBlock
}

export interface ListPromptsResult extends CacheHints {
  prompts: Prompt[]
  nextCursor?: string
  _meta?: Meta
}

export interface GetPromptResult {
  description?: string
  messages: PromptMessage[]
  _meta?: Meta
}
