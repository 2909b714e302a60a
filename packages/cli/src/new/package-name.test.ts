import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bareName, betterName, problemOf } from './package-name.ts'

test.each(['notes', 'my-server', '@me/notes', 'a.b_c~d', '7z'])('%s can be published', (name) => {
  expect(problemOf(name)).toBeUndefined()
})

test.each(['', 'My Notes', '.hidden', '_private', 'fs', 'node_modules', '@me/', 'a/b', 'ü', 'x'.repeat(215)])(
  '%j cannot',
  (name) => {
    expect(problemOf(name)).toBeTypeOf('string')
  },
)

test('a better name is one that can be published', () => {
  expect(['My Notes', 'Größe', '.hidden', 'fs'].map(betterName)).toEqual(['my-notes', 'gro-e', 'hidden', 'fs-server'])
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const better = betterName(text)
      if (better !== undefined) expect(problemOf(better)).toBeUndefined()
    }),
  )
})

test('the name without its scope', () => {
  expect(['notes', '@me/notes'].map(bareName)).toEqual(['notes', 'notes'])
})
