import { ToolError } from '@tenon/sdk/server'
import type { Temporal } from 'temporal-polyfill'
import { z } from 'zod'
import { isoText } from './moment.ts'

/** The reading of a local time that a clock change skips or repeats. */
export type Ambiguity = 'earlier' | 'later' | 'reject' | undefined

export const ambiguitySchema: z.ZodType<Ambiguity> = z
  .enum(['earlier', 'later', 'reject'])
  .optional()
  .describe(
    'How to read a local time that a clock change skips or repeats. Default: a repeated time is its first occurrence, a skipped one is an error',
  )

export interface ResolvedTime {
  readonly zoned: Temporal.ZonedDateTime
  /** Says that a clock change skips or repeats the local time, and how it was read. */
  readonly note: string | undefined
}

/** Finds the moment of a local time in a zone, and says when there is none or more than one. */
export function resolveLocal(local: Temporal.PlainDateTime, zone: string, ambiguity: Ambiguity): ResolvedTime {
  const earlier = local.toZonedDateTime(zone, { disambiguation: 'earlier' })
  const later = local.toZonedDateTime(zone, { disambiguation: 'later' })
  if (earlier.epochNanoseconds === later.epochNanoseconds) return { zoned: earlier, note: undefined }
  const isSkipped = !earlier.toPlainDateTime().equals(local)
  const problem = isSkipped
    ? `${local} does not exist in ${zone} (skipped by a clock change)`
    : `${local} happens twice in ${zone} (repeated by a clock change)`
  if (ambiguity === 'reject' || (ambiguity === undefined && isSkipped)) {
    throw new ToolError(
      `Invalid time: ${problem}. Pass disambiguation "earlier" for ${isoText(earlier)} or "later" for ${isoText(later)}.`,
    )
  }
  const zoned = ambiguity === 'later' ? later : earlier
  const other = zoned === later ? earlier : later
  return { zoned, note: `${problem}. It was read as ${isoText(zoned)}; the other reading is ${isoText(other)}.` }
}
