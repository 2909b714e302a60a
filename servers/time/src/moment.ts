import type { Temporal } from 'temporal-polyfill'
import { z } from 'zod'

type Zoned = Temporal.ZonedDateTime

/** A moment as every tool answers it; the first four members are those of the original server. */
export interface Moment {
  timezone: string
  datetime: string
  day_of_week: string
  is_dst: boolean
  utc_offset: string
}

export const momentFields: { readonly [K in keyof Moment]: z.ZodType<Moment[K]> } = {
  timezone: z.string(),
  datetime: z.string().describe('ISO 8601 with the offset'),
  day_of_week: z.string(),
  is_dst: z.boolean().describe('Clocks are ahead of the standard time of the zone'),
  utc_offset: z.string(),
}

export const momentSchema: z.ZodType<Moment> = z.object(momentFields)

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

export const describeMoment = (zoned: Zoned): Moment => ({
  timezone: zoned.timeZoneId,
  datetime: isoText(zoned),
  day_of_week: weekdays[zoned.dayOfWeek - 1]!,
  is_dst: isDaylightTime(zoned),
  utc_offset: zoned.offset,
})

/** For example `2026-03-29T03:30:00+02:00`. */
export const isoText = (zoned: Zoned): string => zoned.toString({ smallestUnit: 'second', timeZoneName: 'never' })

export const momentText = ({ timezone, datetime, day_of_week, is_dst }: Moment): string =>
  `${day_of_week}, ${datetime} in ${timezone}${is_dst ? ' (daylight saving time)' : ''}`

/**
 * Clocks are ahead if they were behind before the last change, will be behind after the next one, and the two lie
 * within a year. The runtime has no flag for it, and a flag would call the winter of Dublin daylight saving time.
 */
export function isDaylightTime(zoned: Zoned): boolean {
  const began = zoned.add({ nanoseconds: 1 }).getTimeZoneTransition('previous')
  const ends = zoned.getTimeZoneTransition('next')
  if (began === null || ends === null) return false
  const before = began.subtract({ nanoseconds: 1 }).offsetNanoseconds
  const isSeason = ends.epochMilliseconds - began.epochMilliseconds < 366 * 24 * 3_600_000
  return isSeason && zoned.offsetNanoseconds > before && zoned.offsetNanoseconds > ends.offsetNanoseconds
}
