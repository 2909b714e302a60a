import { shortLine } from '../../display/visible.ts'
import { McpError, type RpcError } from '../../errors.ts'
import { isObject } from '../../jsonrpc/classify.ts'
import type { ClientCapabilities } from '../../model/capabilities.ts'
import type { Revision } from '../../model/revision.ts'
import type { Codec } from '../../wire/codec.ts'
import type { ClientSettings } from '../options.ts'
import type { ServerDescription } from '../types.ts'

/** How an attempt to open a conversation ended. */
export type Opening = Agreed | Disagreed

export interface Agreed {
  kind: 'agreed'
  codec: Codec
  server: ServerDescription
}

export interface Disagreed {
  kind: 'disagreed'
  /** The revisions that the server named, if it did. */
  offers?: readonly string[]
  /** The revision to try next, of those that were not tried, newest first. */
  next(untried: readonly Revision[]): Revision | undefined
  /** The error if there is none. */
  error(allowed: readonly Revision[]): McpError
}

/** The server has not answered yet, and may still do so. */
export interface Unanswered {
  kind: 'unanswered'
  answer: Promise<Opening>
  /** The revision to try meanwhile. */
  alternative: Revision
}

export interface OpeningPlan {
  settings: ClientSettings
  capabilities: ClientCapabilities
  signal?: AbortSignal
  /** How long the answer may take, if not as long as for any request. */
  timeoutMs?: number
}

/** The server named the revisions that it speaks. */
export const offered = (offers: readonly string[], cause: unknown): Disagreed => ({
  kind: 'disagreed',
  offers,
  next: (untried) => untried.find((revision) => offers.includes(revision)),
  error: (allowed) => noCommonRevision(offers, allowed, cause),
})

/** The versions that an error lists, in the form that every revision uses for it. */
export function offeredVersions({ data }: RpcError): readonly string[] | undefined {
  if (!isObject(data) || !Array.isArray(data.supported)) return undefined
  return data.supported.filter((version): version is string => typeof version === 'string')
}

export const noCommonRevision = (theirs: readonly string[], ours: readonly Revision[], cause?: unknown): McpError =>
  new McpError(
    'negotiation',
    `No common protocol revision: the server speaks ${list(theirs)}, this client allows ${list(ours)}`,
    { cause },
  )

const maxListed = 10

function list(versions: readonly string[]): string {
  if (versions.length === 0) return 'none'
  const more = versions.length > maxListed ? `, and ${versions.length - maxListed} more` : ''
  const listed = versions.slice(0, maxListed).map((version) => shortLine(version, 40))
  return `${listed.join(', ')}${more}`
}

export const quoteError = (error: RpcError): string => `${shortLine(error.message, 500)} (${error.code})`
