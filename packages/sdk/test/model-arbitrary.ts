import fc from 'fast-check'
import type { JsonObject } from '../src/jsonrpc/message.ts'
import { loggingLevels } from '../src/model/logging.ts'

type Objects = fc.Arbitrary<JsonObject>
type Members = { [name: string]: fc.Arbitrary<unknown> }

/** An object with required and optional members. */
const shape = (required: Members, optional: Members = {}): Objects =>
  fc.record({ ...required, ...optional }, { requiredKeys: Object.keys(required) }) as Objects

const few = <T>(item: fc.Arbitrary<T>): fc.Arbitrary<T[]> => fc.array(item, { maxLength: 3 })
const named = <T>(value: fc.Arbitrary<T>): Objects => fc.dictionary(name, value, { maxKeys: 3 }) as Objects

const text = fc.string({ maxLength: 12 })
const name = fc.oneof(text, fc.constantFrom('__proto__', 'constructor', 'a b', 'größe'))
const uri = fc.constantFrom('file:///a.txt', 'https://example.com/x?y=1', 'ui://widget')
const mimeType = fc.constantFrom('text/plain', 'audio/wav', 'image/png')
const data = fc.base64String({ maxLength: 16 })
const json = fc.jsonValue({ maxDepth: 2 })
const jsonObject = named(json)
const share = fc.double({ min: 0, max: 1, noNaN: true })
const role = fc.constantFrom('user', 'assistant')
const meta = { _meta: jsonObject }

const annotations = {
  annotations: shape({}, { audience: few(role), priority: share, lastModified: fc.constant('2025-01-12T15:00:58Z') }),
}
const icon = shape(
  { src: uri },
  { mimeType, sizes: few(fc.constantFrom('48x48', 'any')), theme: fc.constantFrom('light', 'dark') },
)
const icons = { icons: few(icon) }
const titled = { title: text, description: text }

const implementation = shape({ name: text, version: text }, { ...titled, websiteUrl: uri, ...icons })

const contents = fc.oneof(
  shape({ uri, text }, { mimeType, ...meta }),
  shape({ uri, blob: data }, { mimeType, ...meta }),
)

const is = (type: string) => ({ type: fc.constant(type) })
const textBlock = shape({ ...is('text'), text }, { ...annotations, ...meta })
const mediaBlock = (type: string) => shape({ ...is(type), data, mimeType }, { ...annotations, ...meta })
const linkBlock = shape(
  { ...is('resource_link'), uri, name: text },
  { ...titled, mimeType, size: fc.nat(), ...icons, ...annotations, ...meta },
)
const resourceBlock = shape({ ...is('resource'), resource: contents }, { ...annotations, ...meta })
export const contentBlock: Objects = fc.oneof(
  textBlock,
  mediaBlock('image'),
  mediaBlock('audio'),
  linkBlock,
  resourceBlock,
)

const subschema = fc.oneof(
  fc.boolean(),
  fc.constantFrom({}, { type: 'string' }, { $ref: '#/$defs/a' }, { enum: [1, null] }, { type: ['number', 'null'] }),
  shape({ properties: named(fc.boolean()) }),
)
const schemaMembers = {
  properties: named(subschema),
  required: few(name),
  $schema: fc.constant('https://json-schema.org/draft/2020-12/schema'),
  $defs: named(subschema),
  additionalProperties: subschema,
  anyOf: few(subschema),
}
const objectSchema = shape(is('object'), schemaMembers)
const anySchema = fc.oneof(
  objectSchema,
  shape(is('array'), { items: subschema }),
  shape({}, { anyOf: few(subschema), properties: named(subschema) }),
  shape({ type: fc.constant(['object', 'null']) }),
)
const tool = shape(
  { name: text, inputSchema: objectSchema },
  {
    ...titled,
    outputSchema: anySchema,
    annotations: shape(
      {},
      {
        title: text,
        readOnlyHint: fc.boolean(),
        destructiveHint: fc.boolean(),
        idempotentHint: fc.boolean(),
        openWorldHint: fc.boolean(),
      },
    ),
    ...icons,
    ...meta,
  },
)

