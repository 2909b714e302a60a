import type { ToolHints } from '@tenon/sdk/server'
import { z } from 'zod'
import type { WebDocument } from '../web.ts'

/** All tools of this server read the web and change nothing. */
export const reads: ToolHints = { readOnly: true, destructive: false, idempotent: true, openWorld: true }

export const urlInput: z.ZodString = z.string().min(1).max(8_000).describe('URL to fetch')

export const startInput: z.ZodDefault<z.ZodInt> = z
  .int()
  .min(0)
  .default(0)
  .describe('Index of the first item, if a previous call did not return all of them.')

/** The members that every result has. */
export const documentOutput: { url: z.ZodString; title: z.ZodOptional<z.ZodString>; incomplete: z.ZodBoolean } = {
  url: z.string().describe('The address that answered, after redirects'),
  title: z.string().optional(),
  incomplete: z.boolean().describe('The document is larger than the server reads; this is about its beginning'),
}

interface DocumentFacts {
  url: string
  title?: string
  incomplete: boolean
}

export const describeDocument = ({ url, truncated }: WebDocument, title?: string): DocumentFacts => ({
  url,
  ...(title !== undefined && { title }),
  incomplete: truncated,
})

/** A part of a list, and the index to go on with. */
export function pageOf<T>(
  all: readonly T[],
  start: number,
  count: number,
): { items: T[]; total: number; next?: number } {
  const items = all.slice(start, start + count)
  const next = start + items.length
  return { items, total: all.length, ...(next < all.length && { next }) }
}

export const goOn = (tool: string, next: number | undefined): string =>
  next === undefined ? '' : `\n\nThere are more. Call ${tool} with a start_index of ${next}.`
