import { parseChallenges } from '@tenon/sdk/auth'
import type { AuthChallenge } from '@tenon/sdk/client'
import type { AuthorizationExchange, AuthorizationStep } from '../protocol.ts'
import type { JsonMembers } from './exchange.ts'
import { expectedIssuer, type Known } from './explain/known.ts'
import type { Flow } from './flow.ts'
import { readJwt } from './read-jwt.ts'

/** Reads the challenge of a refusal. */
export function learnFromChallenge(known: Known, { status, wwwAuthenticate }: AuthChallenge): void {
  const challenges = parseChallenges(wwwAuthenticate ?? '')
  const forTokens = challenges.filter(({ scheme }) => scheme === 'bearer' || scheme === 'dpop')
  const challenge = forTokens.find(({ params }) => params.has('resource_metadata')) ?? forTokens[0]
  known.status = status
  if (challenge !== undefined) known.challenge = challenge
  known.otherSchemes = challenges.filter((other) => !forTokens.includes(other)).map(({ scheme }) => scheme)
}

/** The client of the workbench, if it did not have to register. */
export function learnClient(known: Known, page: URL): void {
  const id = page.searchParams.get('client_id') ?? ''
  if (known.client?.id === id) return
  const kind = id !== known.clientId ? 'kept' : id.startsWith('https://') ? 'document' : 'given'
  known.client = { kind, id }
}

/** Keeps the members of a reply that later steps need, and names the reply in a few words. */
export function learnFromReply(
  flow: Flow,
  step: AuthorizationStep,
  exchange: AuthorizationExchange,
  members: JsonMembers | undefined,
): void {
  const { known } = flow
  const isGood = exchange.status !== undefined && exchange.status >= 200 && exchange.status < 300
  const found = isGood ? members : undefined
  switch (step.name) {
    case 'resource':
      exchange.outcome ??= documentWords(exchange, found)
      if (typeof found?.resource === 'string') known.resource = found
      return
    case 'issuer':
      exchange.outcome ??= issuerWords(exchange, found, expectedIssuer(known))
      if (found !== undefined) known.issuer = found
      return
    case 'client':
      exchange.outcome ??= typeof found?.client_id === 'string' ? 'registered' : 'refused'
      if (typeof found?.client_id === 'string') known.client = { kind: 'registered', id: found.client_id }
      return
    case 'refresh':
    case 'token':
      exchange.outcome ??= typeof found?.access_token === 'string' ? 'a token' : 'no token'
      if (typeof found?.access_token === 'string') learnToken(flow, step, found, found.access_token)
      return
    default:
      return
  }
}

function learnToken({ known, hider }: Flow, step: AuthorizationStep, members: JsonMembers, token: string): void {
  known.token = members
  const claims = readJwt(token)
  if (claims === undefined) return
  known.claims = claims
  step.claims = hider.json(claims) as JsonMembers
}

function documentWords({ status = 0 }: AuthorizationExchange, found: JsonMembers | undefined): string {
  if (found !== undefined) return 'metadata'
  if (status === 200) return 'no JSON object'
  return status >= 500 || status === 429 ? 'fails' : 'nothing here'
}

function issuerWords(exchange: AuthorizationExchange, found: JsonMembers | undefined, wanted: string): string {
  if (found === undefined || found.issuer === wanted) return documentWords(exchange, found)
  return 'names another issuer'
}
