import { isSchema, resolve, type Schema } from '../form/resolve.ts'

const maxSchemas = 64

/** The schemas that a value at a path may have: one, or those of the variants of unions on the way. */
export function schemasAt(root: Schema, path: readonly (string | number)[]): Schema[] {
  let found = variantsOf(root, root)
  for (const step of path) {
    found = found
      .flatMap((schema) => inner(schema, step).flatMap((next) => variantsOf(next, root)))
      .slice(0, maxSchemas)
  }
  return found
}

function inner(schema: Schema, step: string | number): unknown[] {
  const { properties, additionalProperties, items, prefixItems } = schema
  if (typeof step === 'number') {
    const first = [prefixItems, items].find(Array.isArray)?.[step]
    return [first ?? items].filter(isSchema)
  }
  const property = isSchema(properties) ? Object.getOwnPropertyDescriptor(properties, step)?.value : undefined
  return [property ?? additionalProperties].filter(isSchema)
}

/** A schema without references, and in the place of a union its variants with all that they share. */
function variantsOf(given: unknown, root: Schema, depth = 0): Schema[] {
  const schema = resolve(given, root)
  const variants = [schema.anyOf, schema.oneOf].find(Array.isArray)
  if (variants === undefined || depth > 4) return [schema]
  const { anyOf: _, oneOf: __, ...shared } = schema
  return variants
    .slice(0, maxSchemas)
    .flatMap((variant) => variantsOf(variant, root, depth + 1).map((one) => ({ ...shared, ...one })))
}
