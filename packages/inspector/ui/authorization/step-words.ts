import type { AuthorizationFlow, AuthorizationStep, AuthorizationStepName } from '../../src/protocol.ts'

/** The title and the explanation of a step. */
export const stepWords: { [Name in AuthorizationStepName]: [title: string, about: string] } = {
  request: ['Request without a token', 'The server is asked without credentials, and answers with its challenge.'],
  resource: ['Metadata of the server', 'The server says who issues its tokens.'],
  issuer: ['Metadata of the authorization server', 'The authorization server says where its endpoints are.'],
  refresh: ['Renewing the token', 'The refresh token is exchanged for a new access token.'],
  client: ['Client registration', 'The workbench needs an id that the authorization server knows.'],
  consent: ['The person agrees', 'A page of the authorization server asks you.'],
  redirect: ['The way back', 'You come back with a code; who sent you is checked.'],
  token: ['The token', 'The code is exchanged for a token.'],
  retry: ['Request with the token', 'The request is sent again.'],
  revocation: ['Giving the token back', 'The authorization server is told that the token is no longer needed.'],
}

/** The first step is another one where there was a token before. */
export function stepTitle({ name }: AuthorizationStep, { cause }: AuthorizationFlow): string {
  if (name === 'request' && cause === 'step-up') return 'Request that needs more'
  if (name === 'request' && cause === 'renewal') return 'Request with the token of before'
  return stepWords[name][0]
}

export const causeWords: { [Cause in AuthorizationFlow['cause']]: string } = {
  'sign-in': 'Signing in',
  stored: 'With the token of before',
  renewal: 'Renewing the token',
  'step-up': 'Asking for more scopes',
  'sign-out': 'Signing out',
}

export const statusMarks: { [Status in AuthorizationStep['status']]: [mark: string, words: string] } = {
  waiting: ['', 'not yet'],
  running: ['…', 'running'],
  ok: ['✓', 'works'],
  warning: ['!', 'look here'],
  failed: ['✕', 'fails'],
  skipped: ['–', 'not needed'],
}

/** How a flow went, in a word or two. */
export function flowOutcome({ over, held, steps }: AuthorizationFlow): string {
  if (held !== undefined) return 'waits for you'
  if (!over) return 'running'
  if (steps.some(({ status }) => status === 'failed')) return 'failed'
  if (steps.some(({ status }) => status === 'warning')) return 'went well, with warnings'
  return steps.some(({ status }) => status === 'ok') ? 'went well' : 'ended'
}
