import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonSchema } from '@tenon/sdk/client'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findJsonSchemaSuite, requires } from '../../../../scripts/requires.ts'
import { projectFolder, typeCheck } from '../../test/type-check.ts'
import { corpus } from './corpus.suite.ts'
import { generate } from './generate.ts'
import { literalType } from './literal.ts'
import { Names } from './names.ts'
import { declareTypes } from './schema-types.ts'
import type { ServerFeatures } from './server-features.ts'

const typeOf = (schema: JsonSchema): string => declareTypes('T', schema, new Names(), '').trim()

test('a type takes what its schema takes, and nothing else where TypeScript can say so', async () => {
  const sources = corpus.map(({ schema, takes, refuses }) => {
    const values = takes.map((value, index) => `export const value${index}: T = ${source(value)}`)
    const wrong = refuses.map(
      (value, index) => `// @ts-expect-error: not of the type\nexport const wrong${index}: T = ${source(value)}`,
    )
    return [typeOf(schema), ...values, ...wrong].join('\n')
  })
  const files = Object.fromEntries(sources.map((text, index) => [`corpus-${index}.ts`, text]))
  expect(await typeCheck(projectFolder(), files)).toBe('')
})

const source = (value: unknown): string => JSON.stringify(value)

test('a schema becomes the type that a person would write', () => {
  const types = corpus.map(({ schema }) => typeOf(schema).replace(/^\/\*\*.*\*\/\n/, ''))
  expect(types).toEqual(corpus.map(({ becomes }) => `export type T = ${becomes}`))
})

const ofSuite = requires('json-schema-suite')
test('every schema of the official JSON Schema test suite becomes a type', ofSuite, async () => {
  const schemas = ['draft7', 'draft2020-12'].flatMap((draft) => {
    const folder = join(findJsonSchemaSuite()!, 'tests', draft)
    const files = readdirSync(folder).filter((file) => file.endsWith('.json'))
    return files.flatMap((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as { schema: JsonSchema }[])
  })
  expect(schemas.length).toBeGreaterThan(300)
  const names = new Names()
  const sources = schemas.map(({ schema }, index) =>
    typeof schema === 'object' ? declareTypes(`T${index}`, schema, names, '') : '',
  )
  expect(await typeCheck(projectFolder(), { 'suite.ts': sources.join('\n') })).toBe('')
})

test('a union that the compiler would multiply out is left out of an intersection', async () => {
  const wide = (part: number): JsonSchema => ({
    anyOf: Array.from({ length: 40 }, (_, index) => ({ properties: { [`k${part}`]: { const: index } } })),
  })
  const schema = { allOf: [0, 1, 2, 3].map((part) => ({ $ref: `#/$defs/w${part}` })), $defs: {} as JsonSchema }
  for (const part of [0, 1, 2, 3]) schema.$defs[`w${part}`] = wide(part)
  expect(await typeCheck(projectFolder(), { 'wide.ts': typeOf(schema) })).toBe('')
})

test('a schema without bounds becomes a type with bounds', () => {
  let deep: JsonSchema = {}
  for (let depth = 0; depth < 5_000; depth++) deep = { type: 'array', items: deep }
  expect(typeOf(deep).length).toBeLessThan(1_000)
  const chain = Object.fromEntries(
    Array.from({ length: 5_000 }, (_, index) => [
      `d${index}`,
      { properties: { next: { $ref: `#/$defs/d${index + 1}` } } },
    ]),
  )
  expect(typeOf({ $ref: '#/$defs/d0', $defs: chain }).match(/export type/g)!.length).toBeLessThan(400)
})

// Text that would be code outside of a comment or a string.
const attack = 'globalThis.owned()'
const hostileText = fc.oneof(
  { weight: 3, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }) },
  fc
    .array(
      fc.constantFrom(
        '*/',
        '/*',
        '//',
        "'",
        '"',
        '`',
        '\\',
        '${',
        '}',
        '\n',
        '\r',
        '\u2028',
        '\u2029',
        attack,
        '{',
        '<',
        ';',
      ),
      { maxLength: 8 },
    )
    .map((parts) => parts.join('')),
  fc.constantFrom(
    `*/ ${attack} /*`,
    `'; ${attack}; '`,
    `\\'; ${attack}; //`,
    '@ts-expect-error',
    '@ts-ignore',
    '\n@ts-expect-error\n',
    '@deprecated',
    '/// <reference path="x" />',
    'constructor',
    '__proto__',
    'then',
    'class',
    'Client',
    'Promise',
    '\ud800',
    '',
    '1',
  ),
)

