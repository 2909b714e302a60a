// An application's part in the authorization of the official client, and its reaction when the user returns.

const redirectUrl = 'http://127.0.0.1:4999/callback'

/** Keeps everything in memory; `browse` is the user's browser. */
export function authProvider(browse) {
  const kept = {}
  return {
    redirectUrl,
    clientMetadata: {
      client_name: 'interop',
      redirect_uris: [redirectUrl],
      grant_types: ['authorization_code'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    clientInformation: () => kept.client,
    saveClientInformation: (client) => {
      kept.client = client
    },
    tokens: () => kept.tokens,
    saveTokens: (tokens) => {
      kept.tokens = tokens
    },
    saveCodeVerifier: (verifier) => {
      kept.verifier = verifier
    },
    codeVerifier: () => kept.verifier,
    redirectToAuthorization: async (page) => {
      kept.back = await browse(page)
    },
    /** The parameters of the user's return. */
    answer: () => kept.back?.searchParams,
  }
}

/** Connects; if the user had to agree first, uses the parameters of the return and connects again. */
export async function afterAuthorization(attempt, provider) {
  const first = await attempt()
  try {
    await first.connected
    return first
  } catch (error) {
    const answer = provider?.answer()
    if (!answer) throw error
    await first.transport.finishAuth(answer.get('code'), answer.get('iss') ?? undefined)
  }
  const second = await attempt()
  await second.connected
  return second
}
