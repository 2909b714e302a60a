import { ToolError } from '@tenon/sdk/server'
import { Temporal } from 'temporal-polyfill'
import { z } from 'zod'
import { type Ambiguity, type ResolvedTime, resolveLocal } from './wall-clock.ts'
import { findZone } from './zones.ts'

export const momentText: z.ZodString = z
  .string()
  .min(1)
  .max(100)
  .describe(
    'ISO 8601: with an offset (2026-03-29T12:00:00+02:00), with a zone (2026-03-29T12:00[Europe/Berlin]), local (2026-03-29T12:00), a date, or "now"',
  )

interface Surroundings {
  /** The zone of texts that name none, and of the result. */
  readonly zone: string
  readonly ambiguity: Ambiguity
  readonly now: Temporal.Instant
}

/** Reads a moment. Its parameter is named in errors. */
export function parseMoment(text: string, name: string, { zone, ambiguity, now }: Surroundings): ResolvedTime {
  const given = text.trim()
  if (given === 'now') return { zoned: now.toZonedDateTimeISO(zone), note: undefined }
  const [, local, annotated] = /^([^[]*)\[([^\]]+)\]$/.exec(given) ?? [undefined, given, undefined]
  const home = annotated === undefined ? zone : findZone(annotated)
  try {
    if (/(?:z|[+-]\d\d(?::?\d\d)?)$/i.test(local!) && /[t\s]/i.test(local!)) {
      if (annotated !== undefined && !/z$/i.test(local!)) {
        return { zoned: Temporal.ZonedDateTime.from(`${local}[${home}]`), note: undefined }
      }
      return { zoned: Temporal.Instant.from(local!).toZonedDateTimeISO(home), note: undefined }
    }
    return resolveLocal(Temporal.PlainDateTime.from(local!), home, ambiguity)
  } catch (error) {
    if (error instanceof ToolError) throw error
    throw new ToolError(
      `${name}: expected a moment in ISO 8601, such as 2026-03-29T12:00:00+02:00 or 2026-03-29T12:00, got ${JSON.stringify(given)}: ${(error as Error).message}`,
    )
  }
}

/** Reads a date such as `2026-03-29`. */
export function parseDate(text: string, name: string): Temporal.PlainDate {
  try {
    if (!/^\d{4}-\d\d-\d\d$/.test(text)) throw new RangeError('not YYYY-MM-DD')
    return Temporal.PlainDate.from(text)
  } catch {
    throw new ToolError(`${name}: expected a date of the calendar such as 2026-03-29, got ${JSON.stringify(text)}`)
  }
}

/** Reads a time of day: `9:30`, `09:30` or `09:30:15`. */
export function parseTime(text: string): Temporal.PlainTime {
  const [, hour, minute, second = '0'] = /^(\d{1,2}):(\d{1,2})(?::(\d{1,2}))?$/.exec(text) ?? []
  try {
    return Temporal.PlainTime.from(
      { hour: Number(hour), minute: Number(minute), second: Number(second) },
      { overflow: 'reject' },
    )
  } catch {
    throw new ToolError(`Invalid time format. Expected HH:MM [24-hour format], got ${JSON.stringify(text)}`)
  }
}