const { schema: anySchema } = fc.letrec<{ schema: unknown }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    fc.constantFrom<unknown>(
      true,
      false,
      {},
      { type: 'string' },
      { $ref: '#' },
      { $ref: '#/$defs/a' },
      { $ref: '#/%zz' },
    ),
    fc.jsonValue({ maxDepth: 2 }),
    fc.record({ enum: fc.array(fc.oneof(hostileText, fc.jsonValue({ maxDepth: 1 })), { maxLength: 4 }) }),
    fc.record({ const: fc.oneof(hostileText, fc.constantFrom(Infinity, -0, 1e-7)) }),
    fc.record(
      {
        type: fc.constantFrom<unknown>('object', 'array', 'string', ['string', 'null'], [], 'junk', 7),
        title: hostileText,
        description: hostileText,
        default: hostileText,
        pattern: hostileText,
        format: hostileText,
        properties: fc.dictionary(hostileText, tie('schema'), { maxKeys: 3, noNullPrototype: true }),
        required: fc.array(hostileText, { maxLength: 2 }),
        additionalProperties: tie('schema'),
        patternProperties: fc.dictionary(hostileText, tie('schema'), { maxKeys: 2, noNullPrototype: true }),
        items: tie('schema'),
        prefixItems: fc.array(tie('schema'), { maxLength: 3 }),
        minItems: fc.nat(3),
        maxItems: fc.nat(3),
        anyOf: fc.array(tie('schema'), { maxLength: 3 }),
        oneOf: fc.array(tie('schema'), { maxLength: 3 }),
        allOf: fc.array(tie('schema'), { maxLength: 3 }),
        $ref: fc.constantFrom('#', '#/$defs/a', '#/$defs/b', '#/$defs/missing', 'https://example.com/x'),
        $defs: fc.record({ a: tie('schema'), b: tie('schema') }),
        nullable: fc.boolean(),
        deprecated: fc.boolean(),
      },
      { requiredKeys: [] },
    ),
  ),
}))

const objectSchema = anySchema.map((schema) =>
  typeof schema === 'object' && schema !== null && !Array.isArray(schema) ? (schema as JsonSchema) : {},
)
const described = { name: hostileText, title: hostileText, description: hostileText }
const anyCatalog = fc.record({
  server: hostileText,
  tools: fc.array(
    fc.record(
      { ...described, inputSchema: objectSchema, outputSchema: objectSchema },
      { requiredKeys: ['name', 'inputSchema'] },
    ),
    { maxLength: 3 },
  ),
  prompts: fc.array(
    fc.record(
      { ...described, arguments: fc.array(fc.record({ ...described, required: fc.boolean() }), { maxLength: 3 }) },
      { requiredKeys: ['name'] },
    ),
    { maxLength: 3 },
  ),
  templates: fc.array(
    fc.record(
      { ...described, uriTemplate: fc.oneof(hostileText, fc.constantFrom('a:///{x}{?y*}', "a:///'{+x}")) },
      { requiredKeys: ['name', 'uriTemplate'] },
    ),
    { maxLength: 3 },
  ),
}) as fc.Arbitrary<ServerFeatures>

test('whatever a server says, its words stay in comments and strings', () => {
  fc.assert(
    fc.property(anyCatalog, (catalog) => {
      const code = generate(catalog).replace(/\/\*[\s\S]*?\*\/|\/\/.*|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/g, '')
      expect(code).not.toMatch(/globalThis\s*\.|['"`]|\/\*|\*\//)
    }),
    { numRuns: 500 },
  )
})

test('whatever a server says, the module type-checks, and is the same the next time', async () => {
  const samples = fc.sample(anyCatalog, { numRuns: 150, seed: 7 })
  const sources = Object.fromEntries(samples.map((catalog, index) => [`sample-${index}.ts`, generate(catalog)]))
  expect(Object.values(sources)).toEqual(samples.map((catalog) => generate(structuredClone(catalog))))
  expect(await typeCheck(projectFolder(), sources)).toBe('')
})

test('a string of the source is the string that it stands for', () => {
  fc.assert(
    fc.property(hostileText, (text) => {
      const inside = literalType(text).slice(1, -1)
      const read = inside.replace(/\\u\{([0-9a-f]+)\}/g, (_, digits) =>
        String.fromCodePoint(Number.parseInt(digits, 16)),
      )
      const json = read
        .replaceAll("\\'", "'")
        .replace(/["\p{Cc}]/gu, (character) => JSON.stringify(character).slice(1, -1))
      expect(JSON.parse(`"${json}"`)).toBe(text)
    }),
  )
})
