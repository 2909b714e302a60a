import type { IncomingMessage } from 'node:http'
import type { HttpRequest } from '../../http/request.ts'
import { TokenRefused } from './refused.ts'

/** The credentials of a request. */
export interface Credentials {
  scheme: 'bearer' | 'dpop'
  token: string
}

const pattern = /^(bearer|dpop) +([\w\-.~+/]+=*) *$/i
const scheme = /^(?:bearer|dpop)(?:\s|$)/i

/** The access token of a request: from the header and from nowhere else. Undefined if there is none. */
export function credentialsOf(request: HttpRequest, maxLength: number): Credentials | undefined {
  const header = request.header('authorization')
  if (header === undefined || !scheme.test(header)) return undefined
  if (header.length > maxLength + 8) throw new TokenRefused('unreadable', `the token is longer than ${maxLength}`)
  const found = pattern.exec(header)
  if (found === null) throw new TokenRefused('malformed', 'the Authorization header holds no token')
  // RFC 6750 section 2: one way, once. Node silently drops all but the first line.
  if (countOf(request, 'authorization') > 1) throw new TokenRefused('malformed', 'more than one Authorization header')
  if (hasQueryToken(request)) throw new TokenRefused('malformed', 'a token in the query as well')
  return { scheme: found[1]!.toLowerCase() as Credentials['scheme'], token: found[2]! }
}

const hasQueryToken = ({ target: { query } }: HttpRequest): boolean =>
  query !== '' && new URLSearchParams(query).has('access_token')

function countOf({ raw }: HttpRequest, name: string): number {
  const { rawHeaders } = raw as Partial<IncomingMessage>
  if (rawHeaders === undefined) return 1
  let count = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const field = rawHeaders[i]!
    if (field.length === name.length && field.toLowerCase() === name) count++
  }
  return count
}
