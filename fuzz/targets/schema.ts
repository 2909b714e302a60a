import fc from 'fast-check'
import { Check } from 'typebox/schema'
import { isMcpError } from '../../packages/sdk/src/errors.ts'
import { type CompiledSchema, compileSchema } from '../../packages/sdk/src/schema/validator.ts'
import { mutatedValue } from '../lib/mutate.ts'
import { assert, show, type Target, target } from '../lib/target.ts'

type Schema = { [keyword: string]: unknown } | boolean

const name = fc.constantFrom('a', 'b', 'c', '__proto__')
const bound = fc.integer({ min: 0, max: 3 })
const small = fc.jsonValue({ maxDepth: 1 })

/** Schemas of the keywords with an undisputed meaning. */
const schema: fc.Arbitrary<Schema> = fc.letrec<{ schema: Schema }>((tie) => {
  const below = tie('schema')
  const few = fc.array(below, { minLength: 1, maxLength: 3 })
  const keywords: { [keyword: string]: fc.Arbitrary<unknown> } = {
    type: fc.constantFrom('object', 'array', 'string', 'number', 'integer', 'boolean', 'null', ['string', 'null']),
    properties: fc.dictionary(fc.constantFrom('a', 'b', 'c'), below, { maxKeys: 3 }),
    required: fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { maxLength: 2 }),
    additionalProperties: below,
    patternProperties: fc.dictionary(fc.constantFrom('^a', 'b$', '.'), below, { maxKeys: 2 }),
    propertyNames: below,
    minProperties: bound,
    maxProperties: bound,
    items: below,
    prefixItems: few,
    minItems: bound,
    maxItems: bound,
    uniqueItems: fc.boolean(),
    contains: below,
    enum: fc.array(small, { minLength: 1, maxLength: 3 }),
    const: small,
    minimum: fc.integer({ min: -2, max: 2 }),
    exclusiveMaximum: fc.integer({ min: -2, max: 2 }),
    multipleOf: fc.constantFrom(1, 2, 0.5),
    minLength: bound,
    maxLength: bound,
    pattern: fc.constantFrom('^a', '[0-9]', '^$'),
    allOf: few,
    anyOf: few,
    oneOf: few,
    not: below,
    if: below,
    // biome-ignore lint/suspicious/noThenProperty: the keyword is called so
    then: below,
    else: below,
    dependentRequired: fc.dictionary(fc.constantFrom('a', 'b'), fc.constant(['c']), { maxKeys: 1 }),
  }
  const pairs = fc
    .constantFrom(...Object.keys(keywords))
    .chain((keyword) => keywords[keyword]!.map((of) => [keyword, of] as const))
  return {
    schema: fc.oneof(
      { maxDepth: 3, depthSize: 'small' },
      fc.boolean(),
      fc.array(pairs, { maxLength: 3 }).map((entries) => Object.fromEntries(entries) as Schema),
    ),
  }
}).schema

const instance = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.dictionary(name, fc.jsonValue({ maxDepth: 1 }), { maxKeys: 3 }),
  fc.array(fc.jsonValue({ maxDepth: 1 }), { maxLength: 4 }),
  fc.integer({ min: -3, max: 3 }),
  fc.string({ unit: fc.constantFrom('a', 'b', '1', '😀'), maxLength: 4 }),
)

// Numbers without an exact remainder are disputed, and not the subject here.
const tame = (value: unknown): unknown =>
  typeof value === 'number' ? Math.max(-1_000, Math.min(1_000, Math.round(value * 2) / 2)) || 0 : value
const fresh = <T>(value: T): T => JSON.parse(JSON.stringify(value), (_, one) => tame(one)) as T

export const schemaAgreement: Target = target({
  name: 'schema',
  claim: 'a value is valid here if and only if TypeBox, an independent validator, finds it valid',
  inputs: fc.record({ schema, value: instance }).map(fresh),
  check({ schema, value }) {
    const compiled = compileSchema(schema)
    const valid = compiled.isValid(value)
    assert((compiled.validate(value).length === 0) === valid, 'validate and isValid disagree')
    const theirs = Check(schema as object, value)
    assert(theirs === valid, `here ${valid}, there ${theirs}: ${show(schema)} on ${show(value)}`)
  },
})

const keyword = fc.constantFrom(
  ...['type', 'enum', 'const', 'multipleOf', 'maximum', 'exclusiveMinimum', 'minLength', 'pattern', 'format'],
  ...['items', 'prefixItems', 'contains', 'minContains', 'uniqueItems', 'maxItems', 'unevaluatedItems'],
  ...['properties', 'patternProperties', 'additionalProperties', 'propertyNames', 'required', 'dependentRequired'],
  ...['dependentSchemas', 'unevaluatedProperties', 'allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else'],
  ...['$ref', '$defs', '$id', '$anchor', '$schema', '$dynamicRef', '$dynamicAnchor', 'definitions'],
)
/** Keywords with anything for a value. */
const nonsense = fc.dictionary(keyword, fc.oneof(small, fc.array(small, { maxLength: 2 })), { maxKeys: 3 })

export const anySchema: Target = target({
  name: 'any-schema',
  claim: 'any JSON is compiled as a schema or refused with its place, and what is compiled answers in bounded time',
  inputs: fc.record({
    schema: mutatedValue(fc.oneof(schema, nonsense, fc.constant({ $ref: '#/$defs/a', $defs: { a: { $ref: '#' } } }))),
    value: instance,
  }),
  check({ schema, value }) {
    const started = performance.now()
    const compiled = compiledOrRefused(schema)
    assert(compiled === undefined || !isCircle(schema), 'a schema that is nothing but itself was compiled')
    compiled?.validate(value)
    const ms = performance.now() - started
    assert(ms < 2_000, `took ${ms} ms`)
  },
})

type Definitions = { $ref?: unknown; $id?: unknown; $defs?: { [name: string]: unknown } }
const isDefinitions = (value: unknown): value is Definitions => typeof value === 'object' && value !== null

/** Whether references lead from the root back to their start, without a step into the value. */
function isCircle(root: unknown): boolean {
  const seen = new Set<unknown>()
  for (let at = root; isDefinitions(at) && at.$id === undefined; ) {
    if (seen.has(at)) return true
    seen.add(at)
    const name = /^#(?:\/\$defs\/(\w+))?$/.exec(String(at.$ref))
    if (name === null || !isDefinitions(root)) return false
    at = name[1] === undefined ? root : root.$defs?.[name[1]]
  }
  return false
}

function compiledOrRefused(schema: unknown): CompiledSchema | undefined {
  try {
    return compileSchema(schema as Schema)
  } catch (error) {
    assert(isMcpError(error) && error.code === 'invalid_definition', `threw ${String(error)}`)
    return undefined
  }
}
