import type { Attributes } from '@opentelemetry/api'
import type { RequestEvent, RequestKind, Whereabouts } from '../telemetry/events.ts'

const maxLength = 1_024

/** Peers choose names and URIs, and their length. */
export const bounded = (text: string): string => (text.length > maxLength ? text.slice(0, maxLength) : text)

/** Adds the name of the tool or prompt that a request is about. */
export function addName(attributes: Attributes, { method, name }: RequestEvent): void {
  if (name === undefined) return
  if (method === 'prompts/get') {
    attributes['gen_ai.prompt.name'] = bounded(name)
    return
  }
  attributes['gen_ai.tool.name'] = bounded(name)
  attributes['gen_ai.operation.name'] = 'execute_tool'
}

/** Adds how a connection is made. The conventions have no transport for connections inside a process. */
export function addTransport(attributes: Attributes, { transport, address, port, revision }: Whereabouts): void {
  if (revision !== undefined) attributes['mcp.protocol.version'] = revision
  const network = networks.get(transport ?? '')
  if (network !== undefined) Object.assign(attributes, network)
  if (address !== undefined) {
    if (transport === 'socket') attributes['network.transport'] = port === undefined ? 'unix' : 'tcp'
    attributes['server.address'] = address
  }
  if (port !== undefined) attributes['server.port'] = port
}

const http: Attributes = { 'network.transport': 'tcp', 'network.protocol.name': 'http' }

const networks: ReadonlyMap<string, Attributes> = new Map<string, Attributes>([
  ['stdio', { 'network.transport': 'pipe' }],
  ['http', http],
  ['http+sse', http],
  ['websocket', { 'network.transport': 'tcp', 'network.protocol.name': 'websocket' }],
])

/** Adds the type of a failure, and the code that was sent or received, if it has one. */
export function addError(attributes: Attributes, { errorType }: { errorType?: string }): void {
  if (errorType === undefined) return
  attributes['error.type'] = errorType
  if (isCode(errorType)) attributes['rpc.response.status_code'] = errorType
}

const isCode = (errorType: string): boolean => /^-?\d+$/.test(errorType)

export const isIncoming = (kind: RequestKind): boolean => kind === 'server.request' || kind === 'client.answer'

/** Whether a name exists: a peer can make up endlessly many that are refused. */
export const isNameKnown = ({ kind, errorType }: RequestEvent): boolean =>
  !isIncoming(kind) || errorType === undefined || errorType === 'tool_error'

const methodNotFound = '-32601'

/** The method, unless it is unknown: a peer can make up endlessly many. */
export const methodOf = ({ method, errorType }: RequestEvent): string =>
  errorType === methodNotFound ? '_OTHER' : bounded(method)
