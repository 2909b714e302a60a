import { afterEach, expect, test, vi } from 'vitest'
import { MemorySpentStates } from './spent-states.ts'

afterEach(() => vi.useRealTimers())

test('a state is spent once, unless it is released', () => {
  const spent = new MemorySpentStates()
  const until = Date.now() + 1_000
  expect([spent.spend('a', until), spent.spend('a', until), spent.spend('b', until)]).toEqual([true, false, true])
  spent.release('a')
  expect(spent.spend('a', until)).toBe(true)
})

test('what has expired is forgotten, and never more is kept than allowed', () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] })
  const spent = new MemorySpentStates({ max: 3 })
  for (const id of ['a', 'b', 'c', 'd']) expect(spent.spend(id, Date.now() + 1_000)).toBe(true)
  // Those that made room count as used.
  for (const id of ['a', 'b', 'd']) expect(spent.spend(id, Date.now() + 1_000)).toBe(false)
  vi.advanceTimersByTime(2_000)
  expect(spent.spend('d', Date.now() + 1_000)).toBe(true)
})

test('a clock that is set ahead and back again brings nothing back', () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] })
  const spent = new MemorySpentStates()
  const until = Date.now() + 1_000
  expect(spent.spend('a', until)).toBe(true)
  vi.setSystemTime(Date.now() + 3_600_000)
  spent.spend('b', Date.now() + 1_000)
  vi.setSystemTime(Date.now() - 3_600_000)
  expect(spent.spend('a', until)).toBe(false)
  vi.setSystemTime(Date.now() - 3_600_000)
  vi.advanceTimersByTime(2_000)
  expect(spent.spend('a', until)).toBe(false)
})
