import type { DialectName, SchemaDialect, Vocabulary } from '../dialect.ts'
import { arrayKeywords, arrayKeywordsOfDraft07, unevaluatedItemsKeyword, uniqueItemsKeyword } from './array.ts'
import type { Keyword } from './keyword.ts'
import { dynamicReferenceKeyword, logicKeywords, referenceKeyword } from './logic.ts'
import {
  dependenciesKeyword,
  dependentRequiredKeyword,
  dependentSchemasKeyword,
  objectKeywords,
  requiredKeyword,
  unevaluatedPropertiesKeyword,
} from './object.ts'
import { formatKeywords, valueKeywords } from './value.ts'

/** A keyword with its place in the order of checks: cheap ones first, `unevaluated…` after everything else. */
interface RankedKeyword {
  readonly name: string
  readonly rank: number
  readonly vocabulary: Vocabulary
  readonly compile: Keyword
}

type Group = [Vocabulary, [string, Keyword][]]

const shared: Group[] = [
  ['validation', valueKeywords],
  ['validation', requiredKeyword],
  ['core', referenceKeyword],
  ['applicator', objectKeywords],
  ['applicator', logicKeywords],
  ['validation', uniqueItemsKeyword],
  ['format-annotation', formatKeywords],
]

const groups: Record<DialectName, Group[]> = {
  '2020-12': [
    ...shared,
    ['core', dynamicReferenceKeyword],
    ['applicator', arrayKeywords],
    ['applicator', dependentSchemasKeyword],
    ['validation', dependentRequiredKeyword],
    // Not part of 2020-12 any more, but allowed to keep its meaning: schemas without `$schema` are often older.
    ['applicator', dependenciesKeyword],
    ['unevaluated', unevaluatedItemsKeyword],
    ['unevaluated', unevaluatedPropertiesKeyword],
  ],
  'draft-07': [...shared, ['applicator', arrayKeywordsOfDraft07], ['applicator', dependenciesKeyword]],
}

const tables = new Map<DialectName, ReadonlyMap<string, RankedKeyword>>()

function tableOf(name: DialectName): ReadonlyMap<string, RankedKeyword> {
  const table = tables.get(name) ?? rank(groups[name])
  tables.set(name, table)
  return table
}

function rank(groups: Group[]): Map<string, RankedKeyword> {
  const flat = groups.flatMap(([vocabulary, keywords]) =>
    keywords.map(([name, compile]) => ({ name, vocabulary, compile })),
  )
  return new Map(flat.map((keyword, index) => [keyword.name, { ...keyword, rank: index }]))
}

/** The keywords of a schema that can refuse a value, in the order of their checks. */
export function keywordsOf(schema: object, { name, vocabularies }: SchemaDialect): RankedKeyword[] {
  const table = tableOf(name)
  // Draft-07 ignores keywords beside a $ref.
  if (name === 'draft-07' && Object.hasOwn(schema, '$ref')) return [table.get('$ref')!]
  const found: RankedKeyword[] = []
  for (const [key, value] of Object.entries(schema)) {
    const keyword = value === undefined ? undefined : table.get(key)
    if (keyword && (!vocabularies || vocabularies.has(keyword.vocabulary))) found.push(keyword)
  }
  return found.sort((one, other) => one.rank - other.rank)
}
