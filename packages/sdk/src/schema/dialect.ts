/** The supported dialects of JSON Schema. */
export type DialectName = '2020-12' | 'draft-07'

/** The vocabularies that a `$vocabulary` can leave out. */
export type Vocabulary = 'core' | 'applicator' | 'unevaluated' | 'validation' | 'format-annotation'

export interface SchemaDialect {
  readonly name: DialectName
  /** All of them, if absent. */
  readonly vocabularies?: ReadonlySet<string>
}

export const dialects: Readonly<Record<DialectName, SchemaDialect>> = {
  '2020-12': { name: '2020-12' },
  'draft-07': { name: 'draft-07' },
}

const metaschemas = new Map<string, DialectName>([
  ['https://json-schema.org/draft/2020-12/schema', '2020-12'],
  ['http://json-schema.org/draft-07/schema', 'draft-07'],
  ['https://json-schema.org/draft-07/schema', 'draft-07'],
])

/** The dialect that a `$schema` names, or nothing. */
export function dialectOf(uri: string): SchemaDialect | undefined {
  const name = metaschemas.get(uri.endsWith('#') ? uri.slice(0, -1) : uri)
  return name && dialects[name]
}

const vocabularyPrefix = 'https://json-schema.org/draft/2020-12/vocab/'
const knownVocabularies = new Set([
  'core',
  'applicator',
  'unevaluated',
  'validation',
  'meta-data',
  'format-annotation',
  'content',
])

/** A dialect that uses only some vocabularies; returns the name of one that is required but unknown. */
export function dialectWith(vocabulary: object, base: SchemaDialect): SchemaDialect | string {
  const vocabularies = new Set<string>()
  for (const [uri, required] of Object.entries(vocabulary)) {
    const name = uri.startsWith(vocabularyPrefix) ? uri.slice(vocabularyPrefix.length) : uri
    if (knownVocabularies.has(name)) vocabularies.add(name)
    else if (required === true) return uri
  }
  return { ...base, vocabularies }
}

/** A keyword holds a schema, a list or map of them, or one of two (`items`, `dependencies` of draft-07). */
export type Holds = 'schema' | 'list' | 'map' | 'schema-or-list' | 'map-or-names'

const common: [string, Holds][] = [
  ['additionalProperties', 'schema'],
  ['contains', 'schema'],
  ['if', 'schema'],
  ['then', 'schema'],
  ['else', 'schema'],
  ['not', 'schema'],
  ['propertyNames', 'schema'],
  ['allOf', 'list'],
  ['anyOf', 'list'],
  ['oneOf', 'list'],
  ['$defs', 'map'],
  ['definitions', 'map'],
  ['patternProperties', 'map'],
  ['properties', 'map'],
]

/** The keywords of each dialect that hold schemas. */
export const schemaKeywords: Readonly<Record<DialectName, ReadonlyMap<string, Holds>>> = {
  '2020-12': new Map<string, Holds>([
    ...common,
    ['items', 'schema'],
    ['unevaluatedItems', 'schema'],
    ['unevaluatedProperties', 'schema'],
    ['contentSchema', 'schema'],
    ['prefixItems', 'list'],
    ['dependentSchemas', 'map'],
    ['dependencies', 'map-or-names'],
  ]),
  'draft-07': new Map<string, Holds>([
    ...common,
    ['items', 'schema-or-list'],
    ['additionalItems', 'schema'],
    ['dependencies', 'map-or-names'],
  ]),
}
