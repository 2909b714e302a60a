import { getEventListeners } from 'node:events'
import { expect, test } from 'vitest'
import { onAbort } from './abort.ts'

test('a signal has one listener, however many wait for it, and none when nobody does', () => {
  const stop = new AbortController()
  const { signal } = stop
  const called: number[] = []
  const ends = Array.from({ length: 50 }, (_, index) => onAbort(signal, () => called.push(index)))
  expect(getEventListeners(signal, 'abort')).toHaveLength(1)
  for (const end of ends.slice(2)) end()
  stop.abort()
  expect(called).toEqual([0, 1])
  for (const end of ends) end()
  expect(getEventListeners(signal, 'abort')).toEqual([])
})

test('whoever waits after the others have gone is called too', () => {
  const stop = new AbortController()
  const called: string[] = []
  const end = onAbort(stop.signal, () => called.push('first'))
  end()
  onAbort(stop.signal, () => called.push('second'))
  end()
  stop.abort()
  expect(called).toEqual(['second'])
})