const listChanged = { listChanged: fc.boolean() }
const open = { experimental: named(jsonObject), extensions: named(jsonObject) }
export const clientCapabilities: Objects = shape(
  {},
  {
    roots: shape({}, listChanged),
    sampling: shape({}, { context: jsonObject, tools: jsonObject }),
    elicitation: shape({}, { form: jsonObject, url: jsonObject }),
    ...open,
  },
)
const serverCapabilities = shape(
  {},
  {
    tools: shape({}, listChanged),
    resources: shape({}, { ...listChanged, subscribe: fc.boolean() }),
    prompts: shape({}, listChanged),
    completions: jsonObject,
    logging: jsonObject,
    ...open,
  },
)

const toolResult = {
  required: { content: few(contentBlock) },
  optional: { structuredContent: json, isError: fc.boolean(), ...meta },
}
const samplingBlock = fc.oneof(
  textBlock,
  mediaBlock('image'),
  mediaBlock('audio'),
  shape({ ...is('tool_use'), id: text, name: text, input: jsonObject }, meta),
  shape({ ...is('tool_result'), toolUseId: text, ...toolResult.required }, toolResult.optional),
)
const samplingContent = fc.oneof(samplingBlock, few(samplingBlock))

const option = shape({ const: text, title: text })
const bounds = { minItems: fc.nat(3), maxItems: fc.nat(3) }
/** Every kind of field that a form can have. */
export const elicitationField: Objects = fc.oneof(
  shape(is('string'), {
    ...titled,
    minLength: fc.nat(),
    format: fc.constantFrom('email', 'uri', 'date'),
    default: text,
  }),
  shape({ type: fc.constantFrom('number', 'integer') }, { ...titled, minimum: share, maximum: share, default: share }),
  shape(is('boolean'), { ...titled, default: fc.boolean() }),
  shape({ ...is('string'), enum: few(text) }, { ...titled, enumNames: few(text), default: text }),
  shape({ ...is('string'), oneOf: few(option) }, { ...titled, default: text }),
  shape(
    { ...is('array'), items: fc.oneof(shape({ ...is('string'), enum: few(text) }), shape({ anyOf: few(option) })) },
    { ...titled, ...bounds, default: few(text) },
  ),
)
const elicitationForm = shape(
  { ...is('object'), properties: named(elicitationField) },
  { $schema: text, required: few(name) },
)

const page = shape({}, { cursor: text, ...meta })
const anyRequest = shape({}, meta)
const anyNotification = shape({}, meta)
const ofResource = shape({ uri }, meta)
const subscriptions = shape(
  {},
  {
    toolsListChanged: fc.boolean(),
    promptsListChanged: fc.boolean(),
    resourcesListChanged: fc.boolean(),
    resourceSubscriptions: few(uri),
  },
)
const token = fc.oneof(text, fc.integer())

/** Params in the model, by method. */
export const modelParams: { readonly [method: string]: Objects } = {
  initialize: shape({ protocolVersion: text, capabilities: clientCapabilities, clientInfo: implementation }, meta),
  'server/discover': anyRequest,
  ping: anyRequest,
  'subscriptions/listen': shape({ notifications: subscriptions }, meta),
  'tools/list': page,
  'tools/call': shape({ name: text }, { arguments: jsonObject, ...meta }),
  'resources/list': page,
  'resources/templates/list': page,
  'resources/read': ofResource,
  'resources/subscribe': ofResource,
  'resources/unsubscribe': ofResource,
  'prompts/list': page,
  'prompts/get': shape({ name: text }, { arguments: named(text), ...meta }),
  'completion/complete': shape(
    {
      ref: fc.oneof(
        shape({ ...is('ref/prompt'), name: text }, { title: text }),
        shape({ ...is('ref/resource'), uri: fc.constant('file:///{path}') }),
      ),
      argument: shape({ name: text, value: text }),
    },
    { context: shape({}, { arguments: named(text) }), ...meta },
  ),
  'logging/setLevel': shape({ level: fc.constantFrom(...loggingLevels) }, meta),
  'roots/list': anyRequest,
  'sampling/createMessage': shape(
    { messages: few(shape({ role, content: samplingContent }, meta)), maxTokens: fc.nat() },
    {
      systemPrompt: text,
      modelPreferences: shape({}, { hints: few(shape({}, { name: text })), costPriority: share, speedPriority: share }),
      includeContext: fc.constantFrom('none', 'thisServer', 'allServers'),
      temperature: share,
      stopSequences: few(text),
      metadata: jsonObject,
      tools: few(tool),
      toolChoice: shape({}, { mode: fc.constantFrom('auto', 'required', 'none') }),
      ...meta,
    },
  ),
  'elicitation/create': fc.oneof(
    shape({ message: text, requestedSchema: elicitationForm }, { mode: fc.constant('form'), ...meta }),
    shape({ message: text, mode: fc.constant('url'), url: uri }, { elicitationId: text, ...meta }),
  ),
  'notifications/initialized': anyNotification,
  'notifications/cancelled': shape({ requestId: token }, { reason: text, ...meta }),
  'notifications/progress': shape({ progressToken: token, progress: share }, { total: share, message: text, ...meta }),
  'notifications/message': shape({ level: fc.constantFrom(...loggingLevels), data: json }, { logger: text, ...meta }),
  'notifications/resources/updated': ofResource,
  'notifications/resources/list_changed': anyNotification,
  'notifications/tools/list_changed': anyNotification,
  'notifications/prompts/list_changed': anyNotification,
  'notifications/roots/list_changed': anyNotification,
  'notifications/elicitation/complete': shape({ elicitationId: text }, meta),
  'notifications/subscriptions/acknowledged': shape({ notifications: subscriptions }, meta),
}

