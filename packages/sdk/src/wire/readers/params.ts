import type { JsonObject } from '../../jsonrpc/message.ts'
import {
  clientCapabilitiesReader,
  implementation,
  loggingLevel,
  requestMeta,
  role,
  samplingContent,
  toolReader,
} from './common.ts'
import type { Reader, ReadersByMethod } from './reader.ts'
import {
  anyObject,
  anything,
  array,
  boolean,
  byType,
  idOrToken,
  inSequence,
  mapOf,
  number,
  object,
  oneOf,
  optional,
  orElse,
  readersByMethod,
  string,
} from './reader.ts'

const request = (members: { readonly [name: string]: Reader } = {}): Reader =>
  object({ _meta: requestMeta, ...members })

const notification = (members: { readonly [name: string]: Reader } = {}): Reader =>
  object({ _meta: optional(anyObject), ...members })

const page = (): Reader => request({ cursor: optional(string) })
const ofResource = (): Reader => request({ uri: string })

const ofTask = (): Reader => request({ taskId: string })

const retry = (): { readonly [name: string]: Reader } => ({
  inputResponses: optional(mapOf(anyObject)),
  requestState: optional(string),
})

const reference = (): Reader =>
  inSequence(
    object({ type: oneOf(['ref/prompt', 'ref/resource']) }),
    byType({ 'ref/prompt': object({ name: string }), 'ref/resource': object({ uri: string }) }),
  )

const form = (): Reader =>
  request({
    message: string,
    requestedSchema: object({ properties: mapOf(object({ type: string })), required: optional(array(string)) }),
  })
const url = (): Reader => request({ message: string, url: string, elicitationId: optional(string) })
const mode = (): Reader => object({ mode: optional(oneOf(['form', 'url'])) })

const elicitation = (): Reader => {
  const [asUrl, asForm] = [url(), form()]
  return inSequence(mode(), (params) => ((params as JsonObject).mode === 'url' ? asUrl(params) : asForm(params)))
}

const subscriptionFilter = (): Reader =>
  object({
    toolsListChanged: optional(boolean),
    promptsListChanged: optional(boolean),
    resourcesListChanged: optional(boolean),
    resourceSubscriptions: optional(array(string)),
    taskIds: optional(array(string)),
  })

/** The readers of params, by method. */
export const paramsReaders: ReadersByMethod = readersByMethod({
  initialize: () =>
    request({ protocolVersion: string, capabilities: clientCapabilitiesReader(), clientInfo: implementation }),
  'server/discover': () => request(),
  ping: () => request(),
  'tools/list': page,
  'tools/call': () => request({ name: string, arguments: optional(anyObject), ...retry() }),
  'resources/list': page,
  'resources/templates/list': page,
  'resources/read': () => request({ uri: string, ...retry() }),
  'resources/subscribe': ofResource,
  'resources/unsubscribe': ofResource,
  'prompts/list': page,
  'prompts/get': () => request({ name: string, arguments: optional(mapOf(string)), ...retry() }),
  'completion/complete': () =>
    request({
      ref: reference(),
      argument: object({ name: string, value: string }),
      context: optional(object({ arguments: optional(mapOf(string)) })),
    }),
  'tasks/get': ofTask,
  'tasks/result': ofTask,
  'tasks/cancel': ofTask,
  'tasks/update': () => request({ taskId: string, inputResponses: orElse(mapOf(anyObject), {}) }),
  'tasks/list': page,
  'logging/setLevel': () => request({ level: loggingLevel }),
  'subscriptions/listen': () => request({ notifications: subscriptionFilter() }),
  'roots/list': () => request(),
  'sampling/createMessage': () =>
    request({
      messages: array(object({ role, content: samplingContent() })),
      maxTokens: number,
      systemPrompt: optional(string),
      modelPreferences: optional(anyObject),
      includeContext: optional(string),
      temperature: optional(number),
      stopSequences: optional(array(string)),
      metadata: optional(anyObject),
      tools: optional(array(toolReader())),
      toolChoice: optional(anyObject),
    }),
  'elicitation/create': elicitation,
  'notifications/initialized': () => notification(),
  // 2025-11-25 lets the id be absent; such a cancellation names nothing and cancels nothing.
  'notifications/cancelled': () => notification({ requestId: optional(idOrToken), reason: optional(string) }),
  'notifications/progress': () =>
    notification({
      progressToken: idOrToken,
      progress: number,
      total: optional(number),
      message: optional(string),
    }),
  'notifications/message': () => notification({ level: string, logger: optional(string), data: anything }),
  'notifications/resources/updated': () => notification({ uri: string }),
  'notifications/resources/list_changed': () => notification(),
  'notifications/tools/list_changed': () => notification(),
  'notifications/prompts/list_changed': () => notification(),
  'notifications/roots/list_changed': () => notification(),
  'notifications/elicitation/complete': () => notification({ elicitationId: string }),
  'notifications/subscriptions/acknowledged': () => notification({ notifications: subscriptionFilter() }),
})
