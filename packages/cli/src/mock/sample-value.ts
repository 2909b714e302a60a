import type { JsonObject, JsonSchema, JsonValue } from '@tenon/sdk/client'
import { pick, type Random } from './random.ts'
import { sampleString } from './sample-string.ts'

type Schema = JsonSchema | boolean

/** Deeper schemas, such as those of trees, end with their required members. */
const deepest = 6
const mostItems = 20

/** A value that fits a JSON Schema as far as that can be made up; the same for the same random numbers. */
export const sampleValue = (schema: Schema, random: Random): JsonValue => new Sampler(schema, random).value(schema, 0)

class Sampler {
  readonly #root: Schema
  readonly #random: Random

  constructor(root: Schema, random: Random) {
    this.#root = root
    this.#random = random
  }

  value(given: Schema, depth: number): JsonValue {
    const schema = this.#resolved(given)
    if (Object.hasOwn(schema, 'const')) return schema.const as JsonValue
    for (const choices of [schema.enum, schema.examples]) {
      if (Array.isArray(choices) && choices.length > 0) return pick(choices as JsonValue[], this.#random)
    }
    if (Object.hasOwn(schema, 'default')) return schema.default as JsonValue
    return this.#ofType(typeOf(schema, this.#random), schema, depth)
  }

  #ofType(type: string, schema: JsonObject, depth: number): JsonValue {
    switch (type) {
      case 'object':
        return this.#object(schema, depth)
      case 'array':
        return this.#array(schema, depth)
      case 'integer':
      case 'number':
        return sampleNumber(schema, type === 'integer', this.#random)
      case 'boolean':
        return this.#random() < 0.5
      case 'null':
        return null
      default:
        return sampleString(schema, this.#random)
    }
  }

  #object({ properties, required }: JsonObject, depth: number): JsonObject {
    const needed = new Set(Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [])
    const known = new Map<string, Schema>(
      isObject(properties) ? Object.entries(properties as { [name: string]: Schema }) : [],
    )
    const names = depth < deepest ? [...new Set([...known.keys(), ...needed])] : [...needed]
    // A chain of required members that leads to itself has no end.
    const entries = names.map((name): [string, JsonValue] => {
      const inner = known.get(name as string) ?? true
      return [name as string, depth < deepest * 2 ? this.value(inner, depth + 1) : null]
    })
    return Object.fromEntries(entries)
  }

  #array({ items, prefixItems, minItems, maxItems }: JsonObject, depth: number): JsonValue[] {
    const first = Array.isArray(prefixItems) ? (prefixItems as Schema[]) : []
    const least = typeof minItems === 'number' ? minItems : 0
    const most = typeof maxItems === 'number' ? maxItems : mostItems
    const wanted =
      depth < deepest ? Math.max(least, first.length, items === false ? 0 : 1 + Math.floor(this.#random() * 3)) : least
    const count = Math.min(wanted, most, Math.max(least, mostItems))
    return Array.from({ length: Math.min(count, 1_000) }, (_, index) =>
      this.value(first[index] ?? (items as Schema | undefined) ?? true, depth + 1),
    )
  }

  /** The schema without references, and with the members of its parts. */
  #resolved(given: Schema, seen = 0): JsonObject {
    if (!isObject(given)) return {}
    const schema = given as JsonObject
    if (seen > 32) return schema
    const parts: Schema[] = []
    if (typeof schema.$ref === 'string') parts.push(this.#referred(schema.$ref))
    if (Array.isArray(schema.allOf)) parts.push(...(schema.allOf as Schema[]))
    for (const choices of [schema.oneOf, schema.anyOf]) {
      if (Array.isArray(choices) && choices.length > 0) parts.push(pick(choices as Schema[], this.#random))
    }
    const { $ref: _ref, allOf: _all, oneOf: _one, anyOf: _any, ...own } = schema
    return parts.map((part) => this.#resolved(part, seen + 1)).reduce(merged, own as JsonObject)
  }

  #referred(reference: string): Schema {
    if (!reference.startsWith('#')) return true
    let found: unknown = this.#root
    for (const step of reference.slice(1).split('/').slice(1)) {
      const name = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')
      found =
        typeof found === 'object' && found !== null && Object.hasOwn(found, name)
          ? (found as JsonObject)[name]
          : undefined
    }
    return isObject(found) || typeof found === 'boolean' ? (found as Schema) : true
  }
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Two schemas that both hold: members of objects come from both. */
function merged(one: JsonObject, other: JsonObject): JsonObject {
  const properties = { ...(one.properties as JsonObject), ...(other.properties as JsonObject) }
  const required = [...new Set([one.required, other.required].flat().filter((name) => name !== undefined))]
  return {
    ...other,
    ...one,
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(required.length > 0 && { required: required as JsonValue[] }),
  }
}

function typeOf({ type, properties, items, prefixItems, minimum, maximum }: JsonObject, random: Random): string {
  if (typeof type === 'string') return type
  if (Array.isArray(type) && type.length > 0)
    return String(
      pick(type.filter((one) => one !== 'null').length > 0 ? type.filter((one) => one !== 'null') : type, random),
    )
  if (properties !== undefined) return 'object'
  if (items !== undefined || prefixItems !== undefined) return 'array'
  return minimum !== undefined || maximum !== undefined ? 'number' : 'string'
}

function sampleNumber(schema: JsonObject, isInteger: boolean, random: Random): number {
  const bound = (name: string): number | undefined => (typeof schema[name] === 'number' ? schema[name] : undefined)
  const step = bound('multipleOf') ?? (isInteger ? 1 : 0.01)
  const low = bound('minimum') ?? after(bound('exclusiveMinimum'), step)
  const high = bound('maximum') ?? after(bound('exclusiveMaximum'), -step)
  const from = low ?? (high === undefined ? 0 : high - 100 * step)
  const to = Math.max(high ?? from + 100 * step, from)
  const count = Math.floor(to / step) - Math.ceil(from / step)
  // Without a multiple in the range the bound itself is the best guess.
  if (count < 0) return from
  const value = (Math.ceil(from / step) + Math.floor(random() * (count + 1))) * step
  return isInteger ? Math.round(value) : Number(value.toPrecision(12))
}

const after = (bound: number | undefined, step: number): number | undefined =>
  bound === undefined ? undefined : bound + step
