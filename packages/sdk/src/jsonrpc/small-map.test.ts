import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SmallMap } from './small-map.ts'

test('holds what a map holds, whatever is put in and taken out', () => {
  const key = fc.oneof(fc.integer({ min: 0, max: 3 }), fc.constantFrom('0', '1', 'a'))
  const step = fc.record({ what: fc.constantFrom('set', 'set', 'delete', 'clear'), key })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const few = new SmallMap<number | string, object>()
      const map = new Map<number | string, object>()
      for (const { what, key } of steps) {
        const value = {}
        if (what === 'set') {
          few.set(key, value)
          map.set(key, value)
        } else if (what === 'delete') expect(few.delete(key)).toBe(map.delete(key))
        else {
          few.clear()
          map.clear()
        }
        expect(few.size).toBe(map.size)
        expect(new Set(few.values())).toEqual(new Set(map.values()))
        for (const each of [0, 1, 2, 3, '0', '1', 'a']) {
          expect(few.get(each)).toBe(map.get(each))
          expect(few.has(each)).toBe(map.has(each))
        }
      }
    }),
    { numRuns: 500 },
  )
})
