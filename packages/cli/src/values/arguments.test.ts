import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { CommandFailure } from '../exit.ts'
import type { Surroundings } from '../terminal/terminal.ts'
import { readArguments } from './arguments.ts'

const cwd = mkdtempSync(join(tmpdir(), 'tenon-arguments-'))
afterAll(() => rmSync(cwd, { recursive: true }))
writeFileSync(join(cwd, 'notes.md'), '# Notes\n')
writeFileSync(join(cwd, 'all.json'), '{"count": 3, "text": "from the file"}')

const surroundings = (stdin = ''): Surroundings =>
  ({ cwd, stdin: new PassThrough().end(stdin), env: {} }) as unknown as Surroundings

const schema = {
  type: 'object',
  properties: {
    text: { type: 'string' },
    count: { type: 'integer' },
    ratio: { type: 'number' },
    on: { type: 'boolean' },
    tags: { type: 'array', items: { type: 'string' } },
    numbers: { type: 'array', items: { $ref: '#/$defs/number' } },
    either: { anyOf: [{ type: 'number' }, { type: 'string' }] },
    maybe: { type: ['number', 'null'] },
    size: { enum: [1, 2, 'large'] },
    place: { type: 'object', properties: { city: { type: 'string' }, zip: { type: 'integer' } } },
    anything: {},
    'dotted.name': { type: 'integer' },
  },
  $defs: { number: { type: 'number' } },
}

const read = (...words: string[]) => readArguments(words, schema, surroundings())

describe('an argument', () => {
  test.each([
    ['text=19', { text: '19' }],
    ['text=', { text: '' }],
    ['text=a=b', { text: 'a=b' }],
    ['count=19', { count: 19 }],
    ['count=many', { count: 'many' }],
    ['ratio=-1.5e3', { ratio: -1500 }],
    ['on=true', { on: true }],
    ['tags=a', { tags: ['a'] }],
    ['tags=["a","b"]', { tags: ['a', 'b'] }],
    ['numbers=5', { numbers: [5] }],
    ['either=5', { either: 5 }],
    ['either=five', { either: 'five' }],
    ['maybe=null', { maybe: null }],
    ['size=2', { size: 2 }],
    ['size=large', { size: 'large' }],
    ['place={"city":"Rome"}', { place: { city: 'Rome' } }],
    ['place.zip=00118', { place: { zip: '00118' } }],
    ['dotted.name=1', { 'dotted.name': 1 }],
    ['anything=[1]', { anything: [1] }],
    ['anything=plain', { anything: 'plain' }],
    ['text:="19"', { text: '19' }],
    ['other:={"a":1}', { other: { a: 1 } }],
    ['text=@notes.md', { text: '# Notes\n' }],
    ['text=@@notes.md', { text: '@notes.md' }],
    ['@all.json', { count: 3, text: 'from the file' }],
    ['{"count": 4}', { count: 4 }],
  ])('%s is %j', async (word, expected) => {
    expect(await read(word)).toEqual(expected)
  })

  test('may come several times for a list, and later ones replace earlier ones otherwise', async () => {
    expect(await read('tags=a', 'tags=b', 'tags=c')).toEqual({ tags: ['a', 'b', 'c'] })
    expect(await read('@all.json', 'text=here', 'place.city=Rome', 'place.zip=1')).toEqual({
      count: 3,
      text: 'here',
      place: { city: 'Rome', zip: 1 },
    })
  })

  test('may come from standard input', async () => {
    expect(await readArguments(['-'], schema, surroundings('{"count": 5}'))).toEqual({ count: 5 })
    expect(await readArguments(['text=@-'], schema, surroundings('typed'))).toEqual({ text: 'typed' })
  })

  test.each([
    ['count:=five', 'count: expected JSON'],
    ['text=@nothing.md', 'Cannot read'],
    ['txt=1', 'The tool has no argument "txt"'],
  ])('%s is refused', async (word, message) => {
    await expect(read(word)).rejects.toThrow(message)
  })

  test('named like a member of every object is only a name', async () => {
    const open = { type: 'object' }
    const args = await readArguments(['__proto__=1', 'constructor:=2', 'toString.x=3'], open, surroundings())
    expect(Object.keys(args).sort()).toEqual(['__proto__', 'constructor', 'toString.x'])
    expect(Object.getPrototypeOf(args)).toBe(Object.prototype)
  })

  test('is read or refused, whatever it is and whatever the schema', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string()), fc.jsonValue(), async (words, property) => {
        // No files here.
        const own = words.filter((word) => !word.includes('@') && word !== '-')
        const hostile = { type: 'object', properties: { a: property, $ref: property } }
        try {
          await readArguments([...own, 'a=1'], hostile as never, surroundings())
        } catch (error) {
          expect(error).toBeInstanceOf(CommandFailure)
        }
      }),
    )
  })
})
