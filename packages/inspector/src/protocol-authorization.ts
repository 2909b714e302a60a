/** A step of authorization, in the order in which they are taken. `refresh` and `revocation` are there only when they happen. */
export type AuthorizationStepName =
  | 'request'
  | 'resource'
  | 'issuer'
  | 'refresh'
  | 'client'
  | 'consent'
  | 'redirect'
  | 'token'
  | 'retry'
  | 'revocation'

/** A request and its reply. Secrets in it are `hidden`. */
export interface AuthorizationExchange {
  method: string
  url: string
  headers: { [name: string]: string }
  /** The value of a JSON body, or the fields of a form. */
  body?: unknown
  /** `held`: it is sent when the person says so. */
  state: 'held' | 'sent' | 'answered' | 'failed'
  status?: number
  replyHeaders?: { [name: string]: string }
  /** The value of a JSON reply, or the text of any other. */
  reply?: unknown
  /** The URL of the reply, if the request was redirected. */
  repliedFrom?: string
  error?: string
  durationMs?: number
  /** Its outcome, in a few words. */
  outcome?: string
}

/** A parameter, a member of a document or a claim, and its meaning. */
export interface AuthorizationFact {
  name: string
  value: unknown
  meaning?: string
}

/** Something worth knowing about a step. */
export interface AuthorizationFinding {
  level: 'note' | 'warning' | 'failure'
  text: string
  /** The rule of the specifications. */
  expected?: string
  /** The next step for a person. */
  next?: string
}

export interface AuthorizationStep {
  name: AuthorizationStepName
  status: 'waiting' | 'running' | 'ok' | 'warning' | 'failed' | 'skipped'
  exchanges: AuthorizationExchange[]
  facts: AuthorizationFact[]
  findings: AuthorizationFinding[]
  /** The contents of a JWT. */
  claims?: { [claim: string]: unknown }
  durationMs?: number
}

/** From a request that needs a token to the answer that it got with one. */
export interface AuthorizationFlow {
  id: number
  /**
   * - `sign-in`: there was no token
   * - `stored`: there was one from before
   * - `renewal`: the token has expired, or is not accepted any more
   * - `step-up`: the token lacks a scope
   * - `sign-out`: the token is revoked
   */
  cause: 'sign-in' | 'stored' | 'renewal' | 'step-up' | 'sign-out'
  /** When it began; epoch milliseconds. */
  at: number
  steps: AuthorizationStep[]
  over: boolean
  /** The step that waits for the person to let it go on. */
  held?: AuthorizationStepName
}

/** The token for a server, without its value. */
export interface AuthorizationToken {
  issuer: string
  resource?: string
  scopes: string[]
  clientId: string
  renewAt?: number
  renewable: boolean
}

/** The authorization of a server as the page sees it. */
export interface AuthorizationView {
  /** Whether every request of it waits for the person. */
  halting: boolean
  /** The newest last. */
  flows: AuthorizationFlow[]
  token?: AuthorizationToken
}

type Nothing = Record<string, never>

export interface AuthorizationCommands {
  /** Finds out which token there is; the answer is an event. */
  'authorization.look': { params: { server: string }; result: Nothing }
  /** Whether each request waits from now on. Waiting requests go on when it is turned off. */
  'authorization.halt': { params: { server: string; halting: boolean }; result: Nothing }
  /** Lets the request that waits go. */
  'authorization.next': { params: { server: string }; result: Nothing }
  /** Disconnects, and forgets tokens, registration and all flows. */
  'authorization.startOver': { params: { server: string }; result: Nothing }
}
