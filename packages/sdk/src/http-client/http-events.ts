import type { HeaderRecord } from './http-options.ts'

/** A step of one HTTP request to a server. */
export interface HttpEvent {
  /** The same for all steps of a request. A redirect, and a repetition with other credentials, is another request. */
  id: number
  /**
   * `request`: it is sent. `reply`: status and headers are there. `event`: an event of a stream arrived. `end`: all of
   * the body was read, or this side needs no more of it. `failed`: it could not be sent, or the reply broke off.
   */
  phase: 'request' | 'reply' | 'event' | 'end' | 'failed'
  method: 'POST' | 'GET' | 'DELETE'
  /** Query parameters with the name of a secret have the value `…`. */
  url: string
  /** Those of the request with `request`, none with `event`, else those of the reply if there is one. Credentials are `…`. */
  headers: HeaderRecord
  /** From `reply` on. */
  status?: number
  /** Of the body of the request, or of the part of the reply that was read. */
  bytes?: number
  /** With `event`. */
  event?: HttpStreamEvent
  /** This side ended it, as it does with streams that are not needed any more. */
  aborted?: true
  error?: Error
  /** Milliseconds since 1970, with fractions. */
  at: number
}

/** The fields of an event besides its message, which is reported elsewhere. */
export interface HttpStreamEvent {
  id?: string
  /** The name of the event, if not `message`. */
  name?: string
  /** How long to wait before resuming the stream, in milliseconds. */
  retry?: number
  /** The length of the data; 0 if an event only carries an id or a pause. */
  characters?: number
  /** A line that is no event, such as those that keep a stream alive. */
  comment?: string
}

/** The headers to show: those of the protocol, and those that do not identify the user. Any other may be a secret. */
const shown: ReadonlySet<string> = new Set([
  'accept',
  'accept-language',
  'baggage',
  'content-type',
  'last-event-id',
  'mcp-method',
  'mcp-name',
  'mcp-protocol-version',
  'mcp-session-id',
  'origin',
  'traceparent',
  'tracestate',
  'user-agent',
  'x-request-id',
])
const mirrored = 'mcp-param-'

/** The headers of a request without credentials; the scheme, such as `Bearer`, stays. */
export function showRequestHeaders(headers: HeaderRecord): HeaderRecord {
  return mapHeaders(Object.entries(headers), (name, value) => {
    if (shown.has(name) || name.startsWith(mirrored)) return value
    return name.endsWith('authorization') ? value.replace(/^([A-Za-z][\w-]*) .*$|^.*$/s, schemeOnly) : '…'
  })
}

const schemeOnly = (_: string, scheme: string | undefined): string => (scheme === undefined ? '…' : `${scheme} …`)

/** The headers of a reply, without cookies. */
export function showReplyHeaders(fields: Headers | { [name: string]: string | string[] | undefined }): HeaderRecord {
  const entries = fields instanceof Headers ? [...fields] : Object.entries(fields)
  return mapHeaders(entries, (name, value) => (name === 'set-cookie' ? '…' : value))
}

function mapHeaders(
  entries: [string, string | string[] | undefined][],
  show: (name: string, value: string) => string,
): HeaderRecord {
  return Object.fromEntries(
    entries.map(([name, value]) => [name, show(name.toLowerCase(), [value ?? ''].flat().join(', '))]),
  )
}

const secretName = /key|token|secret|pass|auth|credential|signature|^sig$|^code$/i

/** A URL without the values of query parameters that look like secrets. */
export function showUrl(url: URL): string {
  if (url.search === '') return url.href
  const copy = new URL(url)
  for (const name of new Set(copy.searchParams.keys())) {
    if (secretName.test(name)) copy.searchParams.set(name, '…')
  }
  return copy.href.replaceAll('%E2%80%A6', '…')
}
