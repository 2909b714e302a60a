/** The messages between the server and the thread that searches in files. */

export interface GrepJob {
  /** The real path of the folder or file to search in. */
  readonly start: string
  /** The real paths of the folders that may be used. */
  readonly allowed: readonly string[]
  readonly pattern: string
  readonly literal: boolean
  readonly ignoreCase: boolean
  readonly include: readonly string[]
  readonly exclude: readonly string[]
  /** Lines to show before and after a match. */
  readonly context: number
  readonly maxMatches: number
  readonly maxBytes: number
  readonly refuseHardLinks: boolean
}

export interface GrepMatch {
  readonly path: string
  /** From 1. */
  readonly line: number
  readonly text: string
  readonly before?: readonly string[]
  readonly after?: readonly string[]
}

export interface GrepReport {
  readonly matches: readonly GrepMatch[]
  readonly filesSearched: number
  readonly filesWithMatches: number
  /** Binary files, and files that cannot be read. */
  readonly filesSkipped: number
  /** There are more matches than were wanted. */
  readonly cut: boolean
}

export type GrepMessage = { readonly searched: number } | { readonly report: GrepReport }
