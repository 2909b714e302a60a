import { writeExact } from '../../src/exact-json.ts'
import { resolve, type Schema } from './resolve.ts'
import { describe } from './shape.ts'

const maxDepth = 8

/** The initial value of a form: the defaults, and the required members. */
export function initialValue(given: unknown, root: Schema, required = true, depth = 0): unknown {
  const schema = resolve(given, root)
  if ('default' in schema) return structuredClone(schema.default)
  if (!required || depth > maxDepth) return undefined
  const { shape } = describe(schema, root)
  switch (shape.kind) {
    case 'constant':
      return shape.value
    case 'object':
      return Object.fromEntries(
        shape.fields.flatMap(({ name, schema: field, required: needed }) => {
          const value = initialValue(field, root, needed, depth + 1)
          return value === undefined ? [] : [[name, value]]
        }),
      )
    case 'list':
    case 'choices':
      return []
    case 'boolean':
      return false
    case 'union':
      return initialValue(shape.variants[0]!.schema, root, required, depth + 1)
    default:
      return undefined
  }
}

/** Which variant of a union a value is of; the first one if none fits. */
export function variantOf(value: unknown, variants: readonly { schema: Schema }[], root: Schema): number {
  const found = variants.findIndex(({ schema }) => fits(value, schema, root))
  return Math.max(0, found)
}

/** Whether a value may be meant for a schema, by its type and its constant members. */
function fits(value: unknown, given: Schema, root: Schema): boolean {
  const { shape, nullable } = describe(given, root)
  if (value === null && nullable) return true
  switch (shape.kind) {
    case 'text':
      return typeof value === 'string'
    case 'number':
      return typeof value === 'bigint' || (typeof value === 'number' && (!shape.integer || Number.isInteger(value)))
    case 'boolean':
      return typeof value === 'boolean'
    case 'constant':
      return writeExact(value) === writeExact(shape.value)
    case 'choice':
      return shape.options.some((option) => writeExact(option.value) === writeExact(value))
    case 'list':
    case 'choices':
      return Array.isArray(value)
    case 'object': {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
      const members = value as { [name: string]: unknown }
      return shape.fields.every(({ name, schema, required }) => {
        if (!Object.hasOwn(members, name)) return !required || !('const' in resolve(schema, root))
        const member = resolve(schema, root)
        return !('const' in member) || writeExact(member.const) === writeExact(members[name])
      })
    }
    case 'union':
      return shape.variants.some(({ schema }) => fits(value, schema, root))
    case 'json':
      return true
  }
}
