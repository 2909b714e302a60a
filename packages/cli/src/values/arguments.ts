import type { JsonSchema } from '@tenon/sdk/client'
import { usage } from '../exit.ts'
import { didYouMean } from '../line/did-you-mean.ts'
import type { Surroundings } from '../terminal/terminal.ts'
import { type Assignment, readWords } from './argument-words.ts'
import { argumentNames, memberOf, resolveReference, typedValueOf, wantsList } from './typed-value.ts'

export type Arguments = { [name: string]: unknown }

/** The arguments of a tool or a prompt: words, typed by its schema. */
export async function readArguments(
  words: readonly string[],
  schema: JsonSchema,
  surroundings: Surroundings,
  what: 'tool' | 'prompt' = 'tool',
): Promise<Arguments> {
  const isName = (key: string): boolean => memberOf(schema, key, schema) !== undefined
  const { whole, assignments, positional } = await readWords(words, surroundings, { isName })
  const values = new Map<string, unknown>(whole.flatMap((object) => Object.entries(object)))
  const lists = new Map<string, unknown[]>()
  for (const assignment of assignments) place(assignment, values, lists, schema, what)
  for (const assignment of inOrder(positional, values, schema, what)) place(assignment, values, lists, schema, what)
  return Object.fromEntries(values)
}

/** Words without names, for the arguments that have no value yet: the required ones first. */
function inOrder(
  words: readonly string[],
  values: ReadonlyMap<string, unknown>,
  schema: JsonSchema,
  what: string,
): Assignment[] {
  const names = argumentNames(schema)
  const free = names.filter((name) => !values.has(name))
  return words.map((text, index) => {
    const key = free[index]
    if (key !== undefined) return { key, text }
    const takes = names.length === 0 ? `The ${what} takes no arguments` : `The ${what} takes ${names.join(', ')}`
    throw usage(
      `${takes}, and there is no place left for ${JSON.stringify(text)}`,
      'Write name=value, name:=json, name=@file, @file.json or -.',
    )
  })
}

function place(
  assignment: Assignment,
  values: Map<string, unknown>,
  lists: Map<string, unknown[]>,
  root: JsonSchema,
  what: string,
): void {
  const { key } = assignment
  const path = pathOf(key, root)
  const schema = path.reduce<JsonSchema | undefined>((at, name) => memberOf(at, name, root), root)
  if (schema === undefined && path.length === 1) refuseTypo(key, root, what)
  put(values, path, 'value' in assignment ? assignment.value : typedValue(assignment.text, schema))

  function typedValue(text: string, expected: JsonSchema | undefined): unknown {
    const value = typedValueOf(text, expected, root)
    if (!wantsList(expected, root) || !Array.isArray(value)) return value
    // A list may be given one by one.
    const earlier = lists.get(key) ?? []
    const list = earlier.length === 0 ? value : [...earlier, ...value]
    lists.set(key, list)
    return list
  }
}

/** `a.b` is the member `b` of `a`, unless there is an argument with that very name. */
function pathOf(key: string, root: JsonSchema): string[] {
  if (memberOf(root, key, root) !== undefined || !key.includes('.')) return [key]
  const [first] = key.split('.')
  return memberOf(root, first!, root) === undefined ? [key] : key.split('.')
}

function put(values: Map<string, unknown>, [first, ...rest]: string[], value: unknown): void {
  if (rest.length === 0) {
    values.set(first!, value)
    return
  }
  const inner = values.get(first!)
  const members = new Map(Object.entries(typeof inner === 'object' && inner !== null ? inner : {}))
  put(members, rest, value)
  values.set(first!, Object.fromEntries(members))
}

/** A name that is no argument and close to one is a slip of the fingers; the server would quietly ignore it. */
function refuseTypo(key: string, root: JsonSchema, what: string): void {
  const { properties, additionalProperties, patternProperties } = resolveReference(root, root) ?? {}
  const names = Object.keys((properties as object | undefined) ?? {})
  const meant = didYouMean(key, names)
  const closed = additionalProperties === false && patternProperties === undefined
  if (!closed && (meant === undefined || additionalProperties !== undefined)) return
  const known = names.length === 0 ? 'It takes no arguments.' : `It takes ${names.join(', ')}.`
  throw usage(`The ${what} has no argument ${JSON.stringify(key)}`, meant ?? known)
}
