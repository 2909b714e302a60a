import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { RpcError } from '../../errors.ts'
import { decodeCursor, encodeCursor, paginate } from './pagination.ts'

const key = (item: string): string => item
const uniqueKeys = fc.uniqueArray(fc.string({ unit: 'grapheme' }), { maxLength: 60 })

function walk(items: string[], pageSize: number): string[] {
  const seen: string[] = []
  let cursor: string | undefined
  do {
    const page = paginate(items, key, pageSize, cursor)
    seen.push(...page.items)
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return seen
}

describe('paginate', () => {
  test('every item comes once, in order, whatever the page size', () => {
    fc.assert(
      fc.property(uniqueKeys, fc.integer({ min: 1, max: 70 }), (items, size) => {
        expect(walk(items, size)).toEqual(items)
      }),
    )
  })

  test('the last page has no cursor, even if it is full', () => {
    expect(paginate(['a', 'b'], key, 2)).toEqual({ items: ['a', 'b'] })
  })

  test('continues after the item it stopped at, although others came before it meanwhile', () => {
    const { nextCursor } = paginate(['a', 'b', 'c', 'd'], key, 2)
    expect(paginate(['new', 'a', 'b', 'c', 'd'], key, 2, nextCursor).items).toEqual(['c', 'd'])
  })

  test('continues where the item was if it is gone', () => {
    const { nextCursor } = paginate(['a', 'b', 'c', 'd'], key, 2)
    expect(paginate(['a', 'c', 'd'], key, 2, nextCursor).items).toEqual(['c', 'd'])
  })

  test('a cursor for a list that has shrunk ends it', () => {
    expect(paginate(['a'], key, 2, encodeCursor({ key: 'z', index: 9 }))).toEqual({ items: [] })
  })
})

describe('cursors', () => {
  test('carry any key and position, without memory on this side', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(), (name, index) => {
        const cursor = encodeCursor({ key: name, index })
        expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/)
        expect(decodeCursor(cursor)).toEqual({ key: name, index })
      }),
    )
  })

  test('that are not ours are refused with -32602, whatever they are', () => {
    fc.assert(
      fc.property(fc.string(), (cursor) => {
        try {
          const { key: name, index } = decodeCursor(cursor)
          expect(typeof name).toBe('string')
          expect(index).toBeGreaterThanOrEqual(0)
        } catch (error) {
          expect(error).toBeInstanceOf(RpcError)
          expect((error as RpcError).code).toBe(-32602)
        }
      }),
    )
  })

  test.each(['', '[1,"a"]', btoa('[-1,"a"]'), btoa('[1]'), btoa('{"0":1}'), btoa('null'), btoa('[1.5,"a"]')])(
    '%j is refused',
    (cursor) => expect(() => decodeCursor(cursor)).toThrow('Invalid cursor'),
  )
})
