import { createHash, timingSafeEqual } from 'node:crypto'
import type { Authenticate } from '@tenon/sdk/node'

// As digests, so that the comparison takes the same time for tokens of every length.
const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Authenticates callers by a shared secret. They are all the same principal. */
export function tokenCheck(secret: string): Authenticate {
  const expected = digest(secret)
  return (request) => {
    const [, token] = /^Bearer +(\S+)$/i.exec(request.header('authorization') ?? '') ?? []
    if (token !== undefined && timingSafeEqual(digest(token), expected)) return { principal: 'token' }
    return { status: 401, headers: { 'www-authenticate': 'Bearer' }, message: 'The bearer token is missing or wrong' }
  }
}
