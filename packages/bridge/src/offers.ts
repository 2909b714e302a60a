import { ErrorCode, type JsonObject, RpcError } from '@tenon/sdk/client'
import type { BackendHandlers, BackendRequest, ListenFilter } from '@tenon/sdk/relay'

/** Something that a server offers: its kind, and its name, URI or URI template. */
export interface Offer {
  readonly kind: 'tool' | 'prompt' | 'resource' | 'template'
  readonly name: string
}

/** Decides whether clients see and use an offer. */
export type OfferFilter = (offer: Offer) => boolean

/** The lists, with the member that has the items, and the member that names an item. */
const lists: ReadonlyMap<string, { items: string; name: string; kind: Offer['kind'] }> = new Map([
  ['tools/list', { items: 'tools', name: 'name', kind: 'tool' }],
  ['prompts/list', { items: 'prompts', name: 'name', kind: 'prompt' }],
  ['resources/list', { items: 'resources', name: 'uri', kind: 'resource' }],
  ['resources/templates/list', { items: 'resourceTemplates', name: 'uriTemplate', kind: 'template' }],
])

/** The requests for one offer, with the member that names it. */
const uses: ReadonlyMap<string, { name: string; kind: Offer['kind'] }> = new Map([
  ['tools/call', { name: 'name', kind: 'tool' }],
  ['prompts/get', { name: 'name', kind: 'prompt' }],
  ['resources/read', { name: 'uri', kind: 'resource' }],
  ['resources/subscribe', { name: 'uri', kind: 'resource' }],
  ['resources/unsubscribe', { name: 'uri', kind: 'resource' }],
])

/** Requests that name no offer. A task is the one of a call that was let through. */
const others: ReadonlySet<string> = new Set([
  'ping',
  'logging/setLevel',
  'tasks/get',
  'tasks/result',
  'tasks/list',
  'tasks/cancel',
  'tasks/update',
])

/** Handlers that hide everything that `isOffered` refuses: lists lack it, and a request for it gets the error of an unknown name. */
export function filterOffers(handlers: BackendHandlers, isOffered: OfferFilter): BackendHandlers {
  return {
    ...handlers,
    answer: async (request) => {
      refuseHidden(request, isOffered)
      const result = await handlers.answer(request)
      return lists.has(request.method) ? visibleItems(request.method, result as JsonObject, isOffered) : result
    },
    listen: (request, filter, tell) =>
      handlers.listen(request, visibleResources(filter, isOffered), (method, params) => {
        if (mayBeTold(method, params, isOffered)) tell(method, params)
      }),
  }
}

/** Whether a client may get a notification: the server may name a resource below the one that is watched. */
export const mayBeTold = (method: string, { uri }: JsonObject, isOffered: OfferFilter): boolean =>
  method !== 'notifications/resources/updated' || isVisible('resource', uri, isOffered)

/** A name that is no string may become one in the server, and is refused like an unknown one. */
const isVisible = (kind: Offer['kind'], name: unknown, isOffered: OfferFilter): boolean =>
  typeof name === 'string' && isOffered({ kind, name })

function refuseHidden({ method, params }: BackendRequest, isOffered: OfferFilter): void {
  if (lists.has(method) || others.has(method)) return
  if (method === 'completion/complete') {
    refuseHiddenReference(params.ref, isOffered)
    return
  }
  const use = uses.get(method)
  // A method of an extension may reach anything.
  if (use === undefined) throw new RpcError(ErrorCode.MethodNotFound, `Method not found: ${method}`)
  const name = params[use.name]
  if (!isVisible(use.kind, name, isOffered)) throw unknown(use.kind, name)
}

function refuseHiddenReference(ref: unknown, isOffered: OfferFilter): void {
  const { type, name, uri } = (ref ?? {}) as { type?: unknown; name?: unknown; uri?: unknown }
  if (type === 'ref/prompt' && !isVisible('prompt', name, isOffered)) throw unknown('prompt', name)
  // The reference is the template, or a resource.
  const isResource = isVisible('template', uri, isOffered) || isVisible('resource', uri, isOffered)
  if (type !== 'ref/prompt' && !isResource) throw unknown('template', uri)
}

function unknown(kind: Offer['kind'], name: unknown): RpcError {
  if (kind === 'resource') return new RpcError(ErrorCode.ResourceNotFound, 'Resource not found', { uri: name })
  const words = kind === 'template' ? 'resource template' : kind
  return new RpcError(ErrorCode.InvalidParams, `Unknown ${words}: ${JSON.stringify(name)}`)
}

function visibleItems(method: string, result: JsonObject, isOffered: OfferFilter): JsonObject {
  const { items, name, kind } = lists.get(method)!
  const found = result[items]
  if (!Array.isArray(found)) return result
  const visible = found.filter((item) => isVisible(kind, (item as JsonObject | null)?.[name], isOffered))
  return { ...result, [items]: visible }
}

function visibleResources(filter: ListenFilter, isOffered: OfferFilter): ListenFilter {
  const { resourceSubscriptions: uris } = filter
  if (uris === undefined) return filter
  return { ...filter, resourceSubscriptions: uris.filter((uri) => isVisible('resource', uri, isOffered)) }
}
