import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { type AppNote, withNote } from '../ui/apps/app-notes.ts'

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
    notes = withNote(notes, { method: text, params: { data: [text] }, error: text })
  }
  // 100 notes, each with a method of 200 characters, and 20,000 of its parameters and of its error.
  expect(notes).toHaveLength(100)
  expect(notes[0]!.id).toBe(21)
  const characters = (note: AppNote): number => JSON.stringify(note).length
  expect(Math.max(...notes.map(characters))).toBeLessThan(200 + 2 * 20_000 + 200)
  expect(notes.at(-1)!.params).toMatch(/… \(\d+ characters\)$/)
  // The beginning of a text may hold all of it in memory: these would be 100 MB.
  expect(heapUsed() - before).toBeLessThan(16 * 1024 * 1024)
})
