/** JSON of a stranger: every member may be missing or of another kind. */
export type JsonObject = { readonly [name: string]: unknown }

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A member of its own: names such as `constructor` find nothing. */
export const member = (object: unknown, name: string): unknown =>
  isObject(object) && Object.hasOwn(object, name) ? object[name] : undefined

export const objectMember = (object: unknown, name: string): JsonObject => {
  const found = member(object, name)
  return isObject(found) ? found : {}
}

export const textMember = (object: unknown, name: string): string | undefined => {
  const found = member(object, name)
  return typeof found === 'string' && found.trim() !== '' ? found.trim() : undefined
}

export const listMember = (object: unknown, name: string): readonly unknown[] => {
  const found = member(object, name)
  return Array.isArray(found) ? found : []
}

/** A short description of a value for error messages. */
export function found(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (Array.isArray(value)) return 'an array'
  if (isObject(value)) return 'an object'
  return JSON.stringify(value).slice(0, 80)
}
