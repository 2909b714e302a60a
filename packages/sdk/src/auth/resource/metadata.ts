import type { OpenAnswer } from '../../http/authenticate.ts'
import type { HttpRequest } from '../../http/request.ts'

export const wellKnown = '/.well-known/oauth-protected-resource'

/** The URL of the metadata of a resource (RFC 9728 section 3.1). */
export function metadataUrlOf(resource: string): string {
  const { origin, pathname, search } = new URL(resource)
  return origin + wellKnown + (pathname === '/' ? '' : pathname) + search
}

const headers = {
  'access-control-allow-origin': '*',
  'cache-control': 'public, max-age=300',
  'content-type': 'application/json',
  'x-content-type-options': 'nosniff',
}

const preflight = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET',
  'access-control-allow-headers': '*',
  'access-control-max-age': '3600',
}

/** The metadata is public, for pages of every origin: it says how to get a token. */
export function answerMetadata({ method }: HttpRequest, document: object): OpenAnswer {
  if (method === 'OPTIONS') return { status: 204, headers: preflight }
  if (method !== 'GET' && method !== 'HEAD') return { status: 405, headers: { allow: 'GET, HEAD, OPTIONS' } }
  return { status: 200, headers, body: JSON.stringify(document) }
}
