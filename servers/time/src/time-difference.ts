import { type ServerTool, ToolResult, tool } from '@tenon/sdk/server'
import { z } from 'zod'
import { describeMoment, momentSchema, momentText as textOf } from './moment.ts'
import { momentText, parseMoment } from './parse-moment.ts'
import { computes, type TimeContext, zoneOf, zoneText } from './time-context.ts'
import { ambiguitySchema } from './wall-clock.ts'

export const timeDifferenceTool = (context: TimeContext): ServerTool =>
  tool({
    name: 'time_difference',
    title: 'Difference between two moments',
    description:
      'The time between two moments: exact, and in years, months, days and hours of the calendar. Days are those of the zone, so a day with a clock change has 23 or 25 hours.',
    annotations: computes,
    input: z.object({
      start: momentText,
      end: momentText,
      timezone: zoneText('Zone of moments that name none, and of the days that are counted').optional(),
      disambiguation: ambiguitySchema,
    }),
    output: z.object({
      start: momentSchema,
      end: momentSchema,
      total_seconds: z.number().describe('Elapsed, negative if the end lies before the start'),
      total_days: z.number().describe('Elapsed, in days of 24 hours'),
      calendar_days: z.int().describe('Midnights between the two dates in the zone'),
      duration: z.string().describe('ISO 8601, on the calendar of the zone'),
      notes: z.array(z.string()),
    }),
    run({ start, end, timezone, disambiguation }) {
      const zone = zoneOf(timezone, context)
      const surroundings = { zone, ambiguity: disambiguation, now: context.now() }
      const from = parseMoment(start, 'start', surroundings)
      const to = parseMoment(end, 'end', surroundings)
      const first = from.zoned.withTimeZone(zone)
      const last = to.zoned.withTimeZone(zone)
      const seconds = (last.epochMilliseconds - first.epochMilliseconds) / 1000
      const duration = first.until(last, { largestUnit: 'years', smallestUnit: 'seconds' })
      const structured = {
        start: describeMoment(first),
        end: describeMoment(last),
        total_seconds: seconds,
        total_days: seconds / 86_400,
        calendar_days: first.toPlainDate().until(last.toPlainDate(), { largestUnit: 'days' }).days,
        duration: duration.toString(),
        notes: [from.note, to.note].filter((note) => note !== undefined),
      }
      const content = [
        `From ${textOf(structured.start)} to ${textOf(structured.end)}: ${words(duration)}.`,
        `${seconds} seconds; ${structured.calendar_days} days by date.`,
        ...structured.notes,
      ].join('\n')
      return new ToolResult({ content, structured })
    },
  })

const units = ['years', 'months', 'days', 'hours', 'minutes', 'seconds'] as const

/** For example `1 year, 2 days`; the past has "ago". */
function words(duration: { readonly [unit in (typeof units)[number]]: number } & { readonly sign: number }): string {
  const parts = units
    .map((unit) => ({ unit, count: Math.abs(duration[unit]) }))
    .filter(({ count }) => count > 0)
    .map(({ unit, count }) => `${count} ${count === 1 ? unit.slice(0, -1) : unit}`)
  if (parts.length === 0) return 'no time'
  return `${parts.join(', ')}${duration.sign < 0 ? ' back' : ''}`
}
