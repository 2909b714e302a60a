import { McpError } from '../../errors.ts'
import type { ClientAuth } from '../../http-client/client-auth.ts'
import { authorizationCode } from './grants/authorization-code.ts'
import type { OAuthOptions } from './options.ts'
import { ServerSession } from './session.ts'
import { type Lock, memoryStore, Records, type TokenDescription } from './stores/store.ts'

/** Authorization for a client. One can serve connections to any number of servers, for one user. */
export interface OAuth extends ClientAuth {
  /** A description of the tokens for a server, without the tokens; undefined if there are none. */
  describe(server: string | URL): Promise<TokenDescription | undefined>
  /** Forgets the tokens for a server, here and in the store. */
  forget(server: string | URL): Promise<void>
  /** Forgets them, and revokes them at the authorization server; false if it has no endpoint for that. */
  revoke(server: string | URL): Promise<boolean>
}

const noLock: Lock = { hold: (_key, work) => work() }

/**
 * Obtains access tokens when a server asks for them, and renews them.
 *
 * @example
 * await using client = await connect('https://example.com/mcp', { auth: oauth() })
 */
export function oauth(options: OAuthOptions = {}): OAuth {
  assertOptions(options)
  const { grant = authorizationCode(), store = memoryStore(), lock = noLock } = options
  const settings = { options, grant, records: new Records(store), lock }
  const sessions = new Map<string, ServerSession>()
  const sessionFor = (server: URL): ServerSession => {
    let session = sessions.get(server.href)
    if (session === undefined) {
      session = new ServerSession(server, settings)
      sessions.set(server.href, session)
    }
    return session
  }
  return {
    headers: (request) => sessionFor(request.server).headers(request),
    challenged: (challenge) => sessionFor(challenge.server).challenged(challenge),
    answered: (request, reply) => sessionFor(request.server).answered(request, reply),
    describe: (server) => sessionFor(new URL(server)).describe(),
    revoke: (server) => sessionFor(new URL(server)).revoke(),
    forget: (server) => sessionFor(new URL(server)).forget(),
    ...(grant.extension !== undefined && { extensions: [grant.extension] }),
  }
}

function assertOptions({ client, clientMetadataUrl, grant }: OAuthOptions): void {
  if (grant !== undefined && typeof (grant as { type?: unknown } | null)?.type !== 'string') {
    throw new McpError(
      'invalid_argument',
      'grant: expected what authorizationCode(), clientCredentials() or their like return',
    )
  }
  if (client !== undefined && typeof client.id !== 'string') {
    throw new McpError('invalid_argument', 'client.id: expected a string')
  }
  if (clientMetadataUrl === undefined) return
  const url = URL.canParse(clientMetadataUrl) ? new URL(clientMetadataUrl) : undefined
  // auth.cimd.url-has-path
  if (url?.protocol === 'https:' && url.pathname !== '/' && url.hash === '') return
  throw new McpError(
    'invalid_argument',
    `clientMetadataUrl: expected an https URL with a path, got ${JSON.stringify(clientMetadataUrl)}`,
  )
}
