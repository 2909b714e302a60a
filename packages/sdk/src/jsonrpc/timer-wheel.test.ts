import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Deadline, deadlineCount, removeDeadline, tickIn, watch } from './timer-wheel.ts'

class Alarm extends Deadline {
  readonly rang: number[] = []

  constructor(ms: number) {
    super()
    this.expiresAt = tickIn(ms)
    watch(this)
  }

  expire(): void {
    this.rang.push(performance.now())
  }
}

beforeEach(() => vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }))
afterEach(() => {
  expect(deadlineCount()).toBe(0)
  expect(vi.getTimerCount()).toBe(0)
  vi.useRealTimers()
})

test('a deadline expires once, after its time and within two ticks', () => {
  const start = performance.now()
  const alarms = [1, 20, 35, 500, 9_999, 10_241, 60_000, 600_000].map((ms) => ({ ms, alarm: new Alarm(ms) }))
  vi.advanceTimersByTime(601_000)
  for (const { ms, alarm } of alarms) {
    expect(alarm.rang).toHaveLength(1)
    expect(alarm.rang[0]! - start).toBeGreaterThanOrEqual(ms)
    expect(alarm.rang[0]! - start).toBeLessThanOrEqual(ms + 40)
  }
})

test('a deadline that is moved later expires later', () => {
  const alarm = new Alarm(100)
  vi.advanceTimersByTime(90)
  alarm.expiresAt = tickIn(100)
  vi.advanceTimersByTime(90)
  expect(alarm.rang).toEqual([])
  vi.advanceTimersByTime(60)
  expect(alarm.rang).toHaveLength(1)
})

test('a deadline that is not watched any more does not expire, and the timer stops with the last one', () => {
  const kept = new Alarm(100)
  const dropped = new Alarm(100)
  removeDeadline(dropped)
  removeDeadline(dropped)
  vi.advanceTimersByTime(200)
  expect(kept.rang).toHaveLength(1)
  expect(dropped.rang).toEqual([])
})

test('deadlines one after the other share a timer, which ends with the first tick that finds none', () => {
  removeDeadline(new Alarm(100))
  expect(vi.getTimerCount()).toBe(1)
  vi.advanceTimersByTime(19)
  const last = new Alarm(100)
  vi.advanceTimersByTime(21)
  removeDeadline(last)
  expect(vi.getTimerCount()).toBe(1)
  vi.advanceTimersByTime(20)
  expect(vi.getTimerCount()).toBe(0)
})

test('deadlines that end each other while expiring do not disturb the rest', () => {
  class Killer extends Alarm {
    victims: Deadline[] = []
    override expire(): void {
      super.expire()
      for (const victim of this.victims) removeDeadline(victim)
    }
  }
  const killer = new Killer(100)
  const others = [new Alarm(200), new Alarm(200), new Alarm(200)]
  killer.victims = [others[0]!, others[1]!]
  vi.advanceTimersByTime(300)
  expect(others.map(({ rang }) => rang.length)).toEqual([0, 0, 1])
})
