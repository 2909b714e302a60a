import { ToolError } from '@tenon/sdk/server'

export const frequencies = ['YEARLY', 'MONTHLY', 'WEEKLY', 'DAILY', 'HOURLY', 'MINUTELY'] as const
export type Frequency = (typeof frequencies)[number]

export interface WeekdayPart {
  /** 1 is Monday, 7 is Sunday. */
  readonly weekday: number
  /** The second (2) or last (-1) of the month or year; absent: every one. */
  readonly ordinal: number | undefined
}

/** A recurrence rule of RFC 5545, checked. */
export interface RecurrenceRule {
  readonly frequency: Frequency
  readonly interval: number
  readonly count: number | undefined
  readonly until: string | undefined
  readonly byMonth: readonly number[]
  readonly byMonthDay: readonly number[]
  readonly byDay: readonly WeekdayPart[]
  readonly byHour: readonly number[]
  readonly byMinute: readonly number[]
  readonly bySetPos: readonly number[]
  readonly weekStart: number
}

const weekdayNames = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']
const partNames = [
  'FREQ',
  'INTERVAL',
  'COUNT',
  'UNTIL',
  'BYMONTH',
  'BYMONTHDAY',
  'BYDAY',
  'BYHOUR',
  'BYMINUTE',
  'BYSETPOS',
  'WKST',
]

/** Reads a rule such as `FREQ=MONTHLY;BYDAY=-1FR`. */
export function parseRule(text: string): RecurrenceRule {
  const parts = splitParts(text.trim().replace(/^RRULE:/i, ''))
  const frequency = parts.get('FREQ') as Frequency | undefined
  if (frequency === undefined || !frequencies.includes(frequency)) {
    return refuse(`FREQ: expected one of ${frequencies.join(', ')}, got ${JSON.stringify(frequency ?? 'nothing')}`)
  }
  const numbers = (name: string, min: number, max: number, signed = false): number[] =>
    listOf(parts, name).map((value) => wholeNumber(name, value, min, max, signed))
  const single = (name: string, max: number): number | undefined =>
    parts.has(name) ? wholeNumber(name, parts.get(name)!, 1, max) : undefined
  const rule: RecurrenceRule = {
    frequency,
    interval: single('INTERVAL', 10_000) ?? 1,
    count: single('COUNT', 10_000),
    until: parts.get('UNTIL'),
    byMonth: numbers('BYMONTH', 1, 12),
    byMonthDay: numbers('BYMONTHDAY', 1, 31, true),
    byDay: listOf(parts, 'BYDAY').map(weekdayPart),
    byHour: numbers('BYHOUR', 0, 23),
    byMinute: numbers('BYMINUTE', 0, 59),
    bySetPos: numbers('BYSETPOS', 1, 366, true),
    weekStart: parts.has('WKST') ? weekday(parts.get('WKST')!) : 1,
  }
  return checkCombination(rule)
}

function splitParts(text: string): Map<string, string> {
  const parts = new Map<string, string>()
  for (const part of text.split(';').filter((part) => part !== '')) {
    const [, name, value] = /^([A-Za-z]+)=(.+)$/.exec(part.trim()) ?? []
    if (name === undefined || value === undefined) return refuse(`expected NAME=VALUE, got ${JSON.stringify(part)}`)
    const known = name.toUpperCase()
    if (!partNames.includes(known)) return refuse(`${known}: not supported; expected ${partNames.join(', ')}`)
    if (parts.has(known)) return refuse(`${known}: given twice`)
    parts.set(known, value.toUpperCase())
  }
  return parts
}

/** Combinations that RFC 5545 forbids, or that this server does not know. */
function checkCombination(rule: RecurrenceRule): RecurrenceRule {
  const { frequency, count, until, byDay, byMonthDay, bySetPos, byMinute, byHour } = rule
  const isShort = frequency === 'HOURLY' || frequency === 'MINUTELY'
  if (count !== undefined && until !== undefined) return refuse('COUNT and UNTIL: expected one of them')
  if (byDay.some(({ ordinal }) => ordinal !== undefined) && frequency !== 'MONTHLY' && frequency !== 'YEARLY') {
    return refuse(`BYDAY: a number before the day needs FREQ=MONTHLY or YEARLY, got ${frequency}`)
  }
  if (byMonthDay.length > 0 && frequency === 'WEEKLY') return refuse('BYMONTHDAY: not allowed with FREQ=WEEKLY')
  if (isShort && bySetPos.length > 0) return refuse(`BYSETPOS: not supported with FREQ=${frequency}`)
  if (frequency === 'HOURLY' && byMinute.length > 0)
    return refuse('BYMINUTE: not supported with FREQ=HOURLY; the minute is that of the start')
  if (byHour.length * byMinute.length > 96) return refuse('BYHOUR and BYMINUTE: expected at most 96 times a day')
  return rule
}

const listOf = (parts: ReadonlyMap<string, string>, name: string): string[] => parts.get(name)?.split(',') ?? []

function wholeNumber(name: string, text: string, min: number, max: number, signed = false): number {
  const value = /^[+-]?\d{1,6}$/.test(text) ? Number(text) : Number.NaN
  const size = signed ? Math.abs(value) : value
  if (size >= min && size <= max) return value
  return refuse(
    `${name}: expected a number from ${min} to ${max}${signed ? ', or minus that' : ''}, got ${JSON.stringify(text)}`,
  )
}

function weekdayPart(text: string): WeekdayPart {
  const [, number, name] = /^([+-]?\d{1,2})?([A-Z]{2})$/.exec(text) ?? []
  if (name === undefined) return refuse(`BYDAY: expected days such as MO or -1FR, got ${JSON.stringify(text)}`)
  return {
    weekday: weekday(name),
    ordinal: number === undefined ? undefined : wholeNumber('BYDAY', number, 1, 53, true),
  }
}

function weekday(name: string): number {
  const index = weekdayNames.indexOf(name)
  return index === -1 ? refuse(`expected one of ${weekdayNames.join(', ')}, got ${JSON.stringify(name)}`) : index + 1
}

function refuse(problem: string): never {
  throw new ToolError(`rule: ${problem}. Example: FREQ=MONTHLY;BYDAY=-1FR is the last Friday of every month.`)
}
