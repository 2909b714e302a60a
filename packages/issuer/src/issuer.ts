import type { IncomingMessage, ServerResponse } from 'node:http'
import { isMcpError, MemoryReplays, type RecordStore, type ReplayStore } from '@tenon/sdk/auth/server'
import { Clients } from './clients/clients.ts'
import { Documents } from './clients/documents.ts'
import type { Core, Visit } from './core.ts'
import { authorize } from './endpoints/authorize.ts'
import { consent } from './endpoints/consent.ts'
import { deviceAnswer, devicePage } from './endpoints/device.ts'
import { type EndpointName, Endpoints } from './endpoints/endpoint-urls.ts'
import { introspect } from './endpoints/introspection.ts'
import { metadataOf } from './endpoints/metadata.ts'
import { register } from './endpoints/registration.ts'
import { revokeToken } from './endpoints/revocation.ts'
import { token } from './endpoints/token.ts'
import type { Faults } from './faults.ts'
import { deviceAuthorization } from './grants/device-code.ts'
import { Scopes } from './grants/scopes.ts'
import { BrowserCookie } from './http/browser-cookie.ts'
import { RequestLimits } from './http/rate-limits.ts'
import { forEveryOrigin, json, OAuthRefusal, PageRefusal, preflight, refused } from './http/responses.ts'
import type { IssuerOptions } from './options.ts'
import { errorPage } from './pages/page.ts'
import { openMemory } from './state/open-store.ts'
import { hashOf } from './state/secrets.ts'
import { IssuerState } from './state/state.ts'
import { ProofChecks } from './tokens/dpop-proofs.ts'
import { Keys } from './tokens/signing-keys.ts'
import { UpstreamHop } from './upstream/upstream.ts'
import { validOptions } from './validate-options.ts'

/** Facts about a request that only the platform knows. */
export interface Peer {
  /** The address that it came from. */
  address?: string | undefined
}

/** An authorization server. */
export interface Issuer {
  /** The issuer, as tokens name it. */
  readonly url: string
  /** Its faults on purpose; can be changed at any time. */
  readonly faults: Faults
  /** Answers requests to its endpoints and for its metadata; everything else is answered with 404. */
  fetch(request: Request, peer?: Peer): Promise<Response>
  /** The same for requests of `node:http` and of frameworks on top of it. Never rejects. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>
  /** Signs with a new key from here on. Tokens that were signed with the last one stay good. */
  rotateKey(): Promise<void>
}

type Handler = (core: Core, visit: Visit) => Promise<Response>

interface Route {
  get?: Handler
  post?: Handler
  /** For people, not for programs. */
  isPage?: boolean
}

const routes: ReadonlyMap<EndpointName | 'metadata', Route> = new Map<EndpointName | 'metadata', Route>([
  ['metadata', { get: async (core) => json(metadataOf(core), 200, cached) }],
  ['jwks', { get: async ({ keys }) => json({ keys: await keys.published() }, 200, cached) }],
  ['authorize', { get: authorize, post: consent, isPage: true }],
  [
    'callback',
    {
      get: async (core, visit) => core.upstream?.finish(core, visit) ?? errorPage('There is nothing here.', 404),
      isPage: true,
    },
  ],
  ['token', { post: token }],
  ['register', { post: register }],
  ['revoke', { post: revokeToken }],
  ['introspect', { post: introspect }],
  ['device_authorization', { post: deviceAuthorization }],
  ['device', { get: devicePage, post: deviceAnswer, isPage: true }],
])

/** Short: a key that was rotated in has to be found. */
const cached = { 'cache-control': 'public, max-age=60' }

/**
 * Makes an authorization server: for development, for tests, and for those who host their own.
 *
 * @example
 * const as = issuer({ url: 'https://id.example.com', signIn: (request) => userOfSession(request), file: 'issuer.json' })
 * export default { fetch: as.fetch }
 */
