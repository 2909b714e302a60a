import { nearest } from '@tenon/sdk/display'
import { type CompiledSchema, compileSchema, type ParseIssue } from '@tenon/sdk/schema'
import type { JsonSchema } from '@tenon/sdk/server'

/** A section that was read: its value, or the places that are wrong. Paths begin at the section. */
export type ReadSection<Value> = { readonly value: Value } | { readonly issues: readonly ParseIssue[] }

const compiled = new WeakMap<JsonSchema, CompiledSchema>()

/** The places at which a section does not fit its schema. A name that is not known comes with one that may be meant. */
export function sectionIssues(schema: JsonSchema, section: unknown): ParseIssue[] {
  const checked = compiled.get(schema) ?? compileSchema(schema)
  compiled.set(schema, checked)
  return checked.validate(section).map(({ path, message, keyword }) => {
    if (keyword !== 'additionalProperties') return { path, message }
    const known = namesAt(schema, path.slice(0, -1))
    const near = nearest(String(path.at(-1)), known)
    const hint = near.length > 0 ? `did you mean ${near.join(' or ')}?` : `there are ${known.join(', ')}`
    return { path, message: known.length === 0 ? message : `is unknown; ${hint}` }
  })
}

interface Shape {
  readonly properties?: { readonly [name: string]: Shape }
  readonly items?: Shape
  readonly additionalProperties?: Shape | boolean
  readonly anyOf?: readonly Shape[]
}

/** The names that an object at a path may have. */
function namesAt(schema: Shape, path: readonly (string | number)[]): string[] {
  const [key, ...rest] = path
  if (key === undefined) return Object.keys(schema.properties ?? {})
  const open = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined
  const next = typeof key === 'number' ? schema.items : (schema.properties?.[key] ?? open)
  const shapes = next === undefined ? [] : [next, ...(next.anyOf ?? [])]
  return shapes.flatMap((shape) => namesAt(shape, rest))
}
