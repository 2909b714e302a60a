import fc from 'fast-check'
import { expect, test } from 'vitest'
import { UsedIds } from './used-ids.ts'

test('an id is good once, and forgotten when it could not be used any more', () => {
  let now = 1_000_000
  const used = new UsedIds({ now: () => now })
  expect(used.add('a', now + 5_000)).toBe(true)
  expect(used.add('a', now + 5_000)).toBe(false)
  expect(used.add('b', now + 5_000)).toBe(true)
  now += 6_001
  expect(used.add('c', now + 5_000)).toBe(true)
  expect(used.size).toBe(1)
})

test('a flood makes no room for a replay', () => {
  const now = 1_000_000
  const used = new UsedIds({ max: 3, now: () => now })
  expect(used.add('mine', now + 60_000)).toBe(true)
  for (let i = 0; i < 100; i++) used.add(`flood ${i}`, now + 300_000 + i * 1_000)
  expect(used.size).toBeLessThanOrEqual(3)
  expect(used.add('mine', now + 60_000)).toBe(false)
})

test('whatever is added in whichever order, nothing is good twice and memory stays bounded', () => {
  const step = fc.record({ id: fc.nat(20), second: fc.integer({ min: 1, max: 30 }), passes: fc.nat(2_000) })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), fc.integer({ min: 1, max: 10 }), (steps, max) => {
      let now = 0
      const used = new UsedIds({ max, now: () => now })
      const good = new Set<string>()
      for (const { id, second, passes } of steps) {
        now += passes
        // An id always has the same end: the signature covers both.
        const name = `${id} ${second}`
        if (second * 1_000 < now) continue
        const accepted = used.add(name, second * 1_000)
        expect(accepted && good.has(name)).toBe(false)
        if (accepted) good.add(name)
        expect(used.size).toBeLessThanOrEqual(max)
      }
    }),
  )
})

test('a clock that is set ahead and back again makes nothing good twice', () => {
  let now = 1_000_000
  const used = new UsedIds({ now: () => now })
  expect(used.add('mine', now + 60_000)).toBe(true)
  now += 3_600_000
  expect(used.add('later', now + 60_000)).toBe(true)
  now -= 3_600_000
  expect(used.add('mine', now + 60_000)).toBe(false)
  expect(used.add('another', now + 61_000)).toBe(true)
})
