import { shortLine } from '../display/visible.ts'
import { isMcpError, McpError, type McpErrorCode } from '../errors.ts'
import type { ReplyHead } from './engines/engine.ts'

/** A reply over HTTP that is no answer. Its code is `http`, `unauthorized` or `session_expired`. */
export class HttpError extends McpError {
  readonly status: number
  readonly contentType: string | undefined
  /** The beginning of the body, as plain text. */
  readonly body: string
  /** The header `WWW-Authenticate`. */
  readonly challenge: string | undefined

  constructor(code: McpErrorCode, message: string, head: ReplyHead, body = '', options?: ErrorOptions) {
    super(code, message, options)
    this.status = head.status
    this.contentType = head.header('content-type')
    this.challenge = head.header('www-authenticate')
    this.body = body
  }
}

// By its shape, not by class: errors of a second copy of the library count too.
export const isHttpError = (value: unknown): value is HttpError =>
  isMcpError(value) && typeof (value as Partial<HttpError>).status === 'number'

/** A refusal that may be another answer in a moment: a server that is overloaded, or away behind a proxy. */
export const isTemporary = (status: number): boolean => [408, 429, 502, 503, 504].includes(status)

const excerptLength = 200

/** The beginning of a body for a message: no markup, no control characters, one line. */
export function excerpt(body: string, contentType: string | undefined): string {
  const text = contentType?.includes('html') ? withoutMarkup(body) : body
  const line = text.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim()
  return line.length > excerptLength ? `${line.slice(0, excerptLength)}…` : line
}

const withoutMarkup = (html: string): string =>
  html
    .slice(0, 16_384)
    .replace(/<(script|style)\b[^<]*(?:<(?!\/\1)[^<]*)*<\/\1[^>]*>/gi, ' ')
    .replace(/<[^<>]*>/g, ' ')

/** The error for a reply whose status is no success. */
export function refusedError(what: string, head: ReplyHead, body: string, session: boolean, url?: URL): HttpError {
  const contentType = head.header('content-type')
  const text = excerpt(body, contentType)
  const said = text === '' ? '' : `: ${text}`
  const { status } = head
  if (status === 401 || status === 403) {
    const challenge = head.header('www-authenticate')
    const wanted = challenge === undefined ? '' : ` (it asks for ${shortLine(challenge, 500)})`
    return new HttpError('unauthorized', `${what} was refused with HTTP ${status}${wanted}${said}`, head, text)
  }
  if (session && isSessionRefusal(status, text)) {
    return new HttpError('session_expired', `The server no longer knows the session: HTTP ${status}${said}`, head, text)
  }
  // A wrong path is the commonest mistake. The query may hold secrets.
  const place = status === 404 && url !== undefined ? ` at ${url.origin}${url.pathname}` : ''
  return new HttpError('http', `${what} was answered with HTTP ${status}${place}${said}`, head, text)
}

// Many deployed servers refuse a forgotten session with 400, although the rule is 404. Those that make a new transport
// for every unknown id see a client that did not initialize.
const isSessionRefusal = (status: number, text: string): boolean =>
  status === 404 ||
  (status === 400 &&
    (/\bserver not initiali[sz]ed\b/i.test(text) ||
      (/\bsession\b/i.test(text) && /\b(no valid|invalid|unknown|expired|not found)\b/i.test(text))))
