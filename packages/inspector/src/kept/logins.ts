import { changeLogins, type SecretPlace } from '@tenon/host/store'
import type { Grant } from '@tenon/sdk/auth'
import type { UrlSpec } from '../protocol.ts'

/** A grant that notes who has logged in where: the command line lists logins, and renews what was got with them. */
export function notingLogin(grant: Grant, { url, oauth }: UrlSpec, place: SecretPlace): Grant {
  const { clientId, scopes } = typeof oauth === 'object' ? oauth : {}
  const login = { ...(clientId !== undefined && { clientId }), ...(scopes !== undefined && { scopes }) }
  const obtain: Grant['obtain'] = async (context) => {
    const obtained = await grant.obtain(context)
    await changeLogins(place, (logins) => void logins.set(new URL(url).href, login))
    return obtained
  }
  return { ...grant, obtain }
}

export const forgetLogin = (url: string, place: SecretPlace): Promise<void> =>
  changeLogins(place, (logins) => void logins.delete(new URL(url).href))
