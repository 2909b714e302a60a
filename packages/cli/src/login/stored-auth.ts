import type { ClientAuth, HeaderSource } from '@tenon/sdk/client'
import type { Terminal } from '../terminal/terminal.ts'

/** The behaviour if a server requires a login and there is none. */
interface LoginBehaviour {
  /** The browser is opened without a question, for commands that are started by programs. */
  opensAtOnce?: boolean
}

/** Authorization with the stored tokens. Its modules are loaded when they are needed. */
export function storedAuth(
  server: URL,
  terminal: Terminal,
  signal: AbortSignal,
  kept: boolean,
  options: LoginBehaviour = {},
): ClientAuth {
  let loading: Promise<ClientAuth> | undefined
  let loaded: ClientAuth | undefined
  const load = (): Promise<ClientAuth> => {
    loading ??= loadTokens(server, terminal, signal, options).then((auth) => {
      loaded = auth
      return auth
    })
    return loading
  }
  return {
    headers: async (request) => (kept || loading ? (await load()).headers(request) : {}),
    challenged: async (challenge) => (await load()).challenged(challenge),
    answered: (request, reply) => loaded?.answered?.(request, reply),
  }
}

async function loadTokens(
  server: URL,
  terminal: Terminal,
  signal: AbortSignal,
  { opensAtOnce = false }: LoginBehaviour,
): Promise<ClientAuth> {
  const { tokenPlace } = await import('./token-store.ts')
  const { changeLogins, readLogins } = await import('@tenon/host/store')
  const { browserGrant, offeredGrant } = await import('./grants.ts')
  const { oauthFor } = await import('./oauth.ts')
  const place = await tokenPlace(terminal.surroundings.env)
  const login = (await readLogins(place)).get(server.href) ?? {}
  if (!opensAtOnce) return oauthFor(offeredGrant(terminal, signal), login, place, terminal)
  const inner = browserGrant(terminal, true)
  const obtain: typeof inner.obtain = async (context) => {
    const tokens = await inner.obtain(context)
    await changeLogins(place, (logins) => void logins.set(server.href, login))
    return tokens
  }
  return oauthFor({ ...inner, obtain }, login, place, terminal)
}

/** True if headers contain credentials. */
export const hasCredentials = (headers: HeaderSource | undefined): boolean =>
  typeof headers === 'function' || Object.keys(headers ?? {}).some((name) => name.toLowerCase() === 'authorization')
