import type { Attributes } from '@opentelemetry/api'
import type { RequestEvent, RequestKind, Whereabouts } from '../telemetry/events.ts'

const maxLength = 1_024

/** Peers choose names and URIs, and their length. */
export const bounded = (text: string): string => (text.length > maxLength ? text.slice(0, maxLength) : text)

/** The name of the tool or prompt that a request is about. */
export function nameAttributes({ method, name }: RequestEvent): Attributes {
  if (name === undefined) return {}
  if (method === 'prompts/get') return { 'gen_ai.prompt.name': bounded(name) }
  return { 'gen_ai.tool.name': bounded(name), 'gen_ai.operation.name': 'execute_tool' }
}

/** How a connection is made. The conventions have no transport for connections inside a process. */
export function transportAttributes({ transport, address, port, revision }: Whereabouts): Attributes {
  return {
    ...(revision !== undefined && { 'mcp.protocol.version': revision }),
    ...networks.get(transport ?? ''),
    ...(transport === 'socket' &&
      address !== undefined && { 'network.transport': port === undefined ? 'unix' : 'tcp' }),
    ...(address !== undefined && { 'server.address': address }),
    ...(port !== undefined && { 'server.port': port }),
  }
}

const http: Attributes = { 'network.transport': 'tcp', 'network.protocol.name': 'http' }

const networks: ReadonlyMap<string, Attributes> = new Map<string, Attributes>([
  ['stdio', { 'network.transport': 'pipe' }],
  ['http', http],
  ['http+sse', http],
  ['websocket', { 'network.transport': 'tcp', 'network.protocol.name': 'websocket' }],
])

/** The type of a failure, and the code that was sent or received, if it has one. */
export function errorAttributes({ errorType }: { errorType?: string }): Attributes {
  if (errorType === undefined) return {}
  return { 'error.type': errorType, ...(isCode(errorType) && { 'rpc.response.status_code': errorType }) }
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
