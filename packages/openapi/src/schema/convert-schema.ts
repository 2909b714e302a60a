import type { JsonSchema } from '@tenon/sdk/server'
import type { ApiDocument } from '../document/api-document.ts'
import { isObject, type JsonObject } from '../document/json.ts'
import { OpenApiError, step } from '../document/openapi-error.ts'
import { loosen } from './loosen.ts'
import { toJsonSchema } from './to-json-schema.ts'

/** `input`: the caller writes it. `output`: the service answers with it, and services often differ from their documents. */
type Direction = 'input' | 'output'

const maxDepth = 64

const single = new Set(
  'items additionalProperties not if then else contains propertyNames unevaluatedItems unevaluatedProperties contentSchema'.split(
    ' ',
  ),
)
const lists = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems'])
const maps = new Set(['properties', 'patternProperties', 'dependentSchemas'])
/** Words that mean nothing outside of an OpenAPI document, or that would name places in it. */
const dropped = new Set(
  'discriminator xml externalDocs example nullable readOnly writeOnly $id $schema $anchor $dynamicAnchor $dynamicRef $comment $defs definitions'.split(
    ' ',
  ),
)

/** Makes the schemas of one tool. What they refer to becomes `$defs`, so that schemas may contain themselves. */
export class SchemaConverter {
  readonly #document: ApiDocument
  readonly #direction: Direction
  readonly #names = new Map<string, string>()
  readonly #definitions = new Map<string, JsonSchema | boolean>()

  constructor(document: ApiDocument, direction: Direction) {
    this.#document = document
    this.#direction = direction
  }

  /** The definitions that everything converted so far refers to. */
  get definitions(): { [name: string]: JsonSchema | boolean } {
    return Object.fromEntries(this.#definitions)
  }

  convert(schema: unknown, pointer: string, depth = 0): JsonSchema | boolean {
    if (typeof schema === 'boolean') return schema
    if (!isObject(schema)) return {}
    if (depth > maxDepth) throw new OpenApiError(pointer, `the schema is nested deeper than ${maxDepth} levels`)
    const { $ref: reference } = schema
    const others = this.#members(schema, pointer, depth)
    if (typeof reference !== 'string') return others
    const named = { $ref: `#/$defs/${this.#define(reference, pointer)}` }
    // In 3.0 a reference stands alone, whatever is beside it.
    return this.#document.isVersion30 ? named : { ...others, ...named }
  }

  #members(schema: JsonObject, pointer: string, depth: number): JsonSchema {
    const members: [string, unknown][] = []
    for (const [name, value] of Object.entries(schema)) {
      const at = `${pointer}${step(name)}`
      if (name === '$ref' || dropped.has(name) || name.startsWith('x-')) continue
      if (single.has(name)) members.push([name, this.convert(value, at, depth + 1)])
      else if (lists.has(name) && Array.isArray(value)) {
        members.push([name, value.map((one, index) => this.convert(one, `${at}/${index}`, depth + 1))])
      } else if (maps.has(name) && isObject(value)) members.push([name, this.#map(value, at, depth)])
      else if (name === 'required') members.push([name, this.#required(schema, value, pointer)])
      else members.push([name, value])
    }
    const converted = toJsonSchema(Object.fromEntries(members), schema, this.#document.isVersion30)
    return this.#direction === 'output' ? loosen(converted) : converted
  }

  #map(value: JsonObject, at: string, depth: number): JsonObject {
    const kept = Object.entries(value).filter(([, one]) => !this.#isHidden(one, at))
    return Object.fromEntries(kept.map(([name, one]) => [name, this.convert(one, `${at}${step(name)}`, depth + 1)]))
  }

  #required(schema: JsonObject, names: unknown, at: string): unknown {
    const { properties } = schema
    if (!Array.isArray(names) || !isObject(properties)) return names
    return names.filter((name) => !(Object.hasOwn(properties, name) && this.#isHidden(properties[name], at)))
  }

  /** What only the service writes is no input, and what only the caller writes is no output. */
  #isHidden(schema: unknown, at: string): boolean {
    const { value } = this.#document.resolve(schema, at)
    return isObject(value) && value[this.#direction === 'input' ? 'readOnly' : 'writeOnly'] === true
  }

  /** The name of a definition, which is made when it is first referred to. */
  #define(reference: string, from: string): string {
    const known = this.#names.get(reference)
    if (known !== undefined) return known
    const target = this.#document.find(reference, from)
    const name = this.#freeName(reference)
    this.#names.set(reference, name)
    // Its place comes first: the definition may refer to itself.
    this.#definitions.set(name, true)
    this.#definitions.set(name, this.convert(target, reference.slice(1)))
    return name
  }

  #freeName(reference: string): string {
    const last =
      reference
        .split('/')
        .at(-1)!
        .replace(/[^\w.-]/g, '_') || 'schema'
    let name = last === '__proto__' ? 'proto' : last
    for (let number = 2; this.#definitions.has(name); number++) name = `${last}_${number}`
    return name
  }
}
