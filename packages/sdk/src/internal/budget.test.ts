import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Budget, type Hold, isUsedUp, keptKinds } from './budget.ts'

const mebibyte = 1024 * 1024

describe('a budget', () => {
  test('has a share for each kind, which make up the whole', () => {
    const { figures } = new Budget(16 * mebibyte)
    expect(Object.keys(figures)).toEqual([...keptKinds])
    expect(Object.values(figures).reduce((sum, { limit }) => sum + limit, 0)).toBe(16 * mebibyte)
  })

  test('refuses what does not fit, and leaves other kinds alone', () => {
    const budget = new Budget(16 * mebibyte)
    expect(budget.take('calls', 2 * mebibyte)).toBeDefined()
    expect(budget.take('calls', 1)).toBeUndefined()
    expect(budget.isFull('calls')).toBe(true)
    expect(budget.take('bodies', 1)).toBeDefined()
    const error = budget.usedUp('calls')
    expect(error).toMatchObject({ code: -32603, data: { reason: 'memory', kind: 'calls', limit: 2 * mebibyte } })
    expect(error.message).toContain('no memory left for calls in progress (the limit is 2097152 bytes)')
    expect(isUsedUp(error.toWire())).toBe(true)
    expect(() => budget.need('calls', 1)).toThrow(error.message)
  })

  test('has everything back, in whatever order holds grow, shrink and are released, also twice', () => {
    const action = fc.record({
      hold: fc.nat(4),
      act: fc.constantFrom('take', 'charge', 'grow', 'resize', 'set', 'release', 'release twice'),
      bytes: fc.nat(300_000),
    })
    fc.assert(
      fc.property(fc.array(action, { maxLength: 60 }), (actions) => {
        const budget = new Budget(mebibyte)
        const holds: (Hold | undefined)[] = []
        const all: Hold[] = []
        for (const { hold, act, bytes } of actions) {
          const held = holds[hold]
          if (act === 'take' || act === 'charge') {
            const made = act === 'take' ? budget.take('tasks', bytes) : budget.charge('tasks', bytes)
            holds[hold] = made
            if (made !== undefined) all.push(made)
          } else if (act === 'grow') held?.grow(bytes)
          else if (act === 'resize') held?.resize(bytes)
          else if (act === 'set') held?.set(bytes)
          else {
            held?.release()
            if (act === 'release twice') held?.release()
          }
          const sum = all.reduce((total, { bytes: own }) => total + own, 0)
          expect(budget.figures.tasks.bytes).toBe(sum)
        }
        for (const hold of all) hold.release()
        expect(budget.figures.tasks.bytes).toBe(0)
      }),
    )
  })
})
