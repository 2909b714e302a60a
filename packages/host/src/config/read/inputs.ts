import type { EntryFormat } from '../hosts/entry-format.ts'
import type { InputDefinition, ServerEntry } from '../model.ts'
import { syntaxOf, textsOf } from '../variables/entry-texts.ts'
import { partsOf } from '../variables/syntaxes.ts'
import { isTree, member, memberAt } from './tree.ts'

const types = ['promptString', 'pickString', 'command'] as const

/** The inputs that a file defines beside its servers. */
export const inputsIn = (value: unknown, { roots }: EntryFormat): InputDefinition[] =>
  roots.flatMap(({ path }) => readInputs(memberAt(value, [...path.slice(0, -1), 'inputs'])))

/** A list of inputs; other values are left out. */
export const readInputs = (list: unknown): InputDefinition[] =>
  Array.isArray(list) ? list.map(readInput).filter((input) => input !== undefined) : []

function readInput(value: unknown): InputDefinition | undefined {
  const id = member(value, 'id')
  if (!isTree(value) || typeof id !== 'string') return undefined
  const { type, description, default: standard, password, options } = value
  const choices = Array.isArray(options) ? options.map(choiceOf).filter((choice) => choice !== undefined) : undefined
  return {
    id,
    type: types.find((known) => known === type) ?? 'promptString',
    ...(typeof description === 'string' && { description }),
    ...(typeof standard === 'string' && { default: standard }),
    ...(password === true && { password: true }),
    ...(choices && { options: choices }),
  }
}

/** A choice is a string, or an object with a label for people. */
function choiceOf(choice: unknown): string | undefined {
  const value = isTree(choice) ? member(choice, 'value') : choice
  return typeof value === 'string' ? value : undefined
}

/** The inputs that an entry refers to. */
export function inputsFor(
  entry: ServerEntry,
  defined: ReadonlyMap<string, InputDefinition>,
): { inputs?: InputDefinition[] } {
  const syntax = syntaxOf(entry)
  const names = new Set<string>()
  for (const { text } of textsOf(entry)) {
    for (const part of partsOf(text, syntax)) {
      if (typeof part !== 'string' && part.variable.kind === 'input') names.add(part.variable.name)
    }
  }
  if (names.size === 0) return {}
  return { inputs: [...names].map((id) => defined.get(id) ?? { id, type: 'promptString' }) }
}
