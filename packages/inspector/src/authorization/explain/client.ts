import type { AuthorizationStep } from '../../protocol.ts'
import type { JsonMembers } from '../exchange.ts'
import { type ClientKind, type Explanation, factsOf, type Known, note } from './known.ts'

const kinds: { [Kind in ClientKind]: string } = {
  given: 'The client id is the one of the settings: the authorization server knows it already',
  document: 'The client id is the address of a document about the client, which the authorization server reads',
  registered: 'The workbench has registered itself (RFC 7591)',
  kept: 'The workbench had registered itself before, and is still known',
}

const meanings: ReadonlyMap<string, string> = new Map([
  ['client_id', 'who the workbench is from now on'],
  ['client_name', 'its name on the page of consent'],
  ['redirect_uris', 'where people may be sent back to'],
  ['token_endpoint_auth_method', 'how it proves who it is'],
  ['grant_types', 'the ways to a token that it may use'],
  ['application_type', 'native: redirects to this machine are allowed'],
  ['scope', 'the scopes that it may request'],
  ['client_secret_expires_at', 'when it has to register anew; 0 is never'],
])

/** The client that the authorization server sees in the workbench. */
export function explainClient({ exchanges }: AuthorizationStep, { client, clientId }: Known): Explanation {
  if (client === undefined) return { facts: [], findings: [] }
  const { kind, id } = client
  const reply = exchanges.findLast(({ status }) => status === 200 || status === 201)?.reply as JsonMembers | undefined
  const isTurnedDown = clientId !== undefined && kind !== 'given' && kind !== 'document'
  return {
    facts:
      reply === undefined
        ? [{ name: 'client_id', value: id, meaning: 'who the workbench is' }]
        : factsOf(reply, meanings),
    findings: [
      note(kinds[kind]),
      ...(isTurnedDown ? [note('The authorization server does not support documents about clients')] : []),
    ],
  }
}
