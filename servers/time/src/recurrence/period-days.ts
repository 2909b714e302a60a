import { type DayNumber, dateOf, dayNumber, daysInMonth, weekdayOf } from './days.ts'
import type { RecurrenceRule, WeekdayPart } from './rule.ts'

/**
 * The days of one period of a rule: of the year, month, week or day with this index, counted from that of the start.
 * Follows the table of RFC 5545, section 3.3.10: a BY part expands the period or limits it.
 */
export function periodDays(rule: RecurrenceRule, start: DayNumber, index: number): DayNumber[] {
  const { year, month } = dateOf(start)
  switch (rule.frequency) {
    case 'YEARLY':
      return yearDays(rule, start, year + index)
    case 'MONTHLY': {
      const months = month - 1 + index
      const at = { year: year + Math.floor(months / 12), month: (months % 12) + 1 }
      return isMonth(rule, at.month) ? monthDays(rule, start, at.year, at.month) : []
    }
    case 'WEEKLY':
      return weekDays(rule, start, index).filter((day) => isMonth(rule, dateOf(day).month))
    default: {
      const day = start + index
      return isMonth(rule, dateOf(day).month) && isMonthDay(rule, day) && isWeekday(rule, day) ? [day] : []
    }
  }
}

function yearDays(rule: RecurrenceRule, start: DayNumber, year: number): DayNumber[] {
  const { byMonth, byMonthDay, byDay } = rule
  const first = dateOf(start)
  if (byMonth.length > 0 || byMonthDay.length > 0) {
    const months = byMonth.length > 0 ? [...new Set(byMonth)].sort((a, b) => a - b) : range(1, 12)
    return months.flatMap((month) => monthDays(rule, start, year, month))
  }
  if (byDay.length > 0) return weekdaysBetween(byDay, dayNumber(year, 1, 1), dayNumber(year, 12, 31))
  return first.day <= daysInMonth(year, first.month) ? [dayNumber(year, first.month, first.day)] : []
}

function monthDays(rule: RecurrenceRule, start: DayNumber, year: number, month: number): DayNumber[] {
  const first = dayNumber(year, month, 1)
  const last = first + daysInMonth(year, month) - 1
  const { byMonthDay, byDay } = rule
  if (byMonthDay.length > 0) {
    const days = range(first, last).filter((day) => isMonthDay(rule, day))
    if (byDay.length === 0) return days
    const wanted = new Set(weekdaysBetween(byDay, first, last))
    return days.filter((day) => wanted.has(day))
  }
  if (byDay.length > 0) return weekdaysBetween(byDay, first, last)
  const day = first + dateOf(start).day - 1
  return day <= last ? [day] : []
}

function weekDays({ byDay, weekStart }: RecurrenceRule, start: DayNumber, index: number): DayNumber[] {
  const monday = start - ((weekdayOf(start) - weekStart + 7) % 7) + 7 * index
  const wanted = byDay.length > 0 ? new Set(byDay.map(({ weekday }) => weekday)) : new Set([weekdayOf(start)])
  return range(monday, monday + 6).filter((day) => wanted.has(weekdayOf(day)))
}

/** The days of the wanted kind in a month or year; an ordinal picks one of them, from the end if it is negative. */
function weekdaysBetween(parts: readonly WeekdayPart[], first: DayNumber, last: DayNumber): DayNumber[] {
  const chosen = parts.flatMap(({ weekday, ordinal }) => {
    const begin = first + ((weekday - weekdayOf(first) + 7) % 7)
    const days = range(0, Math.floor((last - begin) / 7)).map((week) => begin + 7 * week)
    return ordinal === undefined ? days : (days.at(ordinal > 0 ? ordinal - 1 : ordinal) ?? [])
  })
  return [...new Set(chosen)].sort((a, b) => a - b)
}

const isMonth = ({ byMonth }: RecurrenceRule, month: number): boolean => byMonth.length === 0 || byMonth.includes(month)

export const isWeekday = ({ byDay }: RecurrenceRule, day: DayNumber): boolean =>
  byDay.length === 0 || byDay.some(({ weekday }) => weekday === weekdayOf(day))

export function isMonthDay({ byMonthDay }: RecurrenceRule, number: DayNumber): boolean {
  if (byMonthDay.length === 0) return true
  const { year, month, day } = dateOf(number)
  return byMonthDay.some((wanted) => (wanted > 0 ? wanted : daysInMonth(year, month) + 1 + wanted) === day)
}

const range = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index)
