import type { Login } from '@tenon/host/store'
import { type Grant, type OAuth, type OAuthOptions, oauth } from '@tenon/sdk/auth'
import { usage } from '../exit.ts'
import { sessionMemory } from '../server/session-memory.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { say } from '../terminal/text.ts'
import { version } from '../version.ts'
import type { TokenPlace } from './token-store.ts'

/** Authorization for one server, with the tokens that are kept. */
export function oauthFor(grant: Grant, login: Login, { store, lock }: TokenPlace, terminal: Terminal): OAuth {
  const { clientId, secretFrom, scopes } = login
  const { trust } = sessionMemory(terminal.surroundings.output)
  const secret = secretFrom === undefined ? undefined : secretIn(secretFrom, terminal)
  const options: OAuthOptions = {
    grant,
    store,
    lock,
    registration: { client_name: 'Tenon', software_id: 'tenon', software_version: version },
    ...(clientId !== undefined && { client: { id: clientId, ...(secret !== undefined && { secret }) } }),
    ...(scopes && scopes.length > 0 && { scopes }),
    ...(trust && { network: { tls: trust } }),
    onWarning: (message) => terminal.note(say`${terminal.notes.yellow('warning:')} ${message}`),
  }
  return oauth(options)
}

/** Secrets come from the environment: other users can see a command line. */
function secretIn(name: string, { surroundings }: Terminal): string {
  const value = surroundings.env[name]
  if (value) return value
  throw usage(`The variable ${name} is not set`, 'It has to hold the secret of the client.')
}
