import { expect, test } from 'vitest'
import { splitWords } from './split.ts'

test('words are split as in a shell, and JSON stays whole', () => {
  expect(splitWords('').words).toEqual([])
  expect(splitWords(`call add  a=1 b='two words' c="a \\"b\\"" d\\ e`).words).toEqual([
    'call',
    'add',
    'a=1',
    'b=two words',
    'c=a "b"',
    'd e',
  ])
  const json = '{"a": [1, "} \\" {"], "b": {}}'
  expect(splitWords(`add ${json} x:=${json} rest`).words).toEqual(['add', json, `x:=${json}`, 'rest'])
  expect(splitWords('read note:///{id} id=[x').words.slice(0, 2)).toEqual(['read', 'note:///{id}'])
})

test('what is not closed waits for more', () => {
  expect(splitWords('add {"a": 1,').isOpen).toBe(true)
  expect(splitWords(`echo text='two`).isOpen).toBe(true)
  expect(splitWords('add {"a": 1}').isOpen).toBe(false)
  expect(splitWords("echo text=don't")).toMatchObject({ isOpen: true })
})

test('the last word is where it begins', () => {
  expect(splitWords('add a=').lastAt).toBe(4)
  expect(splitWords('add ').lastAt).toBe(4)
})
