import type { JsonSchema } from '../model/tools.ts'

/**
 * The metaschemas that the official suite refers to but does not contain: one table of the kind of value of each
 * keyword, put together for each dialect.
 */
type Kind =
  | 'schema'
  | 'schemas'
  | 'schemaMap'
  | 'count'
  | 'number'
  | 'positive'
  | 'string'
  | 'strings'
  | 'boolean'
  | 'any'

interface Words {
  [keyword: string]: Kind | JsonSchema
}

const typeNames = { enum: ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'] }
const oneOrMoreTypes = { anyOf: [typeNames, { type: 'array', items: typeNames, minItems: 1, uniqueItems: true }] }
const named = (value: JsonSchema): JsonSchema => ({ type: 'object', additionalProperties: value })
const listed = (value: JsonSchema, more: JsonSchema = {}): JsonSchema => ({ type: 'array', items: value, ...more })

function taken(kind: Kind | JsonSchema, self: JsonSchema): JsonSchema {
  switch (kind) {
    case 'schema':
      return self
    case 'schemas':
      return listed(self, { minItems: 1 })
    case 'schemaMap':
      return named(self)
    case 'count':
      return { type: 'integer', minimum: 0 }
    case 'positive':
      return { type: 'number', exclusiveMinimum: 0 }
    case 'strings':
      return listed({ type: 'string' }, { uniqueItems: true })
    case 'number':
    case 'string':
    case 'boolean':
      return { type: kind }
    case 'any':
      return {}
    default:
      return kind
  }
}

const properties = (words: Words, self: JsonSchema): JsonSchema =>
  Object.fromEntries(Object.entries(words).map(([keyword, kind]) => [keyword, taken(kind, self)]))

const logic: Words = {
  allOf: 'schemas',
  anyOf: 'schemas',
  oneOf: 'schemas',
  not: 'schema',
  if: 'schema',
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
  then: 'schema',
  else: 'schema',
}

const objects: Words = {
  properties: 'schemaMap',
  patternProperties: 'schemaMap',
  additionalProperties: 'schema',
  propertyNames: 'schema',
}

const values: Words = {
  type: oneOrMoreTypes,
  const: 'any',
  enum: { type: 'array' },
  multipleOf: 'positive',
  maximum: 'number',
  exclusiveMaximum: 'number',
  minimum: 'number',
  exclusiveMinimum: 'number',
  maxLength: 'count',
  minLength: 'count',
  pattern: 'string',
  maxItems: 'count',
  minItems: 'count',
  uniqueItems: 'boolean',
  maxProperties: 'count',
  minProperties: 'count',
  required: 'strings',
}

const notes: Words = {
  title: 'string',
  description: 'string',
  default: 'any',
  readOnly: 'boolean',
  writeOnly: 'boolean',
  examples: { type: 'array' },
}
const content: Words = { contentEncoding: 'string', contentMediaType: 'string' }

const base = 'https://json-schema.org/draft/2020-12/'
const self: JsonSchema = { $dynamicRef: '#meta' }

const anchor: JsonSchema = { type: 'string', pattern: '^[A-Za-z_][-A-Za-z0-9._]*$' }

const vocabularies: { [name: string]: Words } = {
  core: {
    $id: { type: 'string', pattern: '^[^#]*#?$' },
    $schema: 'string',
    $ref: 'string',
    $anchor: anchor,
    $dynamicRef: 'string',
    $dynamicAnchor: anchor,
    $vocabulary: named({ type: 'boolean' }),
    $comment: 'string',
    $defs: 'schemaMap',
  },
  applicator: {
    ...logic,
    ...objects,
    prefixItems: 'schemas',
    items: 'schema',
    contains: 'schema',
    dependentSchemas: 'schemaMap',
  },
  unevaluated: { unevaluatedItems: 'schema', unevaluatedProperties: 'schema' },
  validation: {
    ...values,
    maxContains: 'count',
    minContains: 'count',
    dependentRequired: named(taken('strings', self)),
  },
  'meta-data': { ...notes, deprecated: 'boolean' },
  'format-annotation': { format: 'string' },
  content: { ...content, contentSchema: 'schema' },
}

const vocabulary = (path: string): JsonSchema => ({ [`${base}vocab/${path}`]: true })

function vocabularyDocument(name: string, words: Words): [string, JsonSchema] {
  const $id = `${base}meta/${name}`
  const meta = { $id, $schema: `${base}schema`, $vocabulary: vocabulary(name), $dynamicAnchor: 'meta' }
  return [$id, { ...meta, type: ['object', 'boolean'], properties: properties(words, self) }]
}

const names = Object.keys(vocabularies)
const newest: JsonSchema = {
  $id: `${base}schema`,
  $schema: `${base}schema`,
  $vocabulary: Object.assign({}, ...names.map(vocabulary)) as JsonSchema,
  $dynamicAnchor: 'meta',
  type: ['object', 'boolean'],
  allOf: names.map((name) => ({ $ref: `meta/${name}` })),
}

const draft07Id = 'http://json-schema.org/draft-07/schema#'
const root: JsonSchema = { $ref: '#' }
const draft07: JsonSchema = {
  $id: draft07Id,
  $schema: draft07Id,
  type: ['object', 'boolean'],
  properties: properties(
    {
      ...logic,
      ...objects,
      ...values,
      ...notes,
      ...content,
      $id: 'string',
      $schema: 'string',
      $ref: 'string',
      $comment: 'string',
      definitions: 'schemaMap',
      items: { anyOf: [root, taken('schemas', root)] },
      additionalItems: 'schema',
      contains: 'schema',
      dependencies: named({ anyOf: [root, taken('strings', root)] }),
      format: 'string',
    },
    root,
  ),
}

/** All documents, by the URI that the suite uses. */
export const metaschemas: ReadonlyMap<string, JsonSchema> = new Map([
  [`${base}schema`, newest],
  ...Object.entries(vocabularies).map(([name, words]) => vocabularyDocument(name, words)),
  ['http://json-schema.org/draft-07/schema', draft07],
])
