import { afterEach, expect, test, vi } from 'vitest'
import { backoffMs } from '../internal/timers.ts'
import { forgetServers, remember, verdictFor } from './verdicts.ts'

const url = new URL('https://example.com/mcp?key=1')

afterEach(() => {
  vi.useRealTimers()
  forgetServers()
})

test('what is known about a server does not depend on the query, and is not known about its neighbours', () => {
  remember(url, { opening: 'initialize' })
  remember(new URL('https://example.com/mcp'), { eventStream: true })
  expect(verdictFor(url)).toEqual({ opening: 'initialize', eventStream: true })
  expect(verdictFor(new URL('https://example.com/other'))).toEqual({})
  expect(verdictFor(new URL('http://example.com/mcp'))).toEqual({})
})

test('it is forgotten on demand, and after an hour', () => {
  vi.useFakeTimers()
  remember(url, { opening: 'initialize' })
  forgetServers('https://example.com/mcp')
  expect(verdictFor(url)).toEqual({})
  remember(url, { opening: 'initialize' })
  vi.advanceTimersByTime(60 * 60 * 1_000 + 1)
  expect(verdictFor(url)).toEqual({})
})

test('a host with endless paths does not fill the memory', () => {
  for (let i = 0; i < 2_000; i++) remember(new URL(`https://example.com/${i}`), { opening: 'initialize' })
  expect(verdictFor(new URL('https://example.com/0'))).toEqual({})
  expect(verdictFor(new URL('https://example.com/1999'))).toEqual({ opening: 'initialize' })
})

test('pauses double up to their limit, and differ', () => {
  for (let attempt = 1; attempt < 100; attempt++) {
    const whole = Math.min(30_000, 1_000 * 2 ** (attempt - 1))
    const pause = backoffMs(attempt, 1_000, 30_000)
    expect(pause).toBeGreaterThanOrEqual(whole / 2)
    expect(pause).toBeLessThanOrEqual(whole)
  }
  expect(new Set(Array.from({ length: 20 }, () => backoffMs(5, 1_000, 30_000))).size).toBeGreaterThan(1)
})
