/** An issuer without a port, and its clients. */
import { type Issuer, issuer } from './issuer.ts'
import type { IssuerEvent, IssuerOptions } from './options.ts'
import { hashOf } from './state/secrets.ts'
import { type VisitedPage, Visitor } from './visitor.suite.ts'

interface TokenReply {
  status: number
  headers: Headers
  body: { [member: string]: unknown }
  access: string
  refresh: string
}

export const redirectUri = 'https://app.example/callback'
export const verifier = 'v'.repeat(43)
export const server = 'https://mcp.example/mcp'

type Form = { [name: string]: string | undefined }

export class Desk {
  readonly as: Issuer
  readonly events: IssuerEvent[] = []
  readonly errors: unknown[] = []
  readonly visitor: Visitor
  /** Of the issuer, in ms. */
  time: number = Date.now()

  constructor(options: Partial<IssuerOptions> = {}) {
    this.as = issuer({
      url: 'http://127.0.0.1:4000',
      now: () => this.time,
      onEvent: (event) => this.events.push(event),
      onError: (error) => this.errors.push(error),
      ...options,
    })
    this.visitor = new Visitor((request) => this.as.fetch(request, { address: '203.0.113.7' }))
  }

  send(path: string, init: RequestInit = {}): Promise<Response> {
    return this.as.fetch(new Request(`${this.as.url}${path}`, init), { address: '203.0.113.7' })
  }

  async post(path: string, form: Form, headers: { [name: string]: string } = {}): Promise<TokenReply> {
    const response = await this.send(path, { method: 'POST', body: formOf(form), headers })
    const text = await response.text()
    const body = text === '' ? {} : JSON.parse(text)
    const { access_token: access, refresh_token: refresh } = body
    return { status: response.status, headers: response.headers, body, access, refresh }
  }

  /** The id of a client that just registered. */
  async register(about: object = {}): Promise<string> {
    return (await this.registration(about)).client_id as string
  }

  async registration(about: object = {}): Promise<{ [member: string]: unknown }> {
    const whole = {
      client_name: 'An app',
      redirect_uris: [redirectUri],
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      ...about,
    }
    const init = { method: 'POST', body: JSON.stringify(whole), headers: { 'content-type': 'application/json' } }
    return (await this.send('/register', init)).json()
  }

  async open(clientId: string, more: Form = {}): Promise<VisitedPage> {
    return this.visitor.open(
      `${this.as.url}/authorize?${formOf({ ...(await authorizationRequest(clientId)), ...more })}`,
    )
  }

  /** A code, from a user who agrees. */
  async code(clientId: string, more: Form = {}): Promise<string> {
    const { location } = await (await this.open(clientId, more)).allow()
    return location.searchParams.get('code')!
  }

  exchange(
    clientId: string,
    code: string,
    more: Form = {},
    headers: { [name: string]: string } = {},
  ): Promise<TokenReply> {
    const form = {
      grant_type: 'authorization_code',
      client_id: clientId,
      code,
      code_verifier: verifier,
      redirect_uri: redirectUri,
    }
    return this.post('/token', { ...form, ...more }, headers)
  }

  refresh(
    clientId: string,
    token: string,
    more: Form = {},
    headers: { [name: string]: string } = {},
  ): Promise<TokenReply> {
    return this.post(
      '/token',
      { grant_type: 'refresh_token', client_id: clientId, refresh_token: token, ...more },
      headers,
    )
  }

  /** A client, and the tokens that its user agreed to. */
  async tokens(more: Form = {}): Promise<TokenReply & { clientId: string }> {
    const clientId = await this.register()
    return { ...(await this.exchange(clientId, await this.code(clientId, more))), clientId }
  }
}

/** An authorization request that is right. */
export const authorizationRequest = async (clientId: string): Promise<Form> => ({
  response_type: 'code',
  client_id: clientId,
  redirect_uri: redirectUri,
  code_challenge: await hashOf(verifier),
  code_challenge_method: 'S256',
  state: 'a state',
  resource: server,
  scope: 'read write',
})

export const formOf = (form: Form): URLSearchParams =>
  new URLSearchParams(Object.entries(form).filter((entry): entry is [string, string] => entry[1] !== undefined))