export function issuer(given: IssuerOptions): Issuer {
  const options = validOptions(given)
  const { url, faults = {}, now = Date.now } = options
  const limits = new RequestLimits(options.rateLimits ?? {}, clockOf(options))
  const endpoints = new Endpoints(url)
  const scopes = new Scopes(options.scopes)
  const hosts = new Set([new URL(url).host, ...(options.allowedHosts ?? [])])
  let opening: Promise<Core> | undefined
  const core = (): Promise<Core> => {
    opening ??= open(options, { faults, limits, endpoints, scopes, now }).catch((error: unknown) => {
      opening = undefined
      throw error
    })
    return opening
  }
  const report = (error: unknown): void => {
    try {
      options.onError?.(error)
    } catch {
      // The listener of the operator is broken: the error cannot be reported anywhere.
    }
  }
  const fetch = async (request: Request, peer: Peer = {}): Promise<Response> => {
    const { host, pathname, searchParams: query } = new URL(request.url)
    // A foreign name that leads here is DNS rebinding: its owner wants to read the pages.
    if (!hosts.has(host))
      return json({ error: 'invalid_request', error_description: 'This is not the host of the issuer' }, 421)
    const name = endpoints.at(pathname)
    if (name === undefined) return json({ error: 'not_found' }, 404)
    // Platforms pass different things as a second argument.
    const address = typeof peer.address === 'string' ? peer.address : undefined
    const visit = { request, query, address: limits.addressOf(request, address) }
    try {
      return await answer(await core(), name, visit)
    } catch (error) {
      report(error)
      return failed(error)
    }
  }
  return {
    url,
    faults,
    fetch,
    handle: async (request, response) => {
      try {
        const { nodeListener } = await import('./http/node-adapter.ts')
        await nodeListener(fetch, url, report)(request, response)
      } catch (error) {
        // The module could not be loaded, such as for want of file handles.
        response.destroy()
        report(error)
      }
    },
    rotateKey: async () => (await core()).keys.rotate(),
  }
}

/** A store that is away comes back. */
function failed(error: unknown): Response {
  if (!isMcpError(error) || error.code !== 'unavailable')
    return json({ error: 'server_error', error_description: 'Something went wrong here' }, 500)
  const retry = { 'retry-after': '1' }
  return json({ error: 'temporarily_unavailable', error_description: 'Try again in a moment' }, 503, retry)
}

/** A monotonic clock, for ages and rates. */
const clockOf = ({ now }: IssuerOptions): (() => number) => now ?? (() => performance.now())

type Parts = Pick<Core, 'faults' | 'limits' | 'endpoints' | 'scopes' | 'now'>

async function open(options: IssuerOptions, parts: Parts): Promise<Core> {
  const { faults, endpoints, now } = parts
  const { url, network = {}, upstream, trusts = [] } = options
  const file =
    options.file === undefined ? undefined : new (await import('./state/state-file.ts')).StateFile(options.file)
  const store = options.store ?? (await openMemory({ now, ticks: clockOf(options) }, file))
  const state = new IssuerState(store, now)
  const replays = options.store === undefined ? undefined : sharedReplays(options.store)
  return {
    ...parts,
    options,
    issuer: url,
    state,
    keys: await Keys.of(state),
    clients: new Clients({ options, state, faults, now, documents: new Documents(url, network, clockOf(options)) }),
    proofs: new ProofChecks(endpoints.url('token'), now, replays ?? new MemoryReplays(undefined, now)),
    usedAssertions: replays ?? new MemoryReplays(undefined, now),
    trusted: new Map(trusts.map(({ issuer }) => [issuer, new Documents(issuer, network, clockOf(options))])),
    browser: new BrowserCookie('tenon-issuer', new URL(url)),
    upstream:
      upstream &&
      new UpstreamHop(upstream, async () => {
        const { UpstreamClient } = await import('./upstream/upstream-client.ts')
        return new UpstreamClient(upstream, network)
      }),
    tell: (event) => options.onEvent?.(event),
  }
}

/** Proofs and assertions that were used, in whichever process. */
const sharedReplays = (store: RecordStore): ReplayStore => ({
  add: async (id, until) => store.add('used', await hashOf(id), '1', until),
})

async function answer(core: Core, name: EndpointName | 'metadata', visit: Visit): Promise<Response> {
  const route = routes.get(name)!
  const { method } = visit.request
  if (method === 'OPTIONS' && !route.isPage) return preflight()
  const handler = method === 'GET' ? route.get : method === 'POST' ? route.post : undefined
  try {
    core.limits.countAddress(name, visit.address)
    if (handler === undefined)
      throw new OAuthRefusal('invalid_request', 'This method is not for this endpoint', 405, allowOf(route))
    const response = await handler(core, visit)
    return route.isPage ? response : forEveryOrigin(response)
  } catch (error) {
    return answerRefusal(core, name, route, visit, error)
  }
}

function answerRefusal(
  core: Core,
  name: string,
  { isPage = false }: Route,
  { address }: Visit,
  error: unknown,
): Response {
  if (!(error instanceof OAuthRefusal) && !(error instanceof PageRefusal)) throw error
  const type = error.status === 429 ? 'limited' : 'refused'
  core.tell({ type, detail: `${name}: ${error.message}`, ...(address !== undefined && { address }) })
  if (error instanceof PageRefusal) return errorPage(error.message, error.status)
  if (!isPage) return forEveryOrigin(refused(error))
  const page = errorPage(error.message, error.status)
  for (const [header, value] of Object.entries(error.headers)) page.headers.set(header, value)
  return page
}

const allowOf = ({ get, post }: Route): { allow: string } => ({
  allow: [...(get ? ['GET'] : []), ...(post ? ['POST'] : [])].join(', '),
})
