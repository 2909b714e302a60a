import type { JsonObject } from '@tenon/sdk/client'
import { isObject } from '../json/is-object.ts'
import type { Turn } from '../serve/turns.ts'
import type { ItemKind } from './types.ts'

/** The items of a list, as far as it was read. */
interface ItemList {
  readonly items: Map<string, JsonObject>
  /** True if it was read to its last page: then a missing item does not exist. */
  isWhole: boolean
}

/** The items of a server, by name or URI; the last list counts. */
export type Inventory = Map<ItemKind, ItemList>

const lists: ReadonlyMap<string, { kind: ItemKind; member: string; id: string }> = new Map([
  ['tools/list', { kind: 'tool', member: 'tools', id: 'name' }],
  ['resources/list', { kind: 'resource', member: 'resources', id: 'uri' }],
  ['resources/templates/list', { kind: 'template', member: 'resourceTemplates', id: 'uriTemplate' }],
  ['prompts/list', { kind: 'prompt', member: 'prompts', id: 'name' }],
])

export const isList = (method: string): boolean => lists.has(method)

/** Everything that the lists of a session name; a kind that was never listed is not there. */
export function inventoryOf(turns: readonly Turn[]): Inventory {
  const inventory: Inventory = new Map()
  for (const turn of turns) {
    const list = lists.get(turn.message.method)
    const result = resultOf(turn)
    if (list === undefined || result === undefined) continue
    const items = result[list.member]
    // A list that begins anew takes the place of an older one.
    if (turn.message.params?.cursor === undefined || !inventory.has(list.kind)) {
      inventory.set(list.kind, { items: new Map(), isWhole: false })
    }
    const known = inventory.get(list.kind)!
    known.isWhole = typeof result.nextCursor !== 'string' || result.nextCursor === ''
    for (const item of Array.isArray(items) ? items : []) {
      if (isObject(item) && typeof item[list.id] === 'string') known.items.set(item[list.id] as string, item)
    }
  }
  return inventory
}

export function resultOf({ steps }: Turn): JsonObject | undefined {
  const answer = steps.find(({ kind }) => kind === 'answer')?.message as { result?: unknown } | undefined
  return isObject(answer?.result) ? answer.result : undefined
}
