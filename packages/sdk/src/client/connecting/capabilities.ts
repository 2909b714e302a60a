import { McpError } from '../../errors.ts'
import type { ClientCapabilities, ServerCapabilities } from '../../model/capabilities.ts'
import { wrongExtensionName } from '../../model/extension-name.ts'
import { tasksExtension } from '../../model/tasks.ts'
import type { Codec } from '../../wire/codec.ts'
import type { ConnectOptions } from '../options.ts'
import type { ServerDescription } from '../types.ts'

/** The client capabilities that the given callbacks imply. */
export function impliedCapabilities(options: ConnectOptions): ClientCapabilities {
  const { elicit, sample, roots, capabilities } = options
  return {
    ...capabilities,
    ...extensionsOf(options),
    ...(roots === undefined ? {} : { roots: { listChanged: true } }),
    ...(sample === undefined ? {} : { sampling: samplingCapability(sample) }),
    ...elicitationCapability(elicit),
  }
}

/** The extensions that were spelled out, and those that were given as such. */
function extensionsOf({
  capabilities,
  auth,
  extensions = [],
  tasks,
}: ConnectOptions): Pick<ClientCapabilities, 'extensions'> {
  const spelled = capabilities?.extensions ?? {}
  const problem = wrongExtensionName(Object.keys(spelled))
  if (problem !== undefined) throw new McpError('invalid_argument', `capabilities.extensions: ${problem}`)
  const declared = {
    ...Object.fromEntries((auth?.extensions ?? []).map((id) => [id, {}])),
    ...spelled,
    ...(tasks && { [tasksExtension]: {} }),
    ...Object.fromEntries(extensions.map(({ extension, settings }) => [extension.id, settings])),
  }
  return Object.keys(declared).length === 0 ? {} : { extensions: declared }
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

/** Throws `unsupported` for a method that the server did not declare, before anything is sent. */
export function assertSupported(method: string, server: ServerDescription, codec: Codec): void {
  if (!codec.requests.client.has(method)) {
    throw new McpError('unsupported', `${method} does not exist in revision ${codec.revision}`)
  }
  const missing = needs.get(method)
  if (missing === undefined || missing.met(server.capabilities)) return
  const who = server.info === undefined ? 'The server' : `The server ${JSON.stringify(server.info.name)}`
  throw new McpError('unsupported', `${who} did not declare the capability ${missing.feature}, which ${method} needs`)
}
