import { isObject } from '../change.ts'
import {
  contentBlock,
  implementation,
  resourceContents,
  role,
  samplingContent,
  serverCapabilities,
  toolReader,
} from './common.ts'
import type { Reader, ReadersByMethod } from './reader.ts'
import {
  anyObject,
  array,
  boolean,
  inSequence,
  kindOf,
  Mismatch,
  mapOf,
  number,
  object,
  oneOf,
  optional,
  readersByMethod,
  string,
} from './reader.ts'

const result = (members: { readonly [name: string]: Reader } = {}): Reader =>
  object({ _meta: optional(anyObject), ...members })

const cacheable = { ttlMs: optional(number), cacheScope: optional(string) }

const listOf = (name: string, item: Reader): Reader =>
  result({ [name]: array(item), nextCursor: optional(string), ...cacheable })

const described = { name: string, title: optional(string), description: optional(string) }

const prompt = (): Reader =>
  object({
    ...described,
    arguments: optional(array(object({ name: string, description: optional(string), required: optional(boolean) }))),
  })

// Some servers answer with structured content alone, and drafts before 2024-11-05 with `toolResult`.
const withContent: Reader = (value) => {
  if (!isObject(value) || (value.content !== undefined && value.content !== null)) return value
  const hasOther = Object.hasOwn(value, 'structuredContent') || Object.hasOwn(value, 'toolResult')
  return hasOther ? { ...value, content: [] } : value
}

const elicitedValue: Reader = (value) => {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value
  return Array.isArray(value) ? strings(value) : new Mismatch('a string, number, boolean or array', kindOf(value))
}
const strings = array(string)

const inputRequest = object({ method: string, params: optional(anyObject) })

/** Requests input instead of answering, from 2026-07-28. The params of the input requests are decoded later. */
export const inputRequiredReader: Reader = result({
  inputRequests: optional(mapOf(inputRequest)),
  requestState: optional(string),
})

/** The readers of results, by method. */
export const resultReaders: ReadersByMethod = readersByMethod({
  initialize: () =>
    result({
      protocolVersion: string,
      capabilities: serverCapabilities(),
      serverInfo: implementation,
      instructions: optional(string),
    }),
  'server/discover': () =>
    result({
      supportedVersions: strings,
      capabilities: serverCapabilities(),
      instructions: optional(string),
      ...cacheable,
    }),
  ping: () => result(),
  'tools/list': () => listOf('tools', toolReader()),
  'tools/call': () => inSequence(withContent, result({ content: array(contentBlock()), isError: optional(boolean) })),
  'resources/list': () => listOf('resources', object({ ...described, uri: string, mimeType: optional(string) })),
  'resources/templates/list': () =>
    listOf('resourceTemplates', object({ ...described, uriTemplate: string, mimeType: optional(string) })),
  'resources/read': () => result({ contents: array(resourceContents()), ...cacheable }),
  'resources/subscribe': () => result(),
  'resources/unsubscribe': () => result(),
  'prompts/list': () => listOf('prompts', prompt()),
  'prompts/get': () =>
    result({
      description: optional(string),
      messages: array(object({ role, content: contentBlock() })),
    }),
  'completion/complete': () =>
    result({
      completion: object({ values: strings, total: optional(number), hasMore: optional(boolean) }),
    }),
  'logging/setLevel': () => result(),
  'subscriptions/listen': () => result(),
  'roots/list': () => result({ roots: array(object({ uri: string, name: optional(string) })) }),
  'sampling/createMessage': () =>
    result({ role, content: samplingContent(), model: string, stopReason: optional(string) }),
  'elicitation/create': () =>
    result({
      action: oneOf(['accept', 'decline', 'cancel']),
      content: optional(mapOf(optional(elicitedValue))),
    }),
})
