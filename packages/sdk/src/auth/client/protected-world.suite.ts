/** A protected server and its authorization server, both real, with switches for everything that can go wrong. */
import { createHash, randomUUID } from 'node:crypto'
import { createServer as createHttp, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type NodeHandler, nodeHandler } from '../../http-server/node/node-handler.ts'
import { createServer, tool } from '../../server.ts'
import { authorizationCode, type Redirect } from './grants/authorization-code.ts'
import type { Grant } from './grants/grant.ts'

interface SeenTokenRequest {
  [parameter: string]: string
}

interface Granted {
  scope: string
  expiresAt: number
}

const definition = createServer({
  name: 'protected',
  version: '1.0.0',
  tools: [tool({ name: 'read', run: () => 'read' }), tool({ name: 'write', run: () => 'written' })],
})

export class World implements AsyncDisposable {
  // Switches
  expiresInS = 3_600
  scopesSupported: string[] | undefined = ['read']
  issuerScopes: string[] | undefined
  /** Members over the metadata of the authorization server. */
  metadata: { [member: string]: unknown } = {}
  resourceMetadata: { [member: string]: unknown } = {}
  /** `iss` in the answers of the authorization endpoint; undefined leaves it out. */
  iss: string | undefined
  /** The parameters of an authorization response, instead of a code. */
  authorizationError: { [name: string]: string } | undefined
  /** Codes of errors for the next token requests. */
  tokenErrors: string[] = []
  /** The errors of the next registrations. */
  registrationErrors: { [member: string]: string }[] = []
  /** Awaited before a token request is answered. */
  slow: Promise<unknown> | undefined
  /** Scopes that calling the tool `write` needs. */
  writeNeeds = 'write'
  /** The path of the authorization server's metadata; undefined: none. */
  issuerMetadataPath: string | undefined = '/.well-known/oauth-authorization-server'
  /** The scope in the challenge of a 401. */
  challengeScope: string | undefined
  /** Gives clients that register a secret. */
  givesSecrets = false
  /** Refuses every token. */
  refusesAll = false
  /** Grants nothing more than this. */
  grantsOnly: string | undefined
  issuesRefreshTokens = true
  namesMetadata = true
  hasHandshake = false

  // Recorded events
  readonly paths: string[] = []
  readonly tokenRequests: SeenTokenRequest[] = []
  readonly authorizations: URLSearchParams[] = []
  readonly registrations: { [member: string]: unknown }[] = []
  readonly clients = new Set<string>()
  readonly secrets: string[] = []
  /** The versions that requests for metadata named. */
  readonly discoveryVersions: unknown[] = []

  readonly #resource: Server
  readonly #issuer: Server
  readonly #handler: NodeHandler = nodeHandler(definition)
  readonly #codes = new Map<string, { challenge: string; scope: string; clientId: string; redirectUri: string }>()
  readonly #access = new Map<string, Granted>()
  readonly #refresh = new Map<string, { scope: string; clientId: string }>()

  private constructor() {
    this.#resource = createHttp((request, reply) => this.#serve(request, reply))
    this.#issuer = createHttp((request, reply) => void this.#authorize(request, reply))
  }

