export type Schema = { readonly [keyword: string]: unknown }

export const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The schemas of a list, such as those of `anyOf`. */
export const schemasIn = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

/** The members of an object of schemas, such as those of `properties`. */
export const membersIn = (value: unknown): [string, unknown][] => (isSchema(value) ? Object.entries(value) : [])

/** The target of a local reference; undefined if it does not exist or is no schema. */
export function pointedAt(root: Schema, reference: string): Schema | boolean | undefined {
  if (reference !== '#' && !reference.startsWith('#/')) return undefined
  let value: unknown = root
  for (const part of reference.split('/').slice(1)) {
    const key = decoded(part)
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as Schema)[key]
  }
  return isSchema(value) || typeof value === 'boolean' ? value : undefined
}

/** A part of a JSON pointer in a URI fragment. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')
  } catch {
    return part
  }
}
