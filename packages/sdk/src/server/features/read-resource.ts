import { ErrorCode, McpError, RpcError } from '../../errors.ts'
import { describe, isObject } from '../../jsonrpc/classify.ts'
import type { JsonObject } from '../../jsonrpc/message.ts'
import type { ResourceContents } from '../../model/content.ts'
import { matchTemplate } from '../../uri-template/match-template.ts'
import { refuseScopes } from '../access/scopes.ts'
import type { CallerState } from '../caller-state.ts'
import { keptPrivate, wrongHints } from '../definition/cache-policy.ts'
import type { Offers } from '../definition/offers.ts'
import type { Call } from '../dispatch/call.ts'
import { Interrupted } from '../questions/round.ts'
import { toContents } from './content.ts'
import type { EndWatch, ServerResource, ServerResourceTemplate } from './resource.ts'

/** Reads a resource, here or in a mounted server. Where middleware decides who reads, nothing is for everybody. */
export function answerResourcesRead(call: Call, definition: Offers, params: JsonObject): Promise<JsonObject> {
  const reading = readThrough(call, definition, params)
  return definition.layers.has('resources/read') ? reading.then(keptPrivate) : reading
}

function readThrough(call: Call, definition: Offers, params: JsonObject): Promise<JsonObject> {
  return definition.layers.run(
    'resources/read',
    params,
    () => call.contextOf(definition),
    async (current) => {
      const uri = current.uri as string
      const result = await readHere(call, definition, uri)
      if (result !== undefined) return result
      for (const mount of definition.mounts) {
        if (await canRead(call.caller, mount.definition, uri))
          return answerResourcesRead(call, mount.definition, current)
      }
      const problem = await unreadable(call.caller, definition, uri)
      const passed = await call.parts?.pass(call, current)
      if (passed === undefined) throw problem
      return keptPrivate(passed)
    },
  )
}

const notFound = (uri: string): RpcError => new RpcError(ErrorCode.ResourceNotFound, 'Resource not found', { uri })

/** Why a caller cannot read a URI: scopes are missing, or nothing is there that it may know of. */
export async function unreadable(caller: CallerState, definition: Offers, uri: string): Promise<RpcError> {
  for (const resource of definition.resources) {
    if (resource.scopes === undefined) continue
    const matches =
      resource.kind === 'resource' ? resource.uri === uri : matchTemplate(resource.template, uri) !== undefined
    if (matches) await refuseScopes(caller, definition, resource.scopes)
  }
  for (const mount of definition.mounts) await unreadable(caller, mount.definition, uri)
  return notFound(uri)
}

/** True if the caller could read the URI: there is such a resource or template, and it is visible. */
export async function canRead(caller: CallerState, definition: Offers, uri: string): Promise<boolean> {
  if ((await find(caller, definition, uri)) !== undefined) return true
  for (const mount of definition.mounts) if (await canRead(caller, mount.definition, uri)) return true
  return false
}

const nothingToEnd = (): void => {}

/** Begins to watch a URI for a caller that subscribes to it. Returns the end of that, or nothing if it may not. */
export async function beginWatch(caller: CallerState, definition: Offers, uri: string): Promise<EndWatch | undefined> {
  const found = await find(caller, definition, uri)
  if (found !== undefined) {
    const { resource, variables } = found
    if (resource.watch === undefined) return nothingToEnd
    return resource.watch({ uri, variables }, caller, (await definition.contextFor(caller)) as never)
  }
  for (const mount of definition.mounts) {
    const end = await beginWatch(caller, mount.definition, uri)
    if (end !== undefined) return end
  }
  return undefined
}

type Found =
  | { resource: ServerResource<never>; variables?: undefined }
  | { resource: ServerResourceTemplate<never>; variables: unknown }

async function find(caller: CallerState, definition: Offers, uri: string): Promise<Found | undefined> {
  const exact = definition.resources.get(uri)
  if (exact?.kind === 'resource') {
    return (await definition.sees(caller, exact.visible)) ? { resource: exact } : undefined
  }
  for (const resource of definition.resources) {
    if (resource.kind !== 'template') continue
    const variables = matchTemplate(resource.template, uri)
    if (variables !== undefined && (await definition.sees(caller, resource.visible))) return { resource, variables }
  }
  return undefined
}

async function readHere(call: Call, definition: Offers, uri: string): Promise<JsonObject | undefined> {
  const found = await find(call.caller, definition, uri)
  if (found === undefined) return undefined
  const ctx = await call.contextOf(definition)
  const { resource } = found
  const returned = await call.run(() =>
    resource.kind === 'resource'
      ? resource.read({ uri }, ctx)
      : resource.read({ uri, variables: found.variables }, ctx),
  )
  if (returned instanceof Interrupted) return returned.result
  if (returned === undefined) throw notFound(uri)
  const { contents, ...hints } = spelledOut(returned) ? returned : { contents: returned }
  const items = Array.isArray(contents) ? contents : [contents]
  const result = {
    contents: items.map((item) => toResourceContents(item, uri, resource.listed.mimeType)),
    ...definition.cache.read,
    ...resource.cache,
    ...checkedHints(hints, uri),
  }
  return resource.visible === undefined ? result : keptPrivate(result)
}

const spelledOut = (returned: unknown): returned is { contents: unknown } & JsonObject =>
  isObject(returned) && 'contents' in returned

/** The members of a reader's result beside the contents. */
function checkedHints({ ttlMs, cacheScope, _meta }: JsonObject, uri: string): JsonObject {
  const problem = wrongHints({ ttlMs, cacheScope })
  if (problem !== undefined) throw new McpError('invalid_result', `Resource ${uri}: ${problem}`)
  return {
    ...(ttlMs !== undefined && { ttlMs }),
    ...(cacheScope !== undefined && { cacheScope }),
    ...(_meta !== undefined && { _meta }),
  }
}

function toResourceContents(item: unknown, uri: string, mimeType: string | undefined): ResourceContents {
  const common = { uri, ...(mimeType !== undefined && { mimeType }) }
  if (typeof item === 'string') return { ...common, text: item }
  if (item instanceof Uint8Array) return toContents({ ...common, blob: item })
  if (isObject(item) && ('text' in item || 'blob' in item)) {
    return toContents({ ...common, ...item } as Parameters<typeof toContents>[0])
  }
  throw new McpError(
    'invalid_result',
    `Resource ${uri}: expected a string, bytes, or an object with text or blob, got ${describe(item)}`,
  )
}
