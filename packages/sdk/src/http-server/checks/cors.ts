import { McpError } from '../../errors.ts'
import type { HttpRequest, ReplyHeaders } from '../../http/request.ts'

export interface CorsOptions {
  /** Origins whose pages may read answers, such as `https://app.example`. `'*'`: all. */
  origins: readonly string[] | '*'
  /** Whether cookies may come along, which needs a list of origins. Default false. */
  credentials?: boolean
  /** How long browsers may remember the permission, in seconds. Default 600. */
  maxAgeSeconds?: number
}

/** The headers that scripts need: browsers hide all others from them. */
const exposed = 'Mcp-Session-Id, MCP-Protocol-Version, WWW-Authenticate, DPoP-Nonce, Retry-After'
const readable =
  /^(?:content-type|accept|authorization|dpop|last-event-id|cache-control|traceparent|tracestate|baggage|mcp-[!#$%&'*+.^_`|~0-9a-z-]+)$/i

/** Every page of the web could read with the cookies of its visitor; the Fetch standard forbids it for this reason. */
export function assertCors({ origins, credentials }: CorsOptions): void {
  if (!credentials || (origins !== '*' && !origins.includes('*'))) return
  throw new McpError('invalid_argument', "cors: expected a list of origins where credentials are allowed, got '*'")
}

export const corsAllows = ({ origins }: CorsOptions, origin: string): boolean =>
  origins === '*' || origins.includes(origin)

/** The headers that make an answer readable for a page of an allowed origin. */
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

/** The answer to a preflight request. */
export function preflightHeaders(cors: CorsOptions, request: HttpRequest): ReplyHeaders {
  const asked = request.header('access-control-request-headers') ?? ''
  // Names of parameter headers are not known here, so a pattern decides which of the names are allowed.
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
