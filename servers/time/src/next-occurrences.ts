import { type ServerTool, ToolError, ToolResult, tool } from '@tenon/sdk/server'
import { Temporal } from 'temporal-polyfill'
import { z } from 'zod'
import { describeMoment, momentFields, momentText as textOf } from './moment.ts'
import { momentText, parseMoment } from './parse-moment.ts'
import { type Occurrence, occurrences, searchEnded } from './recurrence/occurrences.ts'
import { parseRule, type RecurrenceRule } from './recurrence/rule.ts'
import { computes, type TimeContext, zoneOf, zoneText } from './time-context.ts'
import { ambiguitySchema } from './wall-clock.ts'

const maxCount = 100

export const nextOccurrencesTool = (context: TimeContext): ServerTool =>
  tool({
    name: 'next_occurrences',
    title: 'Next occurrences of a rule',
    description: `The next times at which something recurs, by a rule of RFC 5545 (iCalendar) with FREQ (YEARLY to MINUTELY), INTERVAL, COUNT, UNTIL, BYMONTH, BYMONTHDAY, BYDAY, BYHOUR, BYMINUTE, BYSETPOS and WKST. Examples: FREQ=WEEKLY;BYDAY=MO,WE;BYHOUR=9;BYMINUTE=0 and FREQ=MONTHLY;BYDAY=-1FR.`,
    annotations: computes,
    input: z.object({
      rule: z.string().min(1).max(500).describe('Recurrence rule, such as FREQ=MONTHLY;BYDAY=-1FR'),
      start: momentText
        .optional()
        .describe(
          'First moment of the recurrence (DTSTART); gives the time of day and what BY parts leave open. Default: `after`',
        ),
      after: momentText.optional().describe('Occurrences after this moment. Default: now'),
      timezone: zoneText('Time zone of the rule').optional(),
      count: z.int().min(1).max(maxCount).default(5).describe(`How many, up to ${maxCount}`),
      disambiguation: ambiguitySchema,
    }),
    output: z.object({
      occurrences: z.array(z.object({ ...momentFields, note: z.string().optional() })),
      ended: z.boolean().describe('There are no more after these'),
    }),
    run({ rule, start, after, timezone, count, disambiguation }) {
      const surroundings = { zone: zoneOf(timezone, context), ambiguity: disambiguation, now: context.now() }
      const from = parseMoment(after ?? 'now', 'after', surroundings).zoned.withTimeZone(surroundings.zone)
      const first = start === undefined ? from.round('seconds') : parseMoment(start, 'start', surroundings).zoned
      const found = nextOf(parseRule(rule), first.withTimeZone(surroundings.zone), from, count)
      const structured = {
        occurrences: found.occurrences.map(({ zoned, note }) => ({
          ...describeMoment(zoned),
          ...(note !== undefined && { note }),
        })),
        ended: found.ended,
      }
      const lines = structured.occurrences.map(
        (one) => `${textOf(one)}${one.note === undefined ? '' : `: ${one.note}`}`,
      )
      if (found.ended) lines.push(lines.length === 0 ? 'It does not occur after that.' : 'It does not occur again.')
      return new ToolResult({ content: lines.join('\n'), structured })
    },
  })

function nextOf(
  rule: RecurrenceRule,
  start: Temporal.ZonedDateTime,
  after: Temporal.ZonedDateTime,
  count: number,
): { occurrences: Occurrence[]; ended: boolean } {
  const found: Occurrence[] = []
  for (const one of steps(rule, start, after)) {
    if (one === searchEnded) return { occurrences: found, ended: true }
    if (Temporal.ZonedDateTime.compare(one.zoned, after) <= 0) continue
    if (found.length === count) return { occurrences: found, ended: false }
    found.push(one)
  }
  return { occurrences: found, ended: true }
}

function* steps(...args: Parameters<typeof occurrences>): ReturnType<typeof occurrences> {
  try {
    yield* occurrences(...args)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new ToolError(`rule: ${error.message}`)
  }
}
