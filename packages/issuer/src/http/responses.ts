/** An answer of the protocol that is an error (RFC 6749 section 5.2). Thrown by endpoints, and answered as JSON. */
export class OAuthRefusal extends Error {
  readonly status: number
  readonly error: string
  readonly headers: { readonly [name: string]: string }

  constructor(error: string, description: string, status = 400, headers: { [name: string]: string } = {}) {
    super(description)
    this.error = error
    this.status = status
    this.headers = headers
  }
}

export const invalidRequest = (description: string): OAuthRefusal => new OAuthRefusal('invalid_request', description)
export const invalidGrant = (description: string): OAuthRefusal => new OAuthRefusal('invalid_grant', description)

/** A request is refused before the redirect URI is known to be safe: the user sees a page. */
export class PageRefusal extends Error {
  readonly status: number

  constructor(message: string, status = 400) {
    super(message)
    this.status = status
  }
}

const noStore = { 'cache-control': 'no-store' }

export function json(value: unknown, status = 200, headers: { readonly [name: string]: string } = {}): Response {
  return new Response(JSON.stringify(value), {
    status,
    headers: { 'content-type': 'application/json', 'x-content-type-options': 'nosniff', ...noStore, ...headers },
  })
}

export const refused = ({ error, message, status, headers }: OAuthRefusal): Response =>
  json({ error, error_description: message }, status, headers)

/** To another page, always by GET. */
export const redirect = (location: string): Response =>
  new Response(null, { status: 303, headers: { location, 'referrer-policy': 'no-referrer', ...noStore } })

/** Everything but the pages is for programs of any origin: none of it knows cookies. */
export function forEveryOrigin(response: Response): Response {
  response.headers.set('access-control-allow-origin', '*')
  response.headers.set('access-control-expose-headers', 'retry-after, www-authenticate')
  return response
}

export const preflight = (): Response =>
  new Response(null, {
    status: 204,
    headers: {
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, POST',
      'access-control-allow-headers': 'authorization, content-type, dpop, mcp-protocol-version',
      'access-control-max-age': '86400',
    },
  })