const cacheable = {
  ttlMs: fc.nat(),
  cacheScope: fc.constantFrom('public', 'private'),
  resultType: fc.constant('complete'),
}
const listOf = (member: string, item: Objects) =>
  shape({ [member]: few(item) }, { nextCursor: text, ...cacheable, ...meta })
const empty = shape({}, meta)

const inputRequired = shape({
  resultType: fc.constant('input_required'),
  inputRequests: named(
    fc.oneof(
      shape({ method: fc.constant('elicitation/create'), params: modelParams['elicitation/create']! }),
      shape({ method: fc.constant('sampling/createMessage'), params: modelParams['sampling/createMessage']! }),
      shape({ method: fc.constant('roots/list') }),
    ),
  ),
  requestState: text,
})

/** Results that request input instead of answering, from 2026-07-28. */
export const modelInputRequired: Objects = inputRequired

/** Results in the model, by method. */
export const modelResults: { readonly [method: string]: Objects } = {
  initialize: shape(
    { protocolVersion: text, capabilities: serverCapabilities, serverInfo: implementation },
    { instructions: text, ...meta },
  ),
  'server/discover': shape(
    { supportedVersions: few(text), capabilities: serverCapabilities },
    { instructions: text, ...cacheable, ...meta },
  ),
  ping: empty,
  'subscriptions/listen': shape({ _meta: fc.constant({ 'io.modelcontextprotocol/subscriptionId': 1 }) }),
  'tools/list': listOf('tools', tool),
  'tools/call': shape(toolResult.required, { ...toolResult.optional, resultType: fc.constant('complete') }),
  'resources/list': listOf(
    'resources',
    shape({ uri, name: text }, { ...titled, mimeType, size: fc.nat(), ...icons, ...annotations, ...meta }),
  ),
  'resources/templates/list': listOf(
    'resourceTemplates',
    shape({ uriTemplate: fc.constant('file:///{path}'), name: text }, { ...titled, ...icons, ...annotations, ...meta }),
  ),
  'resources/read': shape({ contents: few(contents) }, { ...cacheable, ...meta }),
  'resources/subscribe': empty,
  'resources/unsubscribe': empty,
  'prompts/list': listOf(
    'prompts',
    shape(
      { name: text },
      { ...titled, arguments: few(shape({ name: text }, { ...titled, required: fc.boolean() })), ...icons, ...meta },
    ),
  ),
  'prompts/get': shape({ messages: few(shape({ role, content: contentBlock })) }, { description: text, ...meta }),
  'completion/complete': shape(
    { completion: shape({ values: few(text) }, { total: fc.nat(), hasMore: fc.boolean() }) },
    meta,
  ),
  'logging/setLevel': empty,
  'roots/list': shape({ roots: few(shape({ uri }, { name: text, ...meta })) }, meta),
  'sampling/createMessage': shape(
    { role, content: samplingContent, model: text },
    { stopReason: fc.constantFrom('endTurn', 'toolUse', 'other'), ...meta },
  ),
  'elicitation/create': shape(
    { action: fc.constantFrom('accept', 'decline', 'cancel') },
    { content: named(fc.oneof(text, share, fc.integer(), fc.boolean(), few(text))), ...meta },
  ),
}
