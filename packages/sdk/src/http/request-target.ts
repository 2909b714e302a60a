import { McpError } from '../errors.ts'

/** The target of a request in normal form: decisions about the request and the acting code read this same value. */
export interface RequestTarget {
  /** Begins with a slash, and has no second spelling: no dot segments, no empty ones, nothing encoded without need. */
  readonly path: string
  /** Everything behind the first question mark, as it was written. Empty if there is nothing. */
  readonly query: string
}

const maxLength = 32 * 1024

// Characters that the URL standard leaves in a path as they are, without the backslash, which it reads as a slash.
const plain = "[!$&'()*+,\\-.0-9:;=@A-Z[\\]^_a-z|~]"
// Every encoded byte except control characters, slashes, and the letters, digits and marks (-._~) that stand for
// themselves. A percent sign before two digits has been encoded twice.
const encoded = '%(?:25(?![0-9A-Fa-f]{2})|2[0-46-9A-Ca-c]|3[A-Fa-f]|40|5[BbDdEe]|60|7[B-Db-d]|[89A-Fa-f][0-9A-Fa-f])'
const normalPath = new RegExp(`^(?:/(?!\\.{1,2}(?:[/;]|$))(?:${plain}|${encoded})+)*/?$`)
const notInQuery = /[\0-\x20\x7f#]/

// Nearly all requests have the same target as the one before.
let last: { raw: string; target: RequestTarget } = { raw: '/', target: { path: '/', query: '' } }

/**
 * Reads the target of a request line. Undefined, which is a reason for 400, if it is not a path in normal form with an
 * optional query: two readers could understand such a target differently. So the absolute form (`http://host/path`), the
 * asterisk and fragments are refused as well; proxies send the path alone to the servers behind them.
 *
 * @example
 * parseTarget('/mcp?a=1')      // { path: '/mcp', query: 'a=1' }
 * parseTarget('/x/../mcp')     // undefined
 */
export function parseTarget(raw: string): RequestTarget | undefined {
  if (raw === last.raw) return last.target
  if (raw.length > maxLength || !raw.startsWith('/')) return undefined
  const mark = raw.indexOf('?')
  const path = mark < 0 ? raw : raw.slice(0, mark)
  const query = mark < 0 ? '' : raw.slice(mark + 1)
  if (!normalPath.test(path) || notInQuery.test(query)) return undefined
  const target = { path, query }
  // A query may hold secrets, which are not kept longer than the request.
  if (mark < 0) last = { raw, target }
  return target
}

/** Throws for a path that no request could have; `option` names its setting. */
export function assertPath(path: string, option: string): void {
  if (typeof path === 'string' && parseTarget(path)?.path === path) return
  const found = JSON.stringify(path)
  throw new McpError('invalid_argument', `${option}: expected a path in normal form, such as "/mcp", got ${found}`)
}

/** The target of a Fetch request. Cut out by hand: parsing the URL again would cost as much as answering. */
export function targetOfUrl(url: string): RequestTarget | undefined {
  const start = url.indexOf('/', url.indexOf('://') + 3)
  const end = url.indexOf('#')
  return parseTarget(url.slice(start, end < 0 ? url.length : end))
}

/** The target as in a request line. */
export const targetText = ({ path, query }: RequestTarget): string => (query === '' ? path : `${path}?${query}`)
