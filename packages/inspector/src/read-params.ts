import { RequestProblem } from './problem.ts'

/** The parameters of a command as they came: nothing is known about them yet. */
export type RawParams = { readonly [name: string]: unknown }

/** A member with an unexpected value. */
export const unexpected = (name: string, expected: string, found: unknown): RequestProblem =>
  new RequestProblem(`${name}: expected ${expected}, got ${describe(found)}`)

const describe = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'an array' : typeof value === 'object' ? 'an object' : typeof value

export const isObject = (value: unknown): value is { [name: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export function readObject(name: string, value: unknown): { [name: string]: unknown } {
  if (isObject(value)) return value
  throw unexpected(name, 'an object', value)
}

export function readText(params: RawParams, name: string): string {
  const value = params[name]
  if (typeof value === 'string') return value
  throw unexpected(name, 'a text', value)
}

export const readTextIfAny = (params: RawParams, name: string): string | undefined =>
  params[name] === undefined ? undefined : readText(params, name)

export function readNumber(params: RawParams, name: string, least = 0, most: number = Number.MAX_SAFE_INTEGER): number {
  const value = params[name]
  if (typeof value === 'number' && value >= least && value <= most) return value
  throw unexpected(name, `a number from ${least} to ${most}`, value)
}

export const readNumberIfAny = (params: RawParams, name: string, least?: number): number | undefined =>
  params[name] === undefined ? undefined : readNumber(params, name, least)

export function readOneOf<Choice extends string>(params: RawParams, name: string, choices: readonly Choice[]): Choice {
  const value = params[name]
  const found = choices.find((choice) => choice === value)
  if (found !== undefined) return found
  throw unexpected(name, `one of ${choices.join(', ')}`, value)
}

export function readTexts(params: RawParams, name: string): string[] {
  const value = params[name]
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value
  throw unexpected(name, 'an array of texts', value)
}

/** An object whose members are all texts, without a prototype: names come from people and files. */
export function readTextRecord(params: RawParams, name: string): { [name: string]: string } {
  const record: { [name: string]: string } = Object.create(null)
  for (const [key, value] of Object.entries(readObject(name, params[name]))) {
    if (typeof value !== 'string') throw unexpected(`${name}.${key}`, 'a text', value)
    record[key] = value
  }
  return record
}