  static async start(): Promise<World> {
    const world = new World()
    for (const server of [world.#resource, world.#issuer]) {
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    }
    world.iss = world.issuer
    return world
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#resource.address() as AddressInfo).port}`
  }

  get url(): string {
    return `${this.origin}/mcp`
  }

  get issuer(): string {
    return this.hasHandshake ? this.origin : `http://127.0.0.1:${(this.#issuer.address() as AddressInfo).port}`
  }

  /** Goes where a browser would, and agrees to everything. */
  readonly redirect: Redirect = () => ({
    uri: 'http://127.0.0.1:4999/callback',
    visit: async (page) => new URL((await fetch(page, { redirect: 'manual' })).headers.get('location')!),
    close: () => {},
  })

  get grant(): Grant {
    return authorizationCode({ redirect: this.redirect })
  }

  /** Ends the validity of every access token. */
  expireAll(): void {
    this.#access.clear()
  }

  /** The authorization server forgets its clients. */
  forgetClients(): void {
    this.clients.clear()
  }

  forgetRefreshTokens(): void {
    this.#refresh.clear()
  }

  /** A pair of tokens that was given to a client out of band. */
  issue(clientId: string, scope = 'read'): { access_token: string; refresh_token: string } {
    const { access_token, refresh_token } = this.#tokens(scope, clientId)
    return { access_token: String(access_token), refresh_token: String(refresh_token) }
  }

  requests(grantType: string): SeenTokenRequest[] {
    return this.tokenRequests.filter(({ grant_type }) => grant_type === grantType)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#handler[Symbol.asyncDispose]()
    for (const server of [this.#resource, this.#issuer]) {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
  }

  // The resource

  #serve(request: IncomingMessage, reply: ServerResponse): void {
    const path = request.url!
    this.paths.push(path)
    if (path.startsWith('/mcp')) void this.#guard(request, reply)
    else if (path === '/.well-known/oauth-protected-resource/mcp' && !this.hasHandshake) {
      json(reply, 200, {
        resource: this.url,
        authorization_servers: [this.issuer],
        ...(this.scopesSupported && { scopes_supported: this.scopesSupported }),
        ...this.resourceMetadata,
      })
    } else if (this.hasHandshake) void this.#authorize(request, reply)
    else json(reply, 404, {})
  }

  async #guard(request: IncomingMessage, reply: ServerResponse): Promise<void> {
    const granted = this.#access.get(request.headers.authorization?.replace('Bearer ', '') ?? '')
    const metadata = this.namesMetadata
      ? `, resource_metadata="${this.origin}/.well-known/oauth-protected-resource/mcp"`
      : ''
    if (this.refusesAll || granted === undefined || granted.expiresAt < Date.now()) {
      request.resume()
      const scope = this.challengeScope === undefined ? '' : `, scope="${this.challengeScope}"`
      reply.writeHead(401, { 'WWW-Authenticate': `Bearer error="invalid_token"${metadata}${scope}` }).end()
      return
    }
    const body = await textOf(request)
    if (body.includes('"write"') && !granted.scope.split(' ').includes(this.writeNeeds)) {
      const challenge = `Bearer error="insufficient_scope", scope="${this.writeNeeds}"${metadata}`
      reply.writeHead(403, { 'WWW-Authenticate': challenge }).end()
      return
    }
    ;(request as IncomingMessage & { body?: unknown }).body = body === '' ? undefined : JSON.parse(body)
    this.#handler(request, reply)
  }

  // The authorization server

  async #authorize(request: IncomingMessage, reply: ServerResponse): Promise<void> {
    const url = new URL(request.url!, this.issuer)
    this.paths.push(url.pathname)
    if (url.pathname.startsWith('/.well-known')) this.discoveryVersions.push(request.headers['mcp-protocol-version'])
    if (url.pathname === this.issuerMetadataPath) json(reply, 200, this.#about())
    else if (url.pathname === '/register') this.#register(JSON.parse(await textOf(request)), reply)
    else if (url.pathname === '/authorize') this.#page(url.searchParams, reply)
    else if (url.pathname === '/revoke') this.#revoke(new URLSearchParams(await textOf(request)), reply)
    else if (url.pathname === '/device') this.#device(reply)
    else if (url.pathname === '/token') {
      const form = Object.fromEntries(new URLSearchParams(await textOf(request)))
      this.tokenRequests.push(form)
      await this.slow
      this.#token(form, reply)
    } else json(reply, 404, {})
  }

  #about(): { [member: string]: unknown } {
    const { issuer } = this
    return {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      registration_endpoint: `${issuer}/register`,
      revocation_endpoint: `${issuer}/revoke`,
      device_authorization_endpoint: `${issuer}/device`,
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
      authorization_response_iss_parameter_supported: true,
      ...(this.issuerScopes && { scopes_supported: this.issuerScopes }),
      ...this.metadata,
    }
  }

