import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { type AppNote, noteTaker, withNote } from '../ui/apps/app-notes.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

function heapUsed(): number {
  collect()
  return process.memoryUsage().heapUsed
}

/** A text of its own, a quarter as long as the longest that leaves the sandbox. */
const long = (at: number): string => JSON.parse(`"${at}${'x'.repeat(1024 * 1024)}"`) as string

test('what a view said is bounded in number, in characters and in memory, however much it says', () => {
  let notes: AppNote[] = []
  const before = heapUsed()
  for (let at = 0; at < 120; at++) {
    const text = long(at)
    notes = withNote(notes, { from: 'view', kind: 'request', method: text, body: { data: [text] } })
  }
  // 100 notes, each with a method of 200 characters, and 20,000 of its parameters.
  expect(notes).toHaveLength(100)
  expect(notes[0]!.id).toBe(21)
  const characters = (note: AppNote): number => JSON.stringify(note).length
  expect(Math.max(...notes.map(characters))).toBeLessThan(200 + 20_000 + 200)
  expect(notes.at(-1)!.body).toMatch(/… \(\d+ characters\)$/)
  // The beginning of a text may hold all of it in memory: these would be 100 MB.
  expect(heapUsed() - before).toBeLessThan(16 * 1024 * 1024)
})

test('an answer has the method of its request, on either side, and anything else is a fault', () => {
  const note = noteTaker()
  const kinds = (
    [
      ['view', { id: 1, method: 'tools/call', params: {} }],
      ['host', { id: 1, method: 'ui/resource-teardown' }],
      ['host', { id: 1, result: {} }],
      ['view', { id: 1, error: { code: 1, message: 'no' } }],
      ['view', { method: 'ui/notifications/size-changed', params: {} }],
      ['view', null],
      ['view', { id: 9, result: {} }],
    ] as const
  ).map(([from, payload]) => {
    const { kind, method } = note({ from, payload: payload as never, at: 0 })
    return `${kind} ${method}`
  })
  expect(kinds).toEqual([
    'request tools/call',
    'request ui/resource-teardown',
    'response tools/call',
    'error ui/resource-teardown',
    'notification ui/notifications/size-changed',
    'fault no message',
    'response ',
  ])
})
