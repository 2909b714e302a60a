import type { ClientAuth } from '../../http-client/client-auth.ts'

/** Credentials, and how often the server made them change: results for the old ones are not for the new ones. */
export interface CountedAuth extends ClientAuth {
  readonly renewals: number
}

export function countRenewals(auth: ClientAuth): CountedAuth {
  let renewals = 0
  return {
    headers: (request) => auth.headers(request),
    async challenged(challenge) {
      const again = await auth.challenged(challenge)
      if (again) renewals += 1
      return again
    },
    ...(auth.answered && { answered: (request, reply) => auth.answered!(request, reply) }),
    ...(auth.extensions && { extensions: auth.extensions }),
    get renewals() {
      return renewals
    },
  }
}
