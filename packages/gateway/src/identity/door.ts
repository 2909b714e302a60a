import type { IncomingMessage } from 'node:http'
import { BlockList } from 'node:net'
import { type BearerAuth, type BearerOptions, bearer, isBearerAuth } from '@tenon/sdk/auth/server'
import type { Authenticate, AuthRefusal, HttpRequest } from '@tenon/sdk/node'
import type { AuthInfo } from '@tenon/sdk/server'
import type { GatewayCaller } from '../model.ts'
import { ApiKeys } from './api-keys.ts'
import { authOf, type ClaimNames, callerOfToken, type GatewayAuth, localCaller } from './callers.ts'
import type { SubjectTokens } from './subject-tokens.ts'
import { type TrustedProxy, valuesOf } from './trusted-proxy.ts'

/** A refused request, for logs and metrics. It has no credentials. */
export interface RefusedCaller {
  readonly server: string
  readonly status: number
  /** For the operator; the client does not see it. */
  readonly detail: string
  readonly address?: string
}

/** The ways in that all virtual servers share. */
export interface WaysIn {
  /** Undefined if no tokens are accepted. */
  readonly tokens: Pick<BearerOptions, 'issuer' | 'network'> | undefined
  readonly audience: readonly string[]
  readonly claims: ClaimNames
  readonly keys: ApiKeys
  readonly proxy: TrustedProxy | undefined
  readonly local: boolean
  /** Keeps the tokens of callers; undefined if nothing needs them. */
  readonly subjects: SubjectTokens | undefined
  readonly onRefused: ((refused: RefusedCaller) => void) | undefined
}

/** One virtual server, with the requirements of its own. */
interface DoorOptions {
  readonly server: string
  /** The URL of the virtual server; undefined on this machine, where the request tells it. */
  readonly resource: string | undefined
  readonly scopes: readonly string[]
  /** A caller needs one of them; none: everybody. */
  readonly groups: readonly string[]
}

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

/** A request with one of these came through a proxy on this machine, from anywhere. */
const forwarded = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via']

/** Admits the callers of one virtual server: the `auth` option of `serveHttp`. */
export function door(options: DoorOptions, ways: WaysIn): Authenticate {
  const tokens = ways.tokens === undefined ? undefined : bearerOf(options, ways, ways.tokens)
  const admitted = new WeakMap<AuthInfo, { bearer?: BearerAuth; expiresAt?: number | undefined }>()

  const refuse = (request: HttpRequest, status: number, detail: string, message: string): AuthRefusal => {
    const address = rawOf(request).socket?.remoteAddress
    ways.onRefused?.({ server: options.server, status, detail, ...(address !== undefined && { address }) })
    return { status, message, ...(status === 401 && { headers: { 'www-authenticate': 'Bearer' } }) }
  }

  const admit = (request: HttpRequest, caller: GatewayCaller): GatewayAuth | AuthRefusal => {
    const isLocal = caller.kind === 'local'
    const missing = isLocal ? [] : options.scopes.filter((scope) => !caller.scopes.includes(scope))
    if (missing.length > 0) return refuse(request, 403, `${caller.id} lacks ${missing.join(' ')}`, 'Forbidden')
    const isMember =
      isLocal || options.groups.length === 0 || options.groups.some((group) => caller.groups.includes(group))
    if (!isMember) return refuse(request, 403, `${caller.id} is in none of the groups`, 'Forbidden')
    return authOf(caller)
  }

  const withKey = (request: HttpRequest, key: string): GatewayAuth | AuthRefusal => {
    const holder = ways.keys.find(key)
    if (holder === undefined) return refuse(request, 401, 'the API key is unknown or has expired', 'Unauthorized')
    const auth = admit(request, holder.caller)
    if (isGatewayAuth(auth)) admitted.set(auth, { expiresAt: holder.expiresAt })
    return auth
  }

  const withToken = async (request: HttpRequest, path: string | undefined): Promise<GatewayAuth | AuthRefusal> => {
    if (tokens === undefined) return refuse(request, 401, 'no token is accepted', 'Unauthorized')
    const found = (await tokens(request, path)) as AuthInfo | AuthRefusal
    if (!isBearerAuth(found as AuthInfo)) return found as AuthRefusal
    const verified = found as BearerAuth
    if (hasControls(verified.subject)) return refuse(request, 401, 'the subject has control characters', 'Unauthorized')
    const caller = callerOfToken(verified, ways.claims)
    const auth = admit(request, caller)
    if (!isGatewayAuth(auth)) return auth
    admitted.set(auth, { bearer: verified })
    ways.subjects?.set(caller, tokenIn(request)!)
    return auth
  }

  const authenticate = (request: HttpRequest, path?: string): ReturnType<Authenticate> => {
    const certificate = ways.proxy?.callerOf(rawOf(request))
    if (certificate === 'refused')
      return refuse(request, 403, 'a certificate is named by somebody who must not', 'Forbidden')
    const key = request.header('x-api-key')
    const authorization = request.header('authorization')
    if (key !== undefined && authorization !== undefined) {
      return refuse(request, 400, 'there are two credentials', 'Bad request: more than one credential')
    }
    if (key !== undefined) return withKey(request, key)
    const token = tokenIn(request)
    if (token !== undefined && ApiKeys.looksLike(token)) return withKey(request, token)
    if (authorization !== undefined) return withToken(request, path)
    if (certificate !== undefined) return admit(request, certificate)
    if (ways.local && isLocal(request)) return admit(request, localCaller())
    return withToken(request, path)
  }

  return Object.assign(authenticate, {
    answerAnybody: (request: HttpRequest, path?: string) => tokens?.answerAnybody?.(request, path),
    challengeScopes: (request: HttpRequest, scopes: readonly string[], auth: AuthInfo | undefined, path?: string) => {
      const verified = auth && admitted.get(auth)?.bearer
      return verified && tokens?.challengeScopes ? tokens.challengeScopes(request, scopes, verified, path) : {}
    },
    watch: (request: HttpRequest, auth: AuthInfo, ended: () => void) => {
      const { bearer: verified, expiresAt } = admitted.get(auth) ?? {}
      if (verified !== undefined) return tokens!.watch!(request, verified, ended)
      return expiresAt === undefined ? () => {} : endAt(expiresAt, ended)
    },
  })
}

