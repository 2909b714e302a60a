import { resourceTemplate, type ServerResourceTemplate, type ServerTool, ToolResult, tool } from '@tenon/sdk/server'
import type { Temporal } from 'temporal-polyfill'
import { z } from 'zod'
import { isDaylightTime, isoText } from './moment.ts'
import { computes, type TimeContext, zoneOf, zoneText } from './time-context.ts'
import { tryZone, zoneDataRelease, zonesLike } from './zones.ts'

const changeSchema = z.object({
  at: z.string().describe('The first moment after the change'),
  offset_before: z.string(),
  offset_after: z.string(),
})

const zoneSchema = z.object({
  timezone: z.string(),
  datetime: z.string(),
  utc_offset: z.string(),
  is_dst: z.boolean(),
  last_change: changeSchema.optional().describe('The last clock change'),
  next_change: changeSchema.optional().describe('The next clock change, if one is planned'),
  data: z.string().describe('Release of the IANA time zone data'),
})

export const getTimezoneTool = (context: TimeContext): ServerTool =>
  tool({
    name: 'get_timezone',
    title: 'Time zone',
    description: 'The offset of a time zone, and its last and next clock change.',
    annotations: computes,
    input: z.object({ timezone: zoneText('Time zone').optional() }),
    output: zoneSchema,
    run({ timezone }) {
      const zone = describeZone(context.now().toZonedDateTimeISO(zoneOf(timezone, context)))
      const next = zone.next_change
      const content = [
        `${zone.timezone} is at UTC${zone.utc_offset}${zone.is_dst ? ' (daylight saving time)' : ''}; its time is ${zone.datetime}.`,
        next === undefined
          ? 'No clock change is planned.'
          : `Next clock change: ${next.at}, from UTC${next.offset_before} to UTC${next.offset_after}.`,
      ]
      return new ToolResult({ content: content.join('\n'), structured: zone })
    },
  })

const pageSize = 100

export const listTimezonesTool = (context: TimeContext): ServerTool =>
  tool({
    name: 'list_timezones',
    title: 'Find time zones',
    description: `The IANA time zones whose name contains a text, ${pageSize} at a time.`,
    annotations: computes,
    input: z.object({
      query: z.string().max(100).default('').describe('Part of a name, such as "berlin" or "america/"'),
      offset: z.int().min(0).default(0).describe('Number of zones to skip: next_offset of the page before'),
    }),
    output: z.object({
      timezones: z.array(z.object({ timezone: z.string(), utc_offset: z.string() })),
      total: z.int(),
      next_offset: z.int().optional(),
    }),
    run({ query, offset }) {
      const names = zonesLike(query)
      const now = context.now()
      const timezones = names
        .slice(offset, offset + pageSize)
        .map((name) => ({ timezone: name, utc_offset: now.toZonedDateTimeISO(name).offset }))
      const next = offset + timezones.length
      const lines = timezones.map(({ timezone, utc_offset }) => `${timezone} ${utc_offset}`)
      if (next < names.length) lines.push(`${names.length - next} more: call again with offset ${next}.`)
      if (names.length === 0) lines.push(`No time zone contains ${JSON.stringify(query)}. Try the nearest large city.`)
      return new ToolResult({
        content: lines.join('\n'),
        structured: { timezones, total: names.length, ...(next < names.length && { next_offset: next }) },
      })
    },
  })

export const timezoneResource = (context: TimeContext): ServerResourceTemplate =>
  resourceTemplate({
    uriTemplate: 'timezone:///{+name}',
    name: 'timezone',
    title: 'Time zone',
    description: 'The offset of a time zone, and its last and next clock change',
    mimeType: 'application/json',
    complete: { name: zonesLike },
    read({ variables: { name } }) {
      const zone = name.length > 100 ? undefined : tryZone(name)
      return zone && JSON.stringify(describeZone(context.now().toZonedDateTimeISO(zone)))
    },
  })

function describeZone(now: Temporal.ZonedDateTime): z.infer<typeof zoneSchema> {
  const last = now.getTimeZoneTransition('previous')
  const next = now.getTimeZoneTransition('next')
  return {
    timezone: now.timeZoneId,
    datetime: isoText(now),
    utc_offset: now.offset,
    is_dst: isDaylightTime(now),
    ...(last && { last_change: describeChange(last) }),
    ...(next && { next_change: describeChange(next) }),
    data: zoneDataRelease,
  }
}

const describeChange = (at: Temporal.ZonedDateTime): z.infer<typeof changeSchema> => ({
  at: isoText(at),
  offset_before: at.subtract({ nanoseconds: 1 }).offset,
  offset_after: at.offset,
})
