import type { ConnectOptions } from '@tenon/sdk/client'
import { hasCredentials, storedAuth } from '../login/stored-auth.ts'
import { hasTokens } from '../login/token-store.ts'
import type { ResolvedTarget } from '../server/target.ts'
import type { Terminal } from '../terminal/terminal.ts'

/**
 * The tokens that are kept for a server at a URL, unless the command line says who it is. A host starts the command, and
 * nobody can be asked on a terminal: so the browser is opened when the server wants a login.
 */
export function withLogin({ url, options }: ResolvedTarget, terminal: Terminal, signal: AbortSignal): ConnectOptions {
  if (url === undefined || options.auth !== undefined || hasCredentials(options.headers)) return options
  const auth = storedAuth(url, terminal, signal, hasTokens(terminal.surroundings.env), { opensAtOnce: true })
  return { ...options, auth }
}
