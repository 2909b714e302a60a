import { afterEach, expect, test, vi } from 'vitest'
import { TaskOwners } from './task-owners.ts'

afterEach(() => void vi.useRealTimers())

test('a task has the principals to which it was handed', () => {
  const owners = new TaskOwners()
  owners.add('alice', '1', null)
  expect(['alice', 'bob', '__proto__'].map((principal) => owners.has(principal, '1'))).toEqual([true, false, false])
  expect([undefined, 1, ['1'], '__proto__'].map((id) => owners.has('alice', id))).toEqual([false, false, false, false])
  owners.add('bob', '1', null)
  expect(['alice', 'bob'].map((principal) => owners.has(principal, '1'))).toEqual([true, true])
})

test('a principal with too many loses its own that it used least recently', () => {
  const owners = new TaskOwners({ maxBytesOfOwner: 10_000 })
  owners.add('alice', 'a', null)
  for (let id = 0; id < 1_000; id++) {
    owners.add('bob', `${id}`, null)
    owners.has('bob', '0')
  }
  expect(owners.has('alice', 'a')).toBe(true)
  expect(['0', '1', '999'].map((id) => owners.has('bob', id))).toEqual([true, false, true])
  expect(owners.bytes).toBeLessThan(11_000)
})

test('many principals and long ids stay within the bytes', () => {
  const owners = new TaskOwners({ maxBytes: 100_000 })
  for (let user = 0; user < 1_000; user++) owners.add(`user ${user}`, 'x'.repeat(user), null)
  owners.add('huge', 'x'.repeat(200_000), null)
  expect(owners.bytes).toBeLessThanOrEqual(100_000)
  owners.add('last', 'a', null)
  owners.add('last', 'a', null)
  expect(owners.has('last', 'a')).toBe(true)
})

test('a task is forgotten when it was not used for its time to live', () => {
  vi.useFakeTimers({ toFake: ['performance', 'Date'] })
  const owners = new TaskOwners()
  owners.add('alice', 'short', 7_200_000)
  owners.add('alice', 'endless', null)
  vi.advanceTimersByTime(7_000_000)
  expect(owners.has('alice', 'short')).toBe(true)
  vi.advanceTimersByTime(7_300_000)
  expect(['short', 'endless'].map((id) => owners.has('alice', id))).toEqual([false, true])
})
