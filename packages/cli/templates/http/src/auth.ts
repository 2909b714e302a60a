import { createHash, timingSafeEqual } from 'node:crypto'
import type { Authenticate } from '@tenon/sdk/node'

/**
 * Accepts requests with the token, as `Authorization: Bearer <token>`. For tokens of an identity provider use `bearer`
 * from `@tenon/sdk/auth/server` instead.
 */
export function withToken(token: string): Authenticate {
  const expected = digest(token)
  return (request) => {
    const [, given] = /^Bearer (\S+)$/i.exec(request.header('authorization') ?? '') ?? []
    if (given !== undefined && timingSafeEqual(digest(given), expected)) return { principal: 'owner' }
    return { status: 401, headers: { 'www-authenticate': 'Bearer' } }
  }
}

// Digests have the same length, as a comparison in constant time requires.
const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