  #register(about: { [member: string]: unknown }, reply: ServerResponse): void {
    this.registrations.push(about)
    const error = this.registrationErrors.shift()
    if (error !== undefined) {
      json(reply, 400, error)
      return
    }
    const client_id = `client-${randomUUID()}`
    this.clients.add(client_id)
    json(reply, 201, { ...about, client_id, ...(this.givesSecrets && { client_secret: this.#secret() }) })
  }

  #page(query: URLSearchParams, reply: ServerResponse): void {
    this.authorizations.push(query)
    const back = new URL(query.get('redirect_uri')!)
    const code = this.#secret()
    const scope = query.get('scope') ?? ''
    this.#codes.set(code, {
      challenge: query.get('code_challenge')!,
      scope,
      clientId: query.get('client_id')!,
      redirectUri: back.href,
    })
    const parameters = { ...(this.authorizationError ?? { code }), state: query.get('state')! }
    for (const [name, value] of Object.entries(parameters)) back.searchParams.set(name, value)
    if (this.iss !== undefined) back.searchParams.set('iss', this.iss)
    reply.writeHead(302, { Location: back.href }).end()
  }

  #revoke(form: URLSearchParams, reply: ServerResponse): void {
    const known = this.#refresh.delete(form.get('token')!)
    if (known) this.#access.clear()
    json(reply, known ? 200 : 400, {})
  }

  #device(reply: ServerResponse): void {
    const code = { device_code: this.#secret(), user_code: 'ABCD-EFGH', verification_uri: `${this.issuer}/code` }
    json(reply, 200, { ...code, expires_in: 60, interval: 0.1 })
  }

  #token(form: SeenTokenRequest, reply: ServerResponse): void {
    const error = this.tokenErrors.shift() ?? this.#problem(form)
    if (error !== undefined) {
      json(reply, error === 'invalid_client' ? 401 : 400, { error })
      return
    }
    const known = this.#codes.get(form.code!) ?? this.#refresh.get(form.refresh_token!)
    this.#codes.delete(form.code!)
    // Rotation: a refresh token is good for one use.
    this.#refresh.delete(form.refresh_token!)
    json(reply, 200, this.#tokens(known?.scope ?? form.scope ?? '', form.client_id!))
  }

  #problem(form: SeenTokenRequest): string | undefined {
    if (!this.clients.has(form.client_id!)) return 'invalid_client'
    if (form.grant_type === 'refresh_token') {
      return this.#refresh.get(form.refresh_token!)?.clientId === form.client_id ? undefined : 'invalid_grant'
    }
    if (form.grant_type !== 'authorization_code') return undefined
    const code = this.#codes.get(form.code!)
    const proof = createHash('sha256').update(form.code_verifier!).digest('base64url')
    const fits = code?.challenge === proof && code.redirectUri === form.redirect_uri && code.clientId === form.client_id
    return fits ? undefined : 'invalid_grant'
  }

  #tokens(scope: string, clientId: string): { [member: string]: unknown } {
    const granted = this.grantsOnly ?? scope
    const access_token = this.#secret()
    this.#access.set(access_token, { scope: granted, expiresAt: Date.now() + this.expiresInS * 1_000 })
    const refresh_token = this.#secret()
    this.#refresh.set(refresh_token, { scope: granted, clientId })
    return {
      access_token,
      token_type: 'Bearer',
      expires_in: this.expiresInS,
      scope: granted,
      ...(this.issuesRefreshTokens && { refresh_token }),
    }
  }

  #secret(): string {
    const secret = `secret-${randomUUID()}`
    this.secrets.push(secret)
    return secret
  }
}

function json(reply: ServerResponse, status: number, body: unknown): void {
  reply.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}
