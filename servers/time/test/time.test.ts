/** Every tool of the time server, with a clock that stands still. */
import { connect } from '@tenon/sdk/client'
import { revisions } from '@tenon/sdk/server'
import { createTimeServer } from '@tenon/server-time'
import { describe, expect, test } from 'vitest'

/** A Tuesday in winter. */
const now = Date.parse('2026-11-17T15:00:00Z')
const open = () => connect(createTimeServer({ localTimezone: 'Europe/Berlin', now: () => now }))

async function call(name: string, args: { [name: string]: unknown } = {}) {
  await using client = await open()
  return await client.callTool(name, args)
}

describe('get_current_time', () => {
  test('answers in a zone, and in that of the user', async () => {
    expect((await call('get_current_time', { timezone: 'Asia/Tokyo' })).structured).toEqual({
      timezone: 'Asia/Tokyo',
      datetime: '2026-11-18T00:00:00+09:00',
      day_of_week: 'Wednesday',
      is_dst: false,
      utc_offset: '+09:00',
    })
    expect(await call('get_current_time')).toMatchObject({
      text: 'Tuesday, 2026-11-17T16:00:00+01:00 in Europe/Berlin',
      structured: { timezone: 'Europe/Berlin' },
    })
  })

  test('takes names in any case, old names and offsets', async () => {
    for (const [given, offset] of [
      ['us/eastern', '-05:00'],
      ['UTC', '+00:00'],
      ['+05:30', '+05:30'],
    ]) {
      expect((await call('get_current_time', { timezone: given })).structured).toMatchObject({ utc_offset: offset })
    }
  })

  test('suggests names for one that does not exist', async () => {
    expect(await call('get_current_time', { timezone: 'York' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('America/New_York'),
    })
    expect(await call('get_current_time', { timezone: 'Nowhere' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('list_timezones'),
    })
  })
})

describe('daylight saving time', () => {
  test.each([
    ['Europe/Berlin', '2026-07-01', true],
    ['Europe/Berlin', '2026-01-01', false],
    ['Australia/Sydney', '2026-01-01', true],
    ['Europe/Dublin', '2026-07-01', true],
    ['Europe/Dublin', '2026-01-01', false],
    // Kazakhstan moved its clocks back for good in March 2024.
    ['Asia/Almaty', '2024-02-01', false],
    ['Asia/Tokyo', '2026-07-01', false],
  ])('in %s on %s: %s', async (zone, date, is_dst) => {
    const args = { source_timezone: zone, time: '12:00', target_timezone: 'UTC', date }
    expect((await call('convert_time', args)).structured).toMatchObject({ source: { is_dst } })
  })
})

describe('convert_time', () => {
  test('converts a time of today', async () => {
    const { structured } = await call('convert_time', {
      source_timezone: 'America/New_York',
      time: '16:30',
      target_timezone: 'Asia/Kathmandu',
    })
    expect(structured).toMatchObject({
      source: { datetime: '2026-11-17T16:30:00-05:00' },
      target: { datetime: '2026-11-18T03:15:00+05:45', day_of_week: 'Wednesday' },
      time_difference: '+10.75h',
    })
  })

  test('converts a time of a date', async () => {
    const args = { source_timezone: 'America/New_York', time: '9:00', target_timezone: 'Europe/London' }
    // Clocks change on different days there.
    expect((await call('convert_time', { ...args, date: '2026-03-20' })).structured).toMatchObject({
      time_difference: '+4.0h',
    })
    expect((await call('convert_time', { ...args, date: '2026-04-20' })).structured).toMatchObject({
      time_difference: '+5.0h',
    })
  })

  const berlin = { source_timezone: 'Europe/Berlin', time: '02:30', target_timezone: 'UTC' }

  test('refuses a time that a clock change skips, with both readings', async () => {
    const gap = { ...berlin, date: '2026-03-29' }
    const { isError, text } = await call('convert_time', gap)
    expect(isError).toBe(true)
    expect(text).toContain('skipped by a clock change')
    expect(text).toContain('"earlier" for 2026-03-29T01:30:00+01:00 or "later" for 2026-03-29T03:30:00+02:00')
    expect((await call('convert_time', { ...gap, disambiguation: 'later' })).structured).toMatchObject({
      source: { datetime: '2026-03-29T03:30:00+02:00' },
      note: expect.stringContaining('does not exist'),
    })
  })

  test('says that a clock change repeats a time', async () => {
    const overlap = { ...berlin, date: '2026-10-25' }
    const first = await call('convert_time', overlap)
    expect(first.structured).toMatchObject({ source: { datetime: '2026-10-25T02:30:00+02:00', is_dst: true } })
    expect(first.text).toContain('happens twice in Europe/Berlin')
    expect(first.text).toContain('the other reading is 2026-10-25T02:30:00+01:00')
    expect((await call('convert_time', { ...overlap, disambiguation: 'later' })).structured).toMatchObject({
      target: { datetime: '2026-10-25T01:30:00+00:00' },
    })
    expect(await call('convert_time', { ...overlap, disambiguation: 'reject' })).toMatchObject({ isError: true })
  })

  test.each([
    ['25:00', undefined],
    ['noon', undefined],
    ['12:00', '2026-02-30'],
    ['12:00', 'tomorrow'],
  ])('refuses %s on %s', async (time, date) => {
    const { isError, text } = await call('convert_time', { ...berlin, time, ...(date && { date }) })
    expect(isError).toBe(true)
    expect(text).toContain(date ?? time)
  })
})

describe('time_difference', () => {
  test('counts on the calendar of the zone and in elapsed time', async () => {
    const { structured, text } = await call('time_difference', { start: '2026-03-28T12:00', end: '2026-03-29T12:00' })
    expect(structured).toMatchObject({ total_seconds: 23 * 3600, duration: 'P1D', calendar_days: 1 })
    expect(text).toContain('1 day.')
  })

  test('takes offsets, zones, dates and now', async () => {
    const args = { start: '2026-11-17T10:00:00-05:00', end: 'now' }
    expect((await call('time_difference', args)).structured).toMatchObject({ total_seconds: 0, duration: 'PT0S' })
    const zones = { start: '2026-11-17T00:00[Asia/Tokyo]', end: '2026-11-17T00:00[America/New_York]' }
    expect((await call('time_difference', zones)).structured).toMatchObject({ total_seconds: 14 * 3600 })
    const back = { start: '2026-11-17', end: '2025-09-16', timezone: 'UTC' }
    expect((await call('time_difference', back)).structured).toMatchObject({
      duration: '-P1Y2M1D',
      calendar_days: -427,
    })
  })

  test('says when a moment was skipped or repeated', async () => {
    const args = { start: '2026-10-25T02:30', end: '2026-10-25T12:00' }
    expect((await call('time_difference', args)).structured).toMatchObject({
      notes: [expect.stringContaining('happens twice')],
    })
    expect(await call('time_difference', { ...args, start: '2026-03-29T02:30' })).toMatchObject({ isError: true })
  })

  test.each(['yesterday', '2026-13-01', '2026-11-17T10:00+03:00[Europe/Berlin]', '2026-01-01T00:00[Mars/Base]'])(
    'refuses %s',
    async (start) => {
      expect(await call('time_difference', { start, end: 'now' })).toMatchObject({ isError: true })
    },
  )
})

describe('time zones', () => {
  test('a zone has its clock changes', async () => {
    expect((await call('get_timezone', { timezone: 'europe/berlin' })).structured).toMatchObject({
      timezone: 'Europe/Berlin',
      utc_offset: '+01:00',
      last_change: { at: '2026-10-25T02:00:00+01:00', offset_before: '+02:00', offset_after: '+01:00' },
      next_change: { at: '2027-03-28T03:00:00+02:00' },
    })
    expect((await call('get_timezone', { timezone: 'UTC' })).text).toContain('No clock change is planned')
  })

  test('are listed in pages', async () => {
    await using client = await open()
    const names: string[] = []
    let offset: number | undefined = 0
    let pages = 0
    while (offset !== undefined) {
      const { structured } = await client.callTool('list_timezones', { offset })
      const page = structured as { timezones: { timezone: string }[]; next_offset?: number }
      names.push(...page.timezones.map(({ timezone }) => timezone))
      offset = page.next_offset
      pages++
    }
    expect(pages).toBeGreaterThan(3)
    expect(new Set(names).size).toBe(names.length)
    expect(names).toContain('Europe/Berlin')
    expect((await call('list_timezones', { query: 'new york' })).structured).toEqual({
      timezones: [{ timezone: 'America/New_York', utc_offset: '-05:00' }],
      total: 1,
    })
    expect((await call('list_timezones', { query: 'zzz' })).text).toContain('No time zone contains')
  })

  test('are resources, with completion', async () => {
    await using client = await open()
    const { values } = await client.complete(
      { type: 'ref/resource', uri: 'timezone:///{+name}' },
      { name: 'name', value: 'berl' },
    )
    expect(values).toEqual(['Europe/Berlin'])
    const { contents } = await client.readResource('timezone:///Europe/Berlin')
    expect(JSON.parse((contents[0] as { text: string }).text)).toMatchObject({
      timezone: 'Europe/Berlin',
      utc_offset: '+01:00',
    })
    await expect(client.readResource('timezone:///Nowhere')).rejects.toThrow(/not found/i)
  })
})

describe('next_occurrences', () => {
  /** Dates and times, without the offset. */
  async function next(rule: string, more: { [name: string]: unknown } = {}) {
    const { structured, isError, text } = await call('next_occurrences', { rule, ...more })
    if (isError) throw new Error(text)
    const { occurrences, ended } = structured as { occurrences: { datetime: string; note?: string }[]; ended: boolean }
    return {
      times: occurrences.map(({ datetime }) => datetime.slice(0, 16)),
      notes: occurrences.map(({ note }) => note),
      ended,
    }
  }
  const at = (start: string) => ({ start, after: '2026-01-01', timezone: 'UTC', count: 3 })

  test.each([
    ['FREQ=DAILY', '2020-05-05T09:00', ['2026-01-01T09:00', '2026-01-02T09:00', '2026-01-03T09:00']],
    ['FREQ=DAILY;INTERVAL=10', '2025-12-30T09:00', ['2026-01-09T09:00', '2026-01-19T09:00', '2026-01-29T09:00']],
    [
      'FREQ=WEEKLY;BYDAY=MO,WE;BYHOUR=9;BYMINUTE=0',
      '2025-01-01',
      ['2026-01-05T09:00', '2026-01-07T09:00', '2026-01-12T09:00'],
    ],
    [
      'FREQ=WEEKLY;INTERVAL=2;BYDAY=SU;WKST=MO',
      '2025-12-30T00:00',
      ['2026-01-04T00:00', '2026-01-18T00:00', '2026-02-01T00:00'],
    ],
    // The example of RFC 5545 for WKST: the same rule, another start of the week.
    [
      'FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU',
      '2026-08-04T09:00',
      ['2026-08-04T09:00', '2026-08-16T09:00', '2026-08-18T09:00'],
    ],
    [
      'FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO',
      '2026-08-04T09:00',
      ['2026-08-04T09:00', '2026-08-09T09:00', '2026-08-18T09:00'],
    ],
    ['FREQ=MONTHLY;BYDAY=-1FR', '2025-01-31T12:00', ['2026-01-30T12:00', '2026-02-27T12:00', '2026-03-27T12:00']],
    ['FREQ=MONTHLY;BYMONTHDAY=-1', '2025-01-31T12:00', ['2026-01-31T12:00', '2026-02-28T12:00', '2026-03-31T12:00']],
    ['FREQ=MONTHLY', '2025-01-31T12:00', ['2026-01-31T12:00', '2026-03-31T12:00', '2026-05-31T12:00']],
    [
      'FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13',
      '2025-01-01T00:00',
      ['2026-02-13T00:00', '2026-03-13T00:00', '2026-11-13T00:00'],
    ],
    [
      'RRULE:FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1',
      '2025-01-01T17:00',
      ['2026-01-30T17:00', '2026-02-27T17:00', '2026-03-31T17:00'],
    ],
    ['FREQ=YEARLY', '2024-02-29T08:00', ['2028-02-29T08:00', '2032-02-29T08:00', '2036-02-29T08:00']],
    [
      'FREQ=YEARLY;BYMONTH=11;BYDAY=4TH',
      '1997-11-27T09:00',
      ['2026-11-26T09:00', '2027-11-25T09:00', '2028-11-23T09:00'],
    ],
    ['FREQ=YEARLY;BYDAY=20MO', '1997-05-19T09:00', ['2026-05-18T09:00', '2027-05-17T09:00', '2028-05-15T09:00']],
    ['FREQ=HOURLY;INTERVAL=5', '2025-12-31T23:00', ['2026-01-01T04:00', '2026-01-01T09:00', '2026-01-01T14:00']],
    [
      'FREQ=MINUTELY;INTERVAL=90;BYMONTH=6',
      '2025-01-01T00:00',
      ['2026-06-01T00:00', '2026-06-01T01:30', '2026-06-01T03:00'],
    ],
  ])('of %s from %s', async (rule, start, times) => {
    expect((await next(rule, at(start))).times).toEqual(times)
  })

  test('end with COUNT, UNTIL, or when there are none', async () => {
    expect(await next('FREQ=DAILY;COUNT=3', { ...at('2025-12-31T09:00'), count: 9 })).toMatchObject({
      times: ['2026-01-01T09:00', '2026-01-02T09:00'],
      ended: true,
    })
    expect(await next('FREQ=DAILY;UNTIL=20260102', at('2025-12-31T09:00'))).toMatchObject({
      times: ['2026-01-01T09:00', '2026-01-02T09:00'],
      ended: true,
    })
    expect(await next('FREQ=DAILY;UNTIL=20260102T090000Z', at('2025-12-31T09:00'))).toMatchObject({
      ended: true,
      times: { length: 2 },
    })
    for (const rule of [
      'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30',
      'FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=30',
      'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30',
      'FREQ=MINUTELY;BYMONTH=2;BYMONTHDAY=30',
    ]) {
      expect(await next(rule), rule).toMatchObject({ times: [], ended: true })
    }
  })

  test('say when a clock change skips or repeats their time', async () => {
    const daily = (after: string) => ({ after, start: '2026-01-01T02:30', count: 2 })
    const spring = await next('FREQ=DAILY', daily('2026-03-28T12:00'))
    expect(spring.times).toEqual(['2026-03-29T03:30', '2026-03-30T02:30'])
    expect(spring.notes).toEqual([expect.stringContaining('does not exist'), undefined])
    const autumn = await next('FREQ=DAILY', daily('2026-10-24T12:00'))
    expect(autumn.notes).toEqual([expect.stringContaining('happens again at 2026-10-25T02:30:00+01:00'), undefined])
  })

  test('begin now if nothing else is given', async () => {
    expect((await next('FREQ=DAILY;BYHOUR=9;BYMINUTE=0', { count: 1 })).times).toEqual(['2026-11-18T09:00'])
  })

  test.each([
    ['DAILY', 'expected NAME=VALUE'],
    ['INTERVAL=2', 'FREQ: expected one of'],
    ['FREQ=SECONDLY', 'FREQ: expected one of'],
    ['FREQ=DAILY;FREQ=DAILY', 'given twice'],
    ['FREQ=YEARLY;BYWEEKNO=20', 'BYWEEKNO: not supported'],
    ['FREQ=DAILY;INTERVAL=0', 'INTERVAL: expected a number from 1'],
    ['FREQ=DAILY;BYHOUR=24', 'BYHOUR: expected a number from 0 to 23'],
    ['FREQ=WEEKLY;BYDAY=1MO', 'needs FREQ=MONTHLY or YEARLY'],
    ['FREQ=DAILY;COUNT=1;UNTIL=20270101', 'expected one of them'],
    ['FREQ=DAILY;UNTIL=tomorrow', 'UNTIL: expected 20261231'],
    ['FREQ=DAILY;__proto__=1', 'expected NAME=VALUE'],
  ])('refuse %s', async (rule, problem) => {
    await expect(next(rule)).rejects.toThrow(problem)
  })
})

describe('the server', () => {
  test.each(revisions)('speaks %s', async (revision) => {
    await using client = await connect(createTimeServer(), { revisions: [revision] })
    expect((await client.callTool('get_current_time', { timezone: 'UTC' })).isError).toBe(false)
  })

  test('tells the truth in its hints: nothing changes anything', async () => {
    await using client = await open()
    const { tools } = await client.listTools()
    for (const { name, title, annotations, outputSchema } of tools) {
      expect(annotations, name).toEqual({
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      })
      expect(title, name).toBeTruthy()
      expect(outputSchema, name).toBeTruthy()
    }
  })

  test('offers a prompt that completes zones', async () => {
    await using client = await open()
    const { values } = await client.complete(
      { type: 'ref/prompt', name: 'plan_meeting' },
      { name: 'zones', value: 'Asia/Tokyo, lond' },
    )
    expect(values).toEqual(['Asia/Tokyo, Europe/London'])
    const { messages } = await client.getPrompt('plan_meeting', { zones: 'Asia/Tokyo' })
    expect(JSON.stringify(messages)).toContain('Asia/Tokyo')
  })
})
