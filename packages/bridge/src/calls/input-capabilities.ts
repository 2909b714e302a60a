import type { ClientCapabilities } from '@tenon/sdk/client'

/** The requests that a server may answer with `input_required`. */
export const inputMethods: ReadonlySet<string> = new Set(['tools/call', 'resources/read', 'prompts/get'])

const required: ReadonlyMap<string, keyof ClientCapabilities> = new Map([
  ['elicitation/create', 'elicitation'],
  ['sampling/createMessage', 'sampling'],
  ['roots/list', 'roots'],
])

/** True if a client declared that it answers this request; extensions declare theirs in their own way. */
export function canBeAsked(method: string, capabilities: ClientCapabilities): boolean {
  const name = required.get(method)
  return name === undefined || capabilities[name] !== undefined
}

/** True if the request can be an input request of a stateless server. */
export const isInputRequest = (method: string): boolean => required.has(method)

/** True if a client answers any request of a server. */
export const answersRequests = (capabilities: ClientCapabilities): boolean =>
  [...required.values()].some((name) => capabilities[name] !== undefined)
