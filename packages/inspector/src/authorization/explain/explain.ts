import type { AuthorizationStep } from '../../protocol.ts'
import { explainClient } from './client.ts'
import { explainConsent, explainRedirect } from './consent.ts'
import { explainIssuer } from './issuer.ts'
import { type Explanation, type Known, note, warning } from './known.ts'
import { explainRequest } from './request.ts'
import { explainResource } from './resource.ts'
import { explainToken } from './token.ts'

/** The facts of a step, and the findings about it. */
export function explain(step: AuthorizationStep, known: Known): Explanation {
  switch (step.name) {
    case 'request':
      return explainRequest(step, known)
    case 'resource':
      return explainResource(step, known)
    case 'issuer':
      return explainIssuer(step, known)
    case 'client':
      return explainClient(step, known)
    case 'consent':
      return explainConsent(known)
    case 'redirect':
      return explainRedirect(known)
    case 'refresh':
    case 'token':
      return explainToken(step, known)
    case 'retry':
      return { facts: [], findings: [accepted(step)] }
    case 'revocation':
      return { facts: [], findings: [] }
  }
}

function accepted({ exchanges }: AuthorizationStep) {
  const status = exchanges.at(-1)?.status
  if (status === undefined) return note('There was no answer')
  if (status === 401 || status === 403) return warning(`The server does not accept the token (HTTP ${status})`)
  return note(
    status < 400 ? 'The server accepts the token' : `The token is accepted; HTTP ${status} is about something else`,
  )
}
