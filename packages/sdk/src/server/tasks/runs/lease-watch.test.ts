import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { TaskRecord } from '../store/task-store.ts'
import { LeaseWatch } from './lease-watch.ts'

beforeEach(() => vi.useFakeTimers({ toFake: ['Date', 'performance'] }))
afterEach(() => vi.useRealTimers())

const leaseMs = 30_000
const record = (lease: TaskRecord['lease'], status = 'working'): TaskRecord =>
  ({ id: 'a', owner: 'local', status, lease }) as TaskRecord
const lease = (): NonNullable<TaskRecord['lease']> => ({ by: 'other', until: Date.now() + leaseMs })

test('a lease is over when its date has passed, and a task that does not run needs none', () => {
  const leases = new LeaseWatch(leaseMs)
  const held = record(lease())
  expect(leases.isOrphan(held)).toBe(false)
  vi.advanceTimersByTime(leaseMs + 1)
  expect(leases.isOrphan(held)).toBe(true)
  expect(leases.isOrphan(record(undefined))).toBe(true)
  expect(leases.isOrphan(record(undefined, 'completed'))).toBe(false)
})

test('a lease of a process that died is over in time, also if the wall clock was set back', () => {
  const leases = new LeaseWatch(leaseMs)
  const held = record(lease())
  vi.setSystemTime(Date.now() - 3_600_000)
  expect(leases.isOrphan(held)).toBe(false)
  expect(leases.leftMs(held)).toBe(leaseMs)
  vi.advanceTimersByTime(leaseMs)
  expect(leases.isOrphan(held)).toBe(true)
})

test('a lease that is renewed goes on, whatever its date says', () => {
  const leases = new LeaseWatch(leaseMs)
  let held = record(lease())
  vi.setSystemTime(Date.now() - 3_600_000)
  for (let round = 0; round < 10; round++) {
    expect(leases.isOrphan(held)).toBe(false)
    vi.advanceTimersByTime(leaseMs / 3)
    held = record(lease())
  }
})
