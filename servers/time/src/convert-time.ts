import { type ServerTool, ToolResult, tool } from '@tenon/sdk/server'
import { z } from 'zod'
import { describeMoment, momentSchema, momentText } from './moment.ts'
import { parseDate, parseTime } from './parse-moment.ts'
import { computes, type TimeContext, zoneOf, zoneText } from './time-context.ts'
import { ambiguitySchema, resolveLocal } from './wall-clock.ts'

export const convertTimeTool = (context: TimeContext): ServerTool =>
  tool({
    name: 'convert_time',
    title: 'Convert time',
    description: `Convert time between timezones, today or on a date. A zone that is left out is ${context.localZone()}.`,
    annotations: computes,
    input: z.object({
      source_timezone: zoneText('Source time zone').optional(),
      time: z.string().max(20).describe('Time to convert in 24-hour format (HH:MM)'),
      target_timezone: zoneText('Target time zone').optional(),
      date: z.string().max(20).optional().describe('Date in the source zone (YYYY-MM-DD). Default: today there'),
      disambiguation: ambiguitySchema,
    }),
    output: z.object({
      source: momentSchema,
      target: momentSchema,
      time_difference: z.string().describe('Target minus source, such as +9.0h'),
      note: z.string().optional().describe('A clock change skips or repeats the time'),
    }),
    run({ source_timezone, time, target_timezone, date, disambiguation }) {
      const sourceZone = zoneOf(source_timezone, context)
      const targetZone = zoneOf(target_timezone, context)
      const clock = parseTime(time)
      const day =
        date === undefined ? context.now().toZonedDateTimeISO(sourceZone).toPlainDate() : parseDate(date, 'date')
      const { zoned, note } = resolveLocal(day.toPlainDateTime(clock), sourceZone, disambiguation)
      const converted = zoned.withTimeZone(targetZone)
      const source = describeMoment(zoned)
      const target = describeMoment(converted)
      const time_difference = hoursText((converted.offsetNanoseconds - zoned.offsetNanoseconds) / 3.6e12)
      const lines = [`${momentText(source)} is ${momentText(target)} (${time_difference})`, note ?? []].flat()
      return new ToolResult({
        content: lines.join('\n'),
        structured: { source, target, time_difference, ...(note !== undefined && { note }) },
      })
    },
  })

/** As the original writes it: `+9.0h`, `-3.5h`, `+5.75h`. */
function hoursText(hours: number): string {
  const digits = Math.abs(hours).toFixed(Number.isInteger(hours) ? 1 : 2)
  return `${hours < 0 ? '-' : '+'}${Number.isInteger(hours) ? digits : digits.replace(/0$/, '')}h`
}
