import type { ConnectOptions } from '@tenon/sdk/client'
import { hasCredentials, storedAuth } from '../login/stored-auth.ts'
import { hasTokens } from '../login/token-store.ts'
import type { ResolvedTarget } from '../server/target.ts'
import type { Terminal } from '../terminal/terminal.ts'

/**
 * Adds the stored tokens of a server at a URL, unless the command line has credentials. A host starts the command, so
 * there is no terminal to ask on: the browser opens when the server requires a login.
 */
export function withLogin({ url, options }: ResolvedTarget, terminal: Terminal, signal: AbortSignal): ConnectOptions {
  if (url === undefined || options.auth !== undefined || hasCredentials(options.headers)) return options
  const auth = storedAuth(url, terminal, signal, hasTokens(terminal.surroundings.env), { opensAtOnce: true })
  return { ...options, auth }
}
