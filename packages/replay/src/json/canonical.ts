import { isObject } from './is-object.ts'

/** JSON in which the order of members does not matter: equal values give equal texts. */
export function canonical(value: unknown): string {
  return JSON.stringify(sorted(value)) ?? 'null'
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isObject(value)) return value
  const names = Object.keys(value).filter((name) => value[name] !== undefined)
  return Object.fromEntries(names.sort().map((name) => [name, sorted(value[name])]))
}
