import type { Difference } from '../json/differences.ts'

/** The effect of a change on existing clients: they may fail, they go on, or nobody can tell. */
export type Severity = 'breaking' | 'compatible' | 'unclear'

/** One thing that is not as it was. */
export interface Change {
  severity: Severity
  /** The changed member, such as `inputSchema.properties.city`. */
  path: string
  /** For a person: `is required now`. */
  what: string
}

export type ItemKind = 'tool' | 'resource' | 'template' | 'prompt'

/** Something the server offers that is new, gone or another. */
export interface ItemDiff {
  kind: ItemKind
  /** A name or a URI. */
  name: string
  status: 'added' | 'removed' | 'changed'
  severity: Severity
  changes: Change[]
}

/** A request that both sessions have, and the same answer only in parts; or that only one of them has. */
export interface RequestDiff {
  method: string
  /** A title that distinguishes it from others. */
  request: string
  /** Which of the same requests it is, counted from 1. */
  occurrence: number
  status: 'added' | 'removed' | 'changed'
  /** The differences of the results. */
  differences: Difference[]
}

/** How long the answers to the same requests took. */
export interface TimingDiff {
  request: string
  /** How many of them were compared. */
  count: number
  /** Medians. */
  beforeMs: number
  afterMs: number
  /** Above 1: slower than before. */
  ratio: number
}

/** How two sessions differ. */
export interface SessionDiff {
  /** True if nothing differs but times. */
  same: boolean
  /** How many changes may break existing clients. */
  breaking: number
  /** The server itself: name, version, revision, capabilities, instructions. */
  server: Change[]
  items: ItemDiff[]
  requests: RequestDiff[]
  /** How many requests were answered alike. */
  unchanged: number
  timing: TimingDiff[]
}
