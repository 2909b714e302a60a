import { changeLogins, type SecretPlace } from '@tenon/host/store'
import type { Grant } from '@tenon/sdk/auth'
import type { UrlSpec } from '../protocol.ts'

/** A grant whose logins the command line lists and renews too, because it finds the tokens in the same place. */
export function sharedLogins(grant: Grant, { url, oauth }: UrlSpec, tokens: SecretPlace | undefined): Grant {
  if (tokens === undefined) return grant
  const { clientId, scopes } = typeof oauth === 'object' ? oauth : {}
  const login = { ...(clientId !== undefined && { clientId }), ...(scopes !== undefined && { scopes }) }
  const obtain: Grant['obtain'] = async (context) => {
    const obtained = await grant.obtain(context)
    await changeLogins(tokens, (logins) => void logins.set(new URL(url).href, login))
    return obtained
  }
  return { ...grant, obtain }
}

/** The server has no login any more. */
export async function forgetLogin(url: string, tokens: SecretPlace | undefined): Promise<void> {
  if (tokens) await changeLogins(tokens, (logins) => void logins.delete(new URL(url).href))
}