function bearerOf(
  { server, resource, scopes }: DoorOptions,
  ways: WaysIn,
  tokens: NonNullable<WaysIn['tokens']>,
): Authenticate {
  return bearer({
    ...tokens,
    ...(resource !== undefined && { resource }),
    ...(resource !== undefined && ways.audience.length > 0 && { audience: [resource, ...ways.audience] }),
    scopes,
    metadata: { resource_name: server },
    onRefused: ({ status, detail, reason, address }) =>
      ways.onRefused?.({ server, status, detail: `${reason}: ${detail}`, ...(address !== undefined && { address }) }),
  })
}

const rawOf = (request: HttpRequest): IncomingMessage => {
  const raw = request.raw as Partial<IncomingMessage>
  return (Array.isArray(raw.rawHeaders) ? raw : { rawHeaders: [] }) as IncomingMessage
}

const isGatewayAuth = (auth: GatewayAuth | AuthRefusal): auth is GatewayAuth => 'caller' in auth

const tokenIn = (request: HttpRequest): string | undefined =>
  /^(?:bearer|dpop) +(\S+) *$/i.exec(request.header('authorization') ?? '')?.[1]

/** The vault and the audit log keep subjects as text, which cannot have all of these. */
const hasControls = (subject: string | undefined): boolean => subject !== undefined && /\p{Cc}/u.test(subject)

/** Connected from this machine to this machine, with no proxy in between. */
function isLocal(request: HttpRequest): boolean {
  const raw = rawOf(request)
  return request.onLoopback === true && isFromHere(raw)
}

/** Whether a request comes from this machine, and not through a proxy on it. */
export function isFromHere(raw: Pick<IncomingMessage, 'rawHeaders' | 'socket'>): boolean {
  const peer = raw.socket?.remoteAddress?.replace(/^::ffff:(?=\d+\.)/i, '')
  if (peer === undefined || !loopback.check(peer, peer.includes(':') ? 'ipv6' : 'ipv4')) return false
  return forwarded.every((name) => valuesOf(raw, name).length === 0)
}

/** Timers take 31 bits of milliseconds; a stream that lives longer is looked at again. */
function endAt(time: number, ended: () => void): () => void {
  let timer: NodeJS.Timeout
  const wait = (): void => {
    const leftMs = time - Date.now()
    if (leftMs <= 0) ended()
    else timer = setTimeout(wait, Math.min(leftMs, 2 ** 31 - 1)).unref()
  }
  wait()
  return () => clearTimeout(timer)
}
