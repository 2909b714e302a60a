import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer as createHttp, type IncomingHttpHeaders, request as sendRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { agree } from '@tenon/issuer'
import type { JsonObject } from '@tenon/sdk/client'
import { nodeHandler } from '@tenon/sdk/node'
import { createServer, tool } from '@tenon/sdk/server'
import * as oauth from 'oauth4webapi'
import {
  callerOf,
  type GatewayIdentity,
  type IdentityOptions,
  openIdentity,
  type RefusedCaller,
  readCredentials,
  readIdentity,
} from '../../src/identity.ts'
import type { GatewayCaller } from '../../src/model.ts'

/** A gateway as far as identity goes: endpoints that tell who calls, and the credentials that an upstream would get. */
export interface World {
  readonly url: string
  readonly folder: string
  readonly identity: GatewayIdentity
  readonly refused: RefusedCaller[]
  /** Everything that reached a log. */
  readonly logged: unknown[]
  /** Sends a request of MCP to a virtual server, or to the whole gateway. */
  post(server: string | undefined, options?: PostOptions): Promise<Answer>
  /** The caller that the gateway sees, or the status of the refusal. */
  caller(server: string | undefined, options?: PostOptions): Promise<GatewayCaller | number>
  close(): Promise<void>
}

interface PostOptions {
  readonly headers?: { readonly [name: string]: string | string[] }
  /** Connects from another address of this machine. */
  readonly from?: string
  readonly tool?: string
  readonly arguments?: JsonObject
}

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

interface WorldOptions extends Partial<Omit<IdentityOptions, 'identity' | 'credentials'>> {
  readonly identity?: unknown | ((url: string) => unknown)
  readonly credentials?: unknown
}

export async function openWorld({ identity = {}, credentials = {}, ...more }: WorldOptions): Promise<World> {
  const folder = more.folder ?? (await mkdtemp(join(tmpdir(), 'tenon-identity-')))
  const refused: RefusedCaller[] = []
  const logged: unknown[] = []
  const http = createHttp().listen(0, '127.0.0.1')
  await once(http, 'listening')
  const url = `http://127.0.0.1:${(http.address() as { port: number }).port}`
  const opened = await openIdentity({
    url,
    servers: ['tables', 'finance'],
    urlOf: () => undefined,
    folder,
    onRefused: (event) => refused.push(event),
    onError: (error) => logged.push(error),
    ...more,
    identity: sectionOf(readIdentity(typeof identity === 'function' ? identity(url) : identity)),
    credentials: sectionOf(readCredentials(credentials)),
  })
  const server = createServer({
    name: 'gateway',
    version: '1.0.0',
    onError: (error) => logged.push(error),
    tools: [
      tool({ name: 'whoami', run: (_input, ctx) => JSON.stringify(callerOf(ctx.auth)) }),
      tool({
        name: 'credentials',
        input: { type: 'object', properties: { upstream: { type: 'string' } } },
        run: async (input, ctx) => {
          const { upstream } = input as { upstream: string }
          return JSON.stringify(await opened.credentials.credentialsFor(callerOf(ctx.auth)!, upstream, ctx.signal))
        },
      }),
    ],
  })
  const mcp = nodeHandler(server, { auth: opened.auth })
  http.on('request', (request, response) => {
    const path = (request.url ?? '').split('?')[0]!
    void (opened.handles(path) ? opened.handle(request, response) : mcp(request, response))
  })
  const post: World['post'] = (name, { headers = {}, from, tool: called = 'whoami', arguments: args = {} } = {}) =>
    send(`${url}${name === undefined ? '' : `/servers/${name}`}/mcp`, {
      method: 'POST',
      headers: { ...mcpHeaders(called), ...headers },
      ...(from !== undefined && { localAddress: from }),
      body: JSON.stringify(callOf(called, args)),
    })
  return {
    url,
    folder,
    identity: opened,
    refused,
    logged,
    post,
    caller: async (name, options) => {
      const { status, text } = await post(name, options)
      if (status !== 200) return status
      return JSON.parse(JSON.parse(text).result.content[0].text)
    },
    close: async () => {
      http.closeAllConnections()
      http.close()
      await opened.close()
      if (more.folder === undefined) await rm(folder, { recursive: true, force: true })
    },
  }
}

/** The caller that the core hands to the source of credentials. */
export const callerNamed = (id: string): GatewayCaller => ({ id, kind: 'token', scopes: [], groups: [], claims: {} })

function sectionOf<Value>(read: { value: Value } | { issues: unknown }): Value {
  if ('value' in read) return read.value
  throw new Error(JSON.stringify(read.issues))
}

const mcpHeaders = (name: string): { [name: string]: string } => ({
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'tools/call',
  'mcp-name': name,
})

const callOf = (name: string, args: JsonObject): JsonObject => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: {
    name,
    arguments: args,
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1.0.0' },
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  },
})

interface SendOptions {
  readonly method?: string
  readonly headers?: { readonly [name: string]: string | string[] }
  readonly body?: string
  readonly localAddress?: string
}

export function send(
  url: string,
  { method = 'GET', headers = {}, body, localAddress }: SendOptions = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const options = {
      method,
      headers: { ...headers },
      agent: false,
      ...(localAddress !== undefined && { localAddress }),
    }
    const sent = sendRequest(url, options, async (response) => {
      response.setEncoding('utf8')
      let text = ''
      for await (const chunk of response) text += chunk
      resolve({ status: response.statusCode!, headers: response.headers, text })
    })
    sent.once('error', reject).end(body)
  })
}

interface TokenOptions {
  readonly user?: string
  readonly resource: string
  readonly scopes?: readonly string[]
}

const redirectUri = 'http://127.0.0.1:4999/callback'

/** An access token of one of our issuers, for a user who agrees. */
export async function tokenOf(issuer: string, { user, resource, scopes = [] }: TokenOptions): Promise<string> {
  const registration = await fetch(`${issuer}/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ redirect_uris: [redirectUri], token_endpoint_auth_method: 'none' }),
  })
  const { client_id: clientId } = (await registration.json()) as { client_id: string }
  const verifier = oauth.generateRandomCodeVerifier()
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    resource,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...(scopes.length > 0 && { scope: scopes.join(' ') }),
  })
  const back = await agree(`${issuer}/authorize?${query}`, user === undefined ? {} : { user })
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    code: back.searchParams.get('code')!,
    client_id: clientId,
    redirect_uri: redirectUri,
    code_verifier: verifier,
  })
  const reply = (await (await fetch(`${issuer}/token`, { method: 'POST', body })).json()) as { access_token: string }
  return reply.access_token
}
