import type { SecretPlace } from './secret-place.ts'

/** The parameters of a login, for renewing its tokens later. */
export interface Login {
  clientId?: string
  /** The variable that the secret of the client is in. The secret itself is not kept. */
  secretFrom?: string
  scopes?: string[]
}

type Place = Pick<SecretPlace, 'store' | 'lock'>

const key = 'tenon logins'

/** The logins, by the URL of the server. */
export async function readLogins({ store }: Place): Promise<Map<string, Login>> {
  const text = await store.get(key)
  return new Map(text === undefined ? [] : Object.entries(JSON.parse(text) as { [url: string]: Login }))
}

export async function changeLogins(place: Place, change: (logins: Map<string, Login>) => void): Promise<void> {
  await place.lock.hold(key, async () => {
    const logins = await readLogins(place)
    change(logins)
    await place.store.set(key, JSON.stringify(Object.fromEntries(logins)))
  })
}
