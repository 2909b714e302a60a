import type { Meta } from './meta.ts'

/** The subject of a completion: an argument of a prompt, or a variable of a resource template. */
export type CompletionReference =
  | { type: 'ref/prompt'; name: string; title?: string }
  | { type: 'ref/resource'; uri: string }

export interface CompleteParams {
  ref: CompletionReference
  argument: { name: string; value: string }
  /** Arguments that are already known; from 2025-06-18. */
  context?: { arguments?: { [name: string]: string } }
}

export interface CompleteResult {
  completion: {
    /** At most 100. */
    values: string[]
    total?: number
    hasMore?: boolean
  }
  _meta?: Meta
}
