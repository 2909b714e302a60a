import { Temporal } from 'temporal-polyfill'
import { isoText } from '../moment.ts'
import { dateOf, dayNumber } from './days.ts'
import { isMonthDay, isWeekday, periodDays } from './period-days.ts'
import type { RecurrenceRule } from './rule.ts'

export interface Occurrence {
  readonly zoned: Temporal.ZonedDateTime
  /** Says that a clock change skips or repeats the local time. */
  readonly note: string | undefined
}

/** The rule found nothing for so long that the search was ended. */
export const searchEnded: unique symbol = Symbol('searchEnded')

/** Periods without an occurrence after which the search ends: a rule such as 30 February never occurs. */
const maxEmptyPeriods = 20_000
/** A year takes longer to look through. */
const maxEmptyYears = 3_000

/**
 * The occurrences of a rule from its start on, in order. Those far before `from` may be left out, unless the rule
 * counts. From days up the rule is on the calendar and the clock of the zone; hours and minutes are elapsed time.
 */
export function* occurrences(
  rule: RecurrenceRule,
  start: Temporal.ZonedDateTime,
  from: Temporal.ZonedDateTime,
): Generator<Occurrence | typeof searchEnded> {
  const isShort = rule.frequency === 'HOURLY' || rule.frequency === 'MINUTELY'
  const until = rule.until === undefined ? undefined : parseUntil(rule.until, start.timeZoneId)
  let counted = 0
  for (const found of isShort ? exactSteps(rule, start, from) : calendarSteps(rule, start, from)) {
    if (found === searchEnded) return yield found
    const { zoned } = found
    if (Temporal.ZonedDateTime.compare(zoned, start) < 0) continue
    if (until !== undefined && Temporal.Instant.compare(zoned.toInstant(), until) > 0) return
    yield found
    if (++counted === rule.count) return
  }
}

function* calendarSteps(
  rule: RecurrenceRule,
  start: Temporal.ZonedDateTime,
  from: Temporal.ZonedDateTime,
): Generator<Occurrence | typeof searchEnded> {
  const first = dayNumber(start.year, start.month, start.day)
  const times = timesOfDay(rule, start)
  const maxEmpty = rule.frequency === 'YEARLY' ? maxEmptyYears : maxEmptyPeriods
  // A rule that counts has to pass through everything since its start.
  const [firstIndex, firstDay] =
    rule.count === undefined
      ? [firstPeriod(rule, start, from), dayNumber(from.year, from.month, from.day) - 1]
      : [0, first]
  let empty = 0
  for (let index = firstIndex; ; index += rule.interval) {
    const days = periodDays(rule, first, index)
    const all = days.flatMap((day) => times.map((time) => ({ day, time })))
    const chosen = rule.bySetPos.length === 0 ? all : atPositions(all, rule.bySetPos)
    empty = chosen.length === 0 ? empty + 1 : 0
    if (empty > maxEmpty || (days.length > 0 && dateOf(days[0]!).year > 9999)) return yield searchEnded
    for (const { day, time } of chosen) {
      if (day >= firstDay) yield resolve(Temporal.PlainDateTime.from({ ...dateOf(day), ...time }), start.timeZoneId)
    }
  }
}

/** The index of a period shortly before `from`, so that a rule from 1970 does not pass through every day since. */
function firstPeriod(
  { frequency, interval }: RecurrenceRule,
  start: Temporal.ZonedDateTime,
  from: Temporal.ZonedDateTime,
): number {
  const days = dayNumber(from.year, from.month, from.day) - dayNumber(start.year, start.month, start.day)
  const length = { YEARLY: 366, MONTHLY: 31, WEEKLY: 7, DAILY: 1, HOURLY: 1, MINUTELY: 1 }[frequency]
  const passed = Math.max(0, Math.floor(days / length) - 1)
  return passed - (passed % interval)
}

function* exactSteps(
  rule: RecurrenceRule,
  start: Temporal.ZonedDateTime,
  from: Temporal.ZonedDateTime,
): Generator<Occurrence | typeof searchEnded> {
  const stepMs = rule.interval * (rule.frequency === 'HOURLY' ? 3_600_000 : 60_000)
  const passed = Math.max(0, Math.floor((from.epochMilliseconds - start.epochMilliseconds) / stepMs) - 1)
  let empty = 0
  for (let index = rule.count === undefined ? passed : 0; ; index++) {
    const zoned = start.add({ milliseconds: index * stepMs })
    if (zoned.year > 9999 || ++empty > maxEmptyPeriods) return yield searchEnded
    if (!isDay(rule, zoned)) {
      const tomorrow = zoned.startOfDay().add({ days: 1 })
      index = Math.ceil((tomorrow.epochMilliseconds - start.epochMilliseconds) / stepMs) - 1
    } else if (isOneOf(rule.byHour, zoned.hour) && isOneOf(rule.byMinute, zoned.minute)) {
      empty = 0
      yield { zoned, note: undefined }
    }
  }
}

const isOneOf = (wanted: readonly number[], value: number): boolean => wanted.length === 0 || wanted.includes(value)

function isDay(rule: RecurrenceRule, { year, month, day }: Temporal.ZonedDateTime): boolean {
  const number = dayNumber(year, month, day)
  return isOneOf(rule.byMonth, month) && isMonthDay(rule, number) && isWeekday(rule, number)
}

interface TimeOfDay {
  readonly hour: number
  readonly minute: number
  readonly second: number
}

function timesOfDay({ byHour, byMinute }: RecurrenceRule, { hour, minute, second }: TimeOfDay): TimeOfDay[] {
  const sorted = (given: readonly number[], fallback: number): number[] =>
    given.length === 0 ? [fallback] : [...new Set(given)].sort((a, b) => a - b)
  return sorted(byHour, hour).flatMap((hour) => sorted(byMinute, minute).map((minute) => ({ hour, minute, second })))
}

function atPositions<T>(all: readonly T[], positions: readonly number[]): T[] {
  const chosen = new Set(positions.map((position) => (position > 0 ? position - 1 : all.length + position)))
  return all.filter((_, index) => chosen.has(index))
}

/** RFC 5545: a skipped time has the offset before the gap, a repeated one is its first occurrence. */
function resolve(local: Temporal.PlainDateTime, zone: string): Occurrence {
  const zoned = local.toZonedDateTime(zone, { disambiguation: 'compatible' })
  if (!zoned.toPlainDateTime().equals(local)) {
    return { zoned, note: `${local} does not exist on this day (skipped by a clock change)` }
  }
  const later = local.toZonedDateTime(zone, { disambiguation: 'later' })
  const isRepeated = later.epochNanoseconds !== zoned.epochNanoseconds
  return {
    zoned,
    note: isRepeated ? `${local} happens again at ${isoText(later)} (repeated by a clock change)` : undefined,
  }
}

/** `20261231`, `20261231T120000` or `20261231T120000Z`; the last moment that may occur. */
function parseUntil(text: string, zone: string): Temporal.Instant {
  const [, date, time, utc] = /^(\d{8})(?:T(\d{6})(Z?))?$/.exec(text) ?? []
  if (date === undefined)
    throw new RangeError(`UNTIL: expected 20261231 or 20261231T120000Z, got ${JSON.stringify(text)}`)
  const local = Temporal.PlainDateTime.from(time === undefined ? `${date}T235959` : `${date}T${time}`)
  return local.toZonedDateTime(utc === 'Z' ? 'UTC' : zone).toInstant()
}
