import { expect, test } from 'vitest'
import { RequestSlot, RequestSlots } from './request-slots.ts'

const taken = (slot: unknown): RequestSlot => {
  if (!(slot instanceof RequestSlot)) throw new Error(`no slot: ${slot}`)
  return slot
}

test('a slot that is released twice is given back once', () => {
  const slots = new RequestSlots({ max: 3, maxPerCaller: 2 })
  const [first] = [slots.take('ada'), slots.take('ada')].map(taken)
  first!.release()
  first!.release()
  expect(slots.taken).toBe(1)
  expect(slots.take('ada')).toBeInstanceOf(RequestSlot)
  expect(slots.take('ada')).toBe('caller')
})

test('one caller gets its share and no more, and leaves slots to others', () => {
  const slots = new RequestSlots({ max: 3, maxPerCaller: 2 })
  const held = [slots.take('ada'), slots.take('ada')].map(taken)
  expect(slots.take('ada')).toBe('caller')
  expect(slots.take('bob')).toBeInstanceOf(RequestSlot)
  expect(slots.take('eve')).toBe('server')
  for (const slot of held) slot.release()
  expect([slots.take('ada'), slots.take('ada')].map(taken)).toHaveLength(2)
})

test('callers without a name share all slots', () => {
  const slots = new RequestSlots({ max: 3, maxPerCaller: 1 })
  const held = [slots.take(undefined), slots.take(undefined), slots.take(undefined)].map(taken)
  expect(slots.take(undefined)).toBe('server')
  for (const slot of held) slot.release()
  expect(slots.taken).toBe(0)
})

test('waits until the last slot is free', async () => {
  const slots = new RequestSlots({ max: 3, maxPerCaller: 3 })
  const held = [slots.take('ada'), slots.take(undefined)].map(taken)
  let emptied = false
  const waiting = slots.emptied(60_000).then(() => {
    emptied = true
  })
  held[0]!.release()
  await Promise.resolve()
  expect(emptied).toBe(false)
  held[1]!.release()
  await waiting
  await slots.emptied(60_000)
  await slots.emptied(0)
})
