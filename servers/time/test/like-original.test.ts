/** The original server and ours, side by side. The README lists the differences that this file asserts. */
import { fileURLToPath } from 'node:url'
import { type Client, connect } from '@tenon/sdk/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pythonServer, requires } from '../../../scripts/requires.ts'
import { missingIn } from '../../kit/test/like-original.ts'

const program = fileURLToPath(new URL('../bin/tenon-time.js', import.meta.url))

describe('the original and ours', requires('python-servers'), () => {
  let original: Client
  let ours: Client
  beforeAll(async () => {
    original = await connect({ command: pythonServer('time'), args: ['--local-timezone', 'Europe/Berlin'] })
    ours = await connect({ command: process.execPath, args: [program, '--local-timezone', 'Europe/Berlin'] })
  }, 120_000)
  afterAll(async () => {
    await original?.close()
    await ours?.close()
  })

  test('ours has every tool and parameter', async () => {
    const [theirs, own] = await Promise.all([original.listTools(), ours.listTools()])
    expect(theirs.tools.map(({ name }) => name).sort()).toEqual(['convert_time', 'get_current_time'])
    expect(missingIn(own.tools, theirs.tools)).toEqual([])
  })

  const convert = (source_timezone: string, time: string, target_timezone: string) => ({
    source_timezone,
    time,
    target_timezone,
  })

  test.each([
    convert('America/New_York', '16:30', 'Asia/Tokyo'),
    convert('UTC', '9:05', 'Asia/Kathmandu'),
    convert('Asia/Kolkata', '00:00', 'America/St_Johns'),
    convert('Europe/Berlin', '12:00', 'Europe/Berlin'),
    convert('Australia/Sydney', '23:59', 'Pacific/Auckland'),
    convert('US/Eastern', '07:00', 'Etc/GMT+5'),
  ])('convert_time $source_timezone $time $target_timezone', async (args) => {
    const [theirs, own] = await Promise.all([
      original.callTool('convert_time', args),
      ours.callTool('convert_time', args),
    ])
    expect(own.structured).toMatchObject(theirs.structured as object)
  })

  test('get_current_time', async () => {
    const args = { timezone: 'America/Los_Angeles' }
    const { datetime: theirTime, ...theirs } = (await original.callTool('get_current_time', args)).structured as {
      datetime: string
    }
    const { datetime: ourTime, ...own } = (await ours.callTool('get_current_time', args)).structured as {
      datetime: string
    }
    expect(own).toMatchObject(theirs)
    expect(ourTime.slice(-6)).toBe(theirTime.slice(-6))
    expect(Date.parse(ourTime)).toBeGreaterThanOrEqual(Date.parse(theirTime))
  })

  test.each([
    ['get_current_time', { timezone: 'Nowhere/City' }],
    ['convert_time', convert('UTC', '25:00', 'UTC')],
    ['convert_time', convert('Nowhere/City', '12:00', 'UTC')],
  ])('both refuse %s %o', async (name, args) => {
    for (const server of [original, ours]) expect(await server.callTool(name, args)).toMatchObject({ isError: true })
  })

  test('difference: the original wants exact names, ours takes any case and suggests', async () => {
    expect(await original.callTool('get_current_time', { timezone: 'europe/berlin' })).toMatchObject({ isError: true })
    expect((await ours.callTool('get_current_time', { timezone: 'europe/berlin' })).structured).toMatchObject({
      timezone: 'Europe/Berlin',
    })
  })

  test('difference: only ours converts on another date', async () => {
    const args = { ...convert('Europe/Berlin', '02:30', 'UTC'), date: '2026-10-25' }
    expect((await original.callTool('convert_time', args)).text).not.toContain('2026-10-25')
    expect((await ours.callTool('convert_time', args)).text).toContain('happens twice')
  })
})
