import { createHash, timingSafeEqual } from 'node:crypto'
import type { Authenticate } from '@tenon/sdk/node'

// As digests, so that the comparison takes as long for every token, whatever its length.
const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Lets in whoever knows a secret. They are all the same caller. */
export function tokenCheck(secret: string): Authenticate {
  const expected = digest(secret)
  return (request) => {
    const [, token] = /^Bearer +(\S+)$/i.exec(request.header('authorization') ?? '') ?? []
    if (token !== undefined && timingSafeEqual(digest(token), expected)) return { principal: 'token' }
    return { status: 401, headers: { 'www-authenticate': 'Bearer' }, message: 'The bearer token is missing or wrong' }
  }
}
