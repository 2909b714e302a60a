import type { JsonObject } from '@tenon/sdk/client'
import { canonical } from '../json/canonical.ts'
import { jsonExcerpt } from '../json/describe-value.ts'
import { isObject } from '../json/is-object.ts'
import type { Inventory } from './inventory.ts'
import { schemaChanges } from './schema-changes.ts'
import type { Change, ItemDiff, ItemKind, Severity } from './types.ts'

const kinds: readonly ItemKind[] = ['tool', 'resource', 'template', 'prompt']

/** The items that only one server has, or that differ. Kinds that only one session lists are left out. */
export function itemDiffs(before: Inventory, after: Inventory): ItemDiff[] {
  const found: ItemDiff[] = []
  for (const kind of kinds) {
    const [had, has] = [before.get(kind), after.get(kind)]
    if (had === undefined || has === undefined) continue
    for (const name of new Set([...had.items.keys(), ...has.items.keys()])) {
      const [then, now] = [had.items.get(name), has.items.get(name)]
      // A client may stop reading a list at the item it needs.
      if ((then === undefined && !had.isWhole) || (now === undefined && !has.isWhole)) continue
      const diff = itemDiff(kind, name, then, now)
      if (diff !== undefined) found.push(diff)
    }
  }
  return found
}

function itemDiff(
  kind: ItemKind,
  name: string,
  before: JsonObject | undefined,
  after: JsonObject | undefined,
): ItemDiff | undefined {
  if (before === undefined) return { kind, name, status: 'added', severity: 'compatible', changes: [] }
  if (after === undefined) return { kind, name, status: 'removed', severity: 'breaking', changes: [] }
  const changes = memberChanges(kind, before, after)
  if (changes.length === 0) return undefined
  return { kind, name, status: 'changed', severity: worst(changes), changes }
}

function memberChanges(kind: ItemKind, before: JsonObject, after: JsonObject): Change[] {
  const changes: Change[] = []
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [mine, theirs] = [before[name], after[name]]
    if (canonical(mine ?? null) === canonical(theirs ?? null)) continue
    if (name === 'inputSchema') changes.push(...schemaChanges(mine, theirs, 'input', [name]))
    else if (name === 'outputSchema') changes.push(...outputChanges(mine, theirs))
    else if (kind === 'prompt' && name === 'arguments') changes.push(...argumentChanges(mine, theirs))
    else
      changes.push({
        severity: 'compatible',
        path: name,
        what: `was ${jsonExcerpt(mine, 60)}, is ${jsonExcerpt(theirs, 60)}`,
      })
  }
  return changes
}

function outputChanges(before: unknown, after: unknown): Change[] {
  if (before === undefined) return [{ severity: 'compatible', path: 'outputSchema', what: 'is new' }]
  if (after === undefined) return [{ severity: 'breaking', path: 'outputSchema', what: 'is gone' }]
  return schemaChanges(before, after, 'output', ['outputSchema'])
}

function argumentChanges(before: unknown, after: unknown): Change[] {
  const [had, has] = [argumentsIn(before), argumentsIn(after)]
  const changes: Change[] = []
  const add = (severity: Severity, name: string, what: string): void => {
    changes.push({ severity, path: `arguments.${name}`, what })
  }
  for (const [name, argument] of has) {
    const old = had.get(name)
    const isRequired = argument.required === true
    if (old === undefined)
      add(isRequired ? 'breaking' : 'compatible', name, `is new, and ${isRequired ? 'required' : 'optional'}`)
    else if (isRequired && old.required !== true) add('breaking', name, 'is required now')
    else if (canonical(old) !== canonical(argument)) add('compatible', name, 'says something else')
  }
  for (const name of had.keys()) if (!has.has(name)) add('breaking', name, 'is gone')
  return changes
}

const argumentsIn = (value: unknown): Map<string, JsonObject> =>
  new Map(
    (Array.isArray(value) ? value : [])
      .filter(isObject)
      .filter(({ name }) => typeof name === 'string')
      .map((argument) => [argument.name as string, argument]),
  )

/** The worst of several changes. */
function worst(changes: readonly Change[]): Severity {
  for (const severity of ['breaking', 'unclear'] as const) {
    if (changes.some((change) => change.severity === severity)) return severity
  }
  return 'compatible'
}
