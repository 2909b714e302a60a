import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Breaker } from './breaker.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

test('after failures in a row nothing passes for a while, then one tries, and its outcome decides', () => {
  const states: string[] = []
  const breaker = new Breaker({ failures: 2, restMs: 1_000 }, (state) => states.push(state))
  expect(breaker.wait()).toBe(0)
  breaker.failed()
  expect(breaker.wait()).toBe(0)
  breaker.succeeded()
  breaker.failed()
  breaker.failed()
  expect(breaker.wait()).toBe(1_000)
  vi.advanceTimersByTime(1_000)
  expect([breaker.wait(), breaker.wait()]).toEqual([0, 1_000])
  breaker.failed()
  expect(breaker.wait()).toBe(1_000)
  vi.advanceTimersByTime(1_000)
  expect(breaker.wait()).toBe(0)
  breaker.undecided()
  expect(breaker.wait()).toBe(0)
  breaker.succeeded()
  expect([breaker.wait(), breaker.wait()]).toEqual([0, 0])
  expect(states).toEqual(['failing', 'up', 'failing', 'down', 'up'])
})
