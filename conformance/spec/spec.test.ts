import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { revisions } from '../../packages/sdk/src/model/revision.ts'
import { definitionsOf } from '../../packages/sdk/test/wire-schema.ts'
import { deriveSchema, structureOf } from './derive-schema.mjs'
import { listIn, readSchema, readTable } from './tables.ts'

const textOf = (file: string): string => readFileSync(new URL(file, import.meta.url), 'utf8')
const known = new Set<string>(revisions)
const inOrder = (names: readonly string[]): boolean => [...names].sort().join() === names.join()

describe('the table of requirements', () => {
  const rows = readTable('requirements')
  const wrong = (isRight: (row: (typeof rows)[number]) => boolean): string[] =>
    rows.filter((row) => !isRight(row)).map(({ id }) => id)

  test('has each id once, of the form that citations have', () => {
    const ids = rows.map(({ id }) => id)
    expect(ids.length).toBeGreaterThanOrEqual(1_373)
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
    expect(wrong(({ id }) => /^[a-z0-9]+(?:-[a-z0-9]+)*(?:\.[a-z0-9-]+)+$/.test(id))).toEqual([])
  })

  test('says level, role, revisions and whether software can show it', () => {
    const levels = ['must', 'must-not', 'should', 'should-not', 'may']
    const roles = ['client', 'server', 'both', 'host', 'authorization-server']
    expect(wrong(({ level }) => levels.includes(level))).toEqual([])
    expect(wrong(({ role }) => roles.includes(role))).toEqual([])
    expect(wrong(({ testable }) => testable === 'yes' || testable === 'no')).toEqual([])
    expect(
      wrong((row) => {
        const named = listIn(row.revisions)
        return named.length > 0 && named.every((one) => known.has(one)) && inOrder(named)
      }),
    ).toEqual([])
  })

  test('has a sentence and a page for each', () => {
    expect(wrong(({ says }) => /^\S+( \S+){2,}[.)"]$/.test(says))).toEqual([])
    expect(wrong(({ source }) => /^[\w:./-]+(#[\w-]+)?$/.test(source))).toEqual([])
    expect(wrong(({ note }) => note === '' || /\.$/.test(note))).toEqual([])
  })
})

describe('the table of methods', () => {
  const rows = readTable('methods')

  test('has each method once in a revision', () => {
    const places = rows.flatMap(({ method, extension, revisions }) =>
      listIn(revisions).map((revision) => `${extension} ${method} ${revision}`),
    )
    expect(places.filter((place, index) => places.indexOf(place) !== index)).toEqual([])
    expect(rows.filter(({ revisions }) => !listIn(revisions).every((one) => known.has(one)))).toEqual([])
  })

  test('says what each is, and who sends it', () => {
    for (const { method, kind, sender, carrier, paramsRequired, results } of rows) {
      expect(['request', 'notification'], method).toContain(kind)
      expect(['json-rpc', 'input-request'], method).toContain(carrier)
      expect(['yes', 'no'], method).toContain(paramsRequired)
      expect(listIn(results).length > 0, method).toBe(kind === 'request')
      for (const one of listIn(sender)) expect(['client', 'server', 'view', 'host', 'sandbox'], method).toContain(one)
    }
  })

  test('names types that the schema of its revision has', () => {
    const missing = rows
      .filter(({ extension }) => extension === '')
      .flatMap(({ revisions, message, results }) =>
        listIn(revisions).flatMap((revision) =>
          [message, ...listIn(results)].filter((type) => !(type in definitionsOf(revision as never))),
        ),
      )
    expect(missing).toEqual([])
  })
})

describe('the schemas', () => {
  const files = readdirSync(new URL('schema/', import.meta.url))

  test('are there for each revision', () => {
    expect(files.sort()).toEqual(revisions.map((revision) => `${revision}.json`).sort())
  })

  test.each(files)('%s is what the script writes, and deriving it again changes nothing', (file) => {
    const text = textOf(`schema/${file}`)
    expect(deriveSchema(text)).toBe(text)
  })

  test.each(revisions)('%s has no prose', (revision) => {
    const strings = [...stringsIn(readSchema(revision))]
    expect(strings.length).toBeGreaterThan(1_000)
    expect(strings.filter((text) => /\s/.test(text))).toEqual([])
  })
})

describe('a derived schema', () => {
  test('has the structure of what was published, and not its prose', () => {
    const published = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $comment: 'Made by a generator',
      title: 'All of it',
      $defs: {
        Note: {
          description: 'Says something in words',
          examples: [{ title: 'One of them' }],
          type: 'object',
          properties: {
            // Members may have the names of keywords.
            description: { type: 'string', description: 'Words about words', maxLength: 5 },
            title: { $ref: '#/$defs/Title', title: 'A title' },
            enum: { enum: ['a', 'b'] },
          },
          required: ['title', 'description'],
          additionalProperties: {
            anyOf: [{ const: 1, description: 'The one and only' }, { type: ['string', 'null'] }],
          },
        },
        Title: { type: 'string', format: 'uri' },
        Anything: { items: true, additionalProperties: false },
      },
    }
    expect(structureOf(published)).toEqual({
      $schema: published.$schema,
      $defs: {
        Note: {
          type: 'object',
          properties: {
            description: { type: 'string', maxLength: 5 },
            title: { $ref: '#/$defs/Title' },
            enum: { enum: ['a', 'b'] },
          },
          required: ['title', 'description'],
          additionalProperties: { anyOf: [{ const: 1 }, { type: ['string', 'null'] }] },
        },
        Title: published.$defs.Title,
        Anything: published.$defs.Anything,
      },
    })
  })

  test('is refused where a keyword is neither known as structure nor as prose', () => {
    expect(() => structureOf({ properties: { a: { markdownDescription: 'Some words here' } } })).toThrow(
      '#/properties/a/markdownDescription: expected a keyword that derive-schema.mjs lists as structure or prose, got "markdownDescription"',
    )
    expect(() => structureOf({ items: [1] })).toThrow('#/items/0: expected a schema, got 1')
  })

  test('is written by a command that says how it is called', () => {
    const command = fileURLToPath(new URL('derive-schema.mjs', import.meta.url))
    const { status, stderr } = spawnSync(process.execPath, [command, 'schema.json', 'draft'], { encoding: 'utf8' })
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: 'Expected: node conformance/spec/derive-schema.mjs <published schema.json> <revision>\n',
    })
  })
})

/** Every string, names of members included. */
function* stringsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value
  if (typeof value !== 'object' || value === null) return
  for (const [name, member] of Object.entries(value)) {
    yield name
    yield* stringsIn(member)
  }
}
