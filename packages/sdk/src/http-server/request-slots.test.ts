import { expect, test } from 'vitest'
import { Place, Places } from './request-slots.ts'

const taken = (place: unknown): Place => {
  if (!(place instanceof Place)) throw new Error(`no place: ${place}`)
  return place
}

test('a place that is released twice is given back once', () => {
  const places = new Places({ max: 3, maxPerCaller: 2 })
  const [first] = [places.take('ada'), places.take('ada')].map(taken)
  first!.release()
  first!.release()
  expect(places.taken).toBe(1)
  expect(places.take('ada')).toBeInstanceOf(Place)
  expect(places.take('ada')).toBe('caller')
})

test('one caller gets its share and no more, and leaves places to others', () => {
  const places = new Places({ max: 3, maxPerCaller: 2 })
  const held = [places.take('ada'), places.take('ada')].map(taken)
  expect(places.take('ada')).toBe('caller')
  expect(places.take('bob')).toBeInstanceOf(Place)
  expect(places.take('eve')).toBe('server')
  for (const place of held) place.release()
  expect([places.take('ada'), places.take('ada')].map(taken)).toHaveLength(2)
})

test('callers without a name share all places', () => {
  const places = new Places({ max: 3, maxPerCaller: 1 })
  const held = [places.take(undefined), places.take(undefined), places.take(undefined)].map(taken)
  expect(places.take(undefined)).toBe('server')
  for (const place of held) place.release()
  expect(places.taken).toBe(0)
})

test('waits until the last place is free', async () => {
  const places = new Places({ max: 3, maxPerCaller: 3 })
  const held = [places.take('ada'), places.take(undefined)].map(taken)
  let emptied = false
  const waiting = places.emptied(60_000).then(() => {
    emptied = true
  })
  held[0]!.release()
  await Promise.resolve()
  expect(emptied).toBe(false)
  held[1]!.release()
  await waiting
  await places.emptied(60_000)
  await places.emptied(0)
})
