import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cloneJson } from './clone.ts'

const throughText = (value: unknown): unknown => {
  const text: string | undefined = JSON.stringify(value)
  return text === undefined ? undefined : JSON.parse(text)
}

describe('cloneJson', () => {
  test('copies any value as a trip through JSON text would', () => {
    const anything = fc.anything({
      withDate: true,
      withMap: true,
      withNullPrototype: true,
      withSparseArray: true,
      withTypedArray: true,
      withBoxedValues: true,
    })
    fc.assert(
      fc.property(anything, (value) => {
        expect(cloneJson(value, 64)).toStrictEqual({ value: throughText(value) })
      }),
      { numRuns: 2000 },
    )
  })

  test('keeps a member named __proto__ a member', () => {
    const value = JSON.parse('{"__proto__":{"admin":true},"constructor":1,"toJSON":2}')
    const copy = cloneJson(value, 64)!.value as object
    expect(JSON.stringify(copy)).toBe('{"__proto__":{"admin":true},"constructor":1,"toJSON":2}')
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype)
  })

  test('takes no members from a prototype that somebody changed', () => {
    Object.assign(Object.prototype, { admin: true })
    try {
      expect(Object.keys(cloneJson({ a: { b: 1 } }, 64)!.value as object)).toEqual(['a'])
    } finally {
      Reflect.deleteProperty(Object.prototype, 'admin')
    }
  })

  test('shares nothing with the original', () => {
    const value = { list: [{ a: 1 }] }
    const copy = cloneJson(value, 64)!.value as typeof value
    expect(copy).not.toBe(value)
    expect(copy.list).not.toBe(value.list)
    expect(copy.list[0]).not.toBe(value.list[0])
  })

  test('stops at the depth limit, also behind toJSON', () => {
    expect(cloneJson([[[]]], 3)).toEqual({ value: [[[]]] })
    expect(cloneJson([[[]]], 2)).toBeUndefined()
    expect(cloneJson({ toJSON: () => [[[]]] }, 2)).toBeUndefined()
  })

  test('throws what JSON.stringify throws', () => {
    const cycle: unknown[] = []
    cycle.push(cycle)
    for (const value of [cycle, 1n, { deep: [1n] }]) {
      expect(() => cloneJson(value, 64)).toThrow(TypeError)
    }
  })
})
