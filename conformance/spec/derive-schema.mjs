// Derives the structure of a published schema: names, types, required members, constants, references, formats and
// limits. Prose is left out. Nothing else is changed, defects of the published file included.
//
//   node conformance/spec/derive-schema.mjs <published schema.json> <revision>
import { readFileSync, writeFileSync } from 'node:fs'
import { argv } from 'node:process'
import { fileURLToPath } from 'node:url'

/** Keywords that hold schemas by name; the names are the protocol's, and `description` may be one of them. */
const named = new Set(['$defs', 'definitions', 'properties', 'patternProperties'])
/** Keywords that hold a schema or a list of schemas. */
const nested = new Set(['items', 'additionalProperties', 'anyOf', 'allOf', 'oneOf', 'not'])
/** Keywords whose values are facts. */
const facts = new Set([
  '$schema',
  '$ref',
  'type',
  'const',
  'enum',
  'required',
  'format',
  'pattern',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
])
/** Keywords for readers. */
const prose = new Set(['title', 'description', 'examples', '$comment'])

/**
 * A schema without its prose. An unlisted keyword is refused: a person has to decide whether it is prose.
 *
 * @param {unknown} schema
 * @param {string} [path] Names the place in errors.
 * @returns {unknown}
 */
export function structureOf(schema, path = '#') {
  if (typeof schema === 'boolean') return schema
  if (!isObject(schema)) throw new TypeError(`${path}: expected a schema, got ${JSON.stringify(schema)}`)
  const kept = Object.entries(schema).filter(([keyword]) => !prose.has(keyword))
  return Object.fromEntries(
    kept.map(([keyword, value]) => [keyword, structureIn(keyword, value, `${path}/${keyword}`)]),
  )
}

function structureIn(keyword, value, path) {
  if (facts.has(keyword)) return value
  if (nested.has(keyword)) {
    return Array.isArray(value)
      ? value.map((one, index) => structureOf(one, `${path}/${index}`))
      : structureOf(value, path)
  }
  if (named.has(keyword)) {
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, structureOf(one, `${path}/${name}`)]))
  }
  throw new TypeError(
    `${path}: expected a keyword that derive-schema.mjs lists as structure or prose, got "${keyword}"`,
  )
}

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * The text of a derived file.
 *
 * @param {string} published The text of a published file, or of a derived one.
 * @returns {string}
 */
export function deriveSchema(published) {
  const text = JSON.stringify(structureOf(JSON.parse(published)), null, 2)
  return `${text.replace(/\[\n\s+([^[\]{}]+?)\n\s+\]/g, (_, list) => `[${list.replace(/,\n\s+/g, ', ')}]`)}\n`
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  const [, , source, revision] = argv
  if (source === undefined || !/^\d{4}-\d\d-\d\d$/.test(revision ?? '')) {
    console.error('Expected: node conformance/spec/derive-schema.mjs <published schema.json> <revision>')
    process.exit(2)
  }
  writeFileSync(new URL(`schema/${revision}.json`, import.meta.url), deriveSchema(readFileSync(source, 'utf8')))
}
