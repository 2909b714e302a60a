import type { Temporal } from 'temporal-polyfill'
import { z } from 'zod'
import { findZone } from './zones.ts'

/** The clock and the local zone that all tools share. */
export interface TimeContext {
  now(): Temporal.Instant
  /** The zone of the user, for arguments that name none. */
  localZone(): string
}

export const zoneOf = (given: string | undefined, { localZone }: TimeContext): string =>
  given === undefined ? localZone() : findZone(given)

export const zoneText = (usage: string): z.ZodString =>
  z.string().min(1).max(100).describe(`${usage}: an IANA name (e.g., 'America/New_York', 'Europe/London') or an offset`)

/** Hints that hold for every tool of this server: they compute. */
export const computes = { readOnly: true, destructive: false, idempotent: true, openWorld: false }
