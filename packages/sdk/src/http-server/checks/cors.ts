import { McpError } from '../../errors.ts'
import type { HttpRequest, ReplyHeaders } from '../request.ts'

export interface CorsOptions {
  /** Origins whose pages may read answers, such as `https://app.example`. `'*'`: all. */
  origins: readonly string[] | '*'
  /** Whether cookies may come along, which needs a list of origins. Default false. */
  credentials?: boolean
  /** How long browsers may remember the permission, in seconds. Default 600. */
  maxAgeSeconds?: number
}

/** What scripts need to read: without being named here a header is invisible to them. */
const exposed = 'Mcp-Session-Id, MCP-Protocol-Version, WWW-Authenticate, DPoP-Nonce, Retry-After'
const readable =
  /^(?:content-type|accept|authorization|dpop|last-event-id|cache-control|traceparent|tracestate|baggage|mcp-[!#$%&'*+.^_`|~0-9a-z-]+)$/i

/** Every page of the web would read what the cookies of its visitor open; the Fetch standard forbids it for this reason. */
export function assertCors({ origins, credentials }: CorsOptions): void {
  if (!credentials || (origins !== '*' && !origins.includes('*'))) return
  throw new McpError('invalid_argument', "cors: expected a list of origins where credentials are allowed, got '*'")
}

export const corsAllows = ({ origins }: CorsOptions, origin: string): boolean =>
  origins === '*' || origins.includes(origin)

/** What makes an answer readable for the page that asked; nothing where nobody asked or nobody may. */
export function corsHeaders(cors: CorsOptions | undefined, request: HttpRequest): ReplyHeaders | undefined {
  if (cors === undefined) return undefined
  const origin = request.header('origin')
  if (origin === undefined || !corsAllows(cors, origin)) return { vary: 'Origin' }
  return {
    'access-control-allow-origin': cors.origins === '*' ? '*' : origin,
    'access-control-expose-headers': exposed,
    ...(cors.credentials && { 'access-control-allow-credentials': 'true' }),
    vary: 'Origin',
  }
}

/** The answer to a browser that asks before it sends. */
export function preflightHeaders(cors: CorsOptions, request: HttpRequest): ReplyHeaders {
  const asked = request.header('access-control-request-headers') ?? ''
  // Names of parameter headers are not known here, so the pattern decides which of the asked names are fine.
  const allowed = asked
    .split(',')
    .map((name) => name.trim())
    .filter((name) => readable.test(name))
  return {
    'access-control-allow-methods': 'GET, POST, DELETE',
    'access-control-max-age': String(cors.maxAgeSeconds ?? 600),
    ...(allowed.length > 0 && { 'access-control-allow-headers': allowed.join(', ') }),
  }
}
