import type { Issuer } from '@tenon/issuer'
import type { NetworkOptions } from '@tenon/sdk/auth/server'
import { McpError } from '@tenon/sdk/client'
import type { Authenticate, HttpRequest } from '@tenon/sdk/node'
import { ApiKeys } from './api-keys.ts'
import type { IdentityConfig } from './config.ts'
import { door, type WaysIn } from './door.ts'
import { fetchOf } from './people.ts'
import { TrustedProxy } from './trusted-proxy.ts'

interface WaysOptions extends Pick<WaysIn, 'claims' | 'subjects' | 'onRefused'> {
  readonly network: NetworkOptions
  readonly own: Issuer | undefined
  readonly now: () => number
}

export function createWays(identity: IdentityConfig, { own, network, now, ...rest }: WaysOptions): WaysIn {
  const { issuers = [], keys = [], proxy, audience = [], local } = identity
  const trusted = [...(own === undefined ? [] : [own.url]), ...issuers]
  const isOnlyOwn = own !== undefined && issuers.length === 0
  return {
    ...rest,
    tokens:
      trusted.length === 0
        ? undefined
        : { issuer: trusted, network: isOnlyOwn ? { ...network, fetch: fetchOf(own) } : network },
    audience,
    keys: new ApiKeys(keys, now),
    proxy: proxy && new TrustedProxy(proxy),
    local: local ?? (trusted.length === 0 && keys.length === 0 && proxy === undefined),
  }
}

interface Doors {
  /** For all virtual servers: the path of the request tells which one. */
  readonly auth: Authenticate
  /** For one virtual server; undefined for the endpoint of the whole gateway, `/mcp`. */
  authFor(server?: string): Authenticate
}

/** Everything below a virtual server is behind its door, and so is the way to its metadata. */
const serverPath = /^(?:\/\.well-known\/oauth-protected-resource)?\/servers\/([^/]+)(?:\/|$)/

/** One for each virtual server: a token for one of them is none for another. */
export function createDoors(
  identity: IdentityConfig,
  ways: WaysIn,
  base: URL | undefined,
  servers: readonly string[],
): Doors {
  const unknown = Object.keys(identity.servers ?? {}).find((name) => !servers.includes(name))
  if (unknown !== undefined) {
    throw new McpError('invalid_argument', `identity.servers.${unknown}: there is no virtual server of this name`)
  }
  const made = new Map<string, Authenticate>()
  const authFor = (server?: string): Authenticate => {
    const path = server === undefined ? '/mcp' : `/servers/${server}/mcp`
    const known = made.get(path)
    if (known !== undefined) return known
    const own = server !== undefined && Object.hasOwn(identity.servers ?? {}, server) ? identity.servers![server]! : {}
    const fresh = door(
      {
        server: server ?? '',
        resource: base && base.origin + path,
        scopes: [...new Set([...(identity.scopes ?? []), ...(own.scopes ?? [])])],
        groups: own.groups ?? [],
      },
      ways,
    )
    made.set(path, fresh)
    return fresh
  }
  const of = ({ target }: HttpRequest): Authenticate | undefined => {
    const [, name] = serverPath.exec(target.path) ?? []
    if (name === undefined) return authFor()
    return servers.includes(name) ? authFor(name) : undefined
  }
  const auth: Authenticate = (request, path) => of(request)?.(request, path) ?? { status: 404, message: 'Not found' }
  auth.answerAnybody = (request, path) => of(request)?.answerAnybody?.(request, path)
  auth.challengeScopes = (request, scopes, info, path) =>
    of(request)?.challengeScopes?.(request, scopes, info, path) ?? {}
  auth.watch = (request, info, ended) => of(request)?.watch?.(request, info, ended) ?? (() => {})
  return { auth, authFor }
}
