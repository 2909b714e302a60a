import { noLists } from '../catalogue/server-lists.ts'
import { type Definition, definitionsOf, keyOf, type Pin, pinOf } from '../trust/definitions.ts'
import type { LintCatalogue } from './types.ts'

/** The definitions of a server at one time, to be compared with later ones. */
export interface LintSnapshot {
  readonly version: 1
  /** By kind and name, such as `tool add`. */
  readonly definitions: { readonly [key: string]: Pin }
}

export const definitionsIn = ({ instructions, tools, prompts, templates }: LintCatalogue): Definition[] =>
  definitionsOf(
    { ...noLists, ...(tools && { tools }), ...(prompts && { prompts }), ...(templates && { templates }) },
    instructions,
  )

/** Takes down the definitions of a server, for `LintOptions.since` of a later time. */
export function lintSnapshot(catalogue: LintCatalogue): LintSnapshot {
  const definitions = definitionsIn(catalogue).map((definition) => [keyOf(definition), pinOf(definition)] as const)
  return { version: 1, definitions: Object.fromEntries(definitions) }
}

/** Reads a snapshot that was written as JSON. Throws a `TypeError` that says what is wrong with it. */
export function readLintSnapshot(value: unknown): LintSnapshot {
  const { version, definitions } = isObject(value) ? value : {}
  if (version !== 1) throw new TypeError(`version: expected 1, got ${JSON.stringify(version)?.slice(0, 50)}`)
  if (!isObject(definitions)) throw new TypeError('definitions: expected an object')
  for (const [key, pin] of Object.entries(definitions)) {
    if (isObject(pin) && typeof pin.hash === 'string') continue
    throw new TypeError(`definitions: ${JSON.stringify(key.slice(0, 100))}: expected an object with a hash`)
  }
  return { version, definitions: definitions as LintSnapshot['definitions'] }
}

const isObject = (value: unknown): value is { [name: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
