import { ErrorCode, type JsonObject, RpcError } from '@tenon/sdk/client'
import type { GatewayItem } from '../model.ts'

export type ItemKind = GatewayItem['kind']

/** One of the four lists: the member of the result with the items, and the member that names an item. */
export interface ListKind {
  readonly method: string
  readonly kind: ItemKind
  readonly items: string
  readonly name: string
  /** The capability that a server with such items declares. */
  readonly capability: 'tools' | 'prompts' | 'resources'
}

const lists: readonly ListKind[] = [
  { method: 'tools/list', kind: 'tool', items: 'tools', name: 'name', capability: 'tools' },
  { method: 'prompts/list', kind: 'prompt', items: 'prompts', name: 'name', capability: 'prompts' },
  { method: 'resources/list', kind: 'resource', items: 'resources', name: 'uri', capability: 'resources' },
  {
    method: 'resources/templates/list',
    kind: 'template',
    items: 'resourceTemplates',
    name: 'uriTemplate',
    capability: 'resources',
  },
]

export const listByMethod: ReadonlyMap<string, ListKind> = new Map(lists.map((list) => [list.method, list]))
export const listByKind: ReadonlyMap<ItemKind, ListKind> = new Map(lists.map((list) => [list.kind, list]))

/** The use of an item that a request is for. */
export interface ItemUse {
  readonly kind: ItemKind
  readonly name: string
  readonly args: JsonObject
}

/** Requests that are about no item. A task is that of a call that was let through. */
const others: ReadonlySet<string> = new Set([
  'ping',
  'logging/setLevel',
  'tasks/get',
  'tasks/result',
  'tasks/list',
  'tasks/cancel',
  'tasks/update',
])

/** The item that a request uses; undefined for requests about none. A method of an extension stands for itself. */
export function useOf(method: string, params: JsonObject): ItemUse | undefined {
  switch (method) {
    case 'tools/call':
      return use('tool', params.name, params.arguments)
    case 'prompts/get':
      return use('prompt', params.name, params.arguments)
    case 'resources/read':
    case 'resources/subscribe':
    case 'resources/unsubscribe':
      return use('resource', params.uri, undefined)
    case 'completion/complete':
      return completionUse(params)
    default:
      return others.has(method) || listByMethod.has(method) ? undefined : use('tool', method, undefined)
  }
}

function completionUse({ ref, argument }: JsonObject): ItemUse {
  const { type, name, uri } = (ref ?? {}) as { type?: unknown; name?: unknown; uri?: unknown }
  const { name: about, value } = (argument ?? {}) as { name?: unknown; value?: unknown }
  const args = typeof about === 'string' ? Object.fromEntries([[about, value]]) : {}
  return type === 'ref/prompt' ? use('prompt', name, args) : use('template', uri, args)
}

/** A name that is no string may become one in the upstream, and is refused like an unknown one. */
function use(kind: ItemKind, name: unknown, args: unknown): ItemUse {
  if (typeof name !== 'string') throw unknownItem(kind, name)
  return { kind, name, args: typeof args === 'object' && args !== null ? (args as JsonObject) : {} }
}

/** There is no such item, or none for this caller. */
export class UnknownItem extends RpcError {}

/** The error of a name that does not exist, as servers of the library have it. A denial is the same, so it confirms no name. */
export function unknownItem(kind: ItemKind, name: unknown): UnknownItem {
  if (kind === 'resource') return new UnknownItem(ErrorCode.ResourceNotFound, 'Resource not found', { uri: name })
  const words = kind === 'template' ? 'resource template' : kind
  return new UnknownItem(ErrorCode.InvalidParams, `Unknown ${words}: ${JSON.stringify(name)}`)
}
