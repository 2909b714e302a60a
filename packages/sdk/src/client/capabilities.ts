import { McpError } from '../errors.ts'
import type { ClientCapabilities, ServerCapabilities } from '../model/capabilities.ts'
import { tasksExtension } from '../model/tasks.ts'
import type { Codec } from '../wire/codec.ts'
import type { ConnectOptions } from './options.ts'
import type { ServerDescription } from './types.ts'

/** What the given callbacks let this client promise to a server. */
export function clientCapabilities(options: ConnectOptions): ClientCapabilities {
  const { elicit, sample, roots, capabilities, tasks } = options
  assertExtensionNames(Object.keys(capabilities?.extensions ?? {}))
  return {
    ...capabilities,
    ...(tasks === true ? { extensions: { ...capabilities?.extensions, [tasksExtension]: {} } } : {}),
    ...(roots === undefined ? {} : { roots: { listChanged: true } }),
    ...(sample === undefined ? {} : { sampling: samplingCapability(sample) }),
    ...elicitationCapability(elicit),
  }
}

const label = '[a-z](?:[a-z\\d-]*[a-z\\d])?'
const extensionName = new RegExp(`^${label}(?:\\.${label})*/[a-z\\d](?:[\\w.-]*[a-z\\d])?$`, 'i')

function assertExtensionNames(names: readonly string[]): void {
  const wrong = names.find((name) => !extensionName.test(name))
  if (wrong === undefined) return
  throw new McpError(
    'invalid_argument',
    `capabilities.extensions: expected names with a prefix, such as "com.example/name", got ${JSON.stringify(wrong)}`,
  )
}

function samplingCapability(
  sample: NonNullable<ConnectOptions['sample']>,
): NonNullable<ClientCapabilities['sampling']> {
  if (typeof sample === 'function') return {}
  return { ...(sample.tools ? { tools: {} } : {}), ...(sample.context ? { context: {} } : {}) }
}

function elicitationCapability(elicit: ConnectOptions['elicit']): Pick<ClientCapabilities, 'elicitation'> {
  if (elicit === undefined) return {}
  if (typeof elicit === 'function') return { elicitation: { form: {}, url: {} } }
  const modes = { ...(elicit.form ? { form: {} } : {}), ...(elicit.url ? { url: {} } : {}) }
  // An empty object would mean "form".
  return Object.keys(modes).length === 0 ? {} : { elicitation: modes }
}

interface Need {
  feature: string
  met(capabilities: ServerCapabilities): boolean
}

const need = (feature: string, met: Need['met']): Need => ({ feature, met })
const tools = need('tools', (has) => has.tools !== undefined)
const resources = need('resources', (has) => has.resources !== undefined)
const subscribe = need('resources.subscribe', (has) => has.resources?.subscribe === true)
const prompts = need('prompts', (has) => has.prompts !== undefined)

const needs: ReadonlyMap<string, Need> = new Map([
  ['tools/list', tools],
  ['tools/call', tools],
  ['resources/list', resources],
  ['resources/templates/list', resources],
  ['resources/read', resources],
  ['resources/subscribe', subscribe],
  ['resources/unsubscribe', subscribe],
  ['prompts/list', prompts],
  ['prompts/get', prompts],
  ['completion/complete', need('completions', (has) => has.completions !== undefined)],
  ['logging/setLevel', need('logging', (has) => has.logging !== undefined)],
])

/** Throws `unsupported` for a method that the server did not promise, so that nothing is sent in vain. */
export function assertSupported(method: string, server: ServerDescription, codec: Codec): void {
  if (!codec.requests.client.has(method)) {
    throw new McpError('unsupported', `${method} does not exist in revision ${codec.revision}`)
  }
  const missing = needs.get(method)
  if (missing === undefined || missing.met(server.capabilities)) return
  const who = server.info === undefined ? 'The server' : `The server ${JSON.stringify(server.info.name)}`
  throw new McpError('unsupported', `${who} did not declare the capability ${missing.feature}, which ${method} needs`)
}
