/** Days of the calendar as numbers, counted from 1970-01-01: cheap to compute with, and free of time zones. */
export type DayNumber = number

const dayMs = 86_400_000

export const dayNumber = (year: number, month: number, day: number): DayNumber => {
  const date = new Date(0)
  // The constructor and Date.UTC read the years 0 to 99 as 1900 to 1999.
  date.setUTCFullYear(year, month - 1, day)
  return date.getTime() / dayMs
}

export function dateOf(day: DayNumber): { year: number; month: number; day: number } {
  const date = new Date(day * dayMs)
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }
}

/** 1 is Monday, 7 is Sunday; 1970-01-01 was a Thursday. */
export const weekdayOf = (day: DayNumber): number => ((((day + 3) % 7) + 7) % 7) + 1

export const daysInMonth = (year: number, month: number): number => dateOf(dayNumber(year, month + 1, 0)).day
