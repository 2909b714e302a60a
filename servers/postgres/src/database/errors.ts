import pg from 'pg'
import { EmbeddedFailure } from './embedded-stream.ts'
import { TooLargeMessage } from './frame-guard.ts'
import { CopyRefused, NotAQuery } from './statement.ts'

/** A statement was refused or failed; the message is for the caller and says what to do. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
}

interface Limits {
  readonly timeoutMs: number
  readonly maxBytes: number
  readonly canWrite: boolean
  readonly isTimeout: boolean
  /** Characters of our own before the text of the caller. */
  readonly prefix: number
}

const maxText = 4_000
const noLimits: Limits = { timeoutMs: 0, maxBytes: 0, canWrite: false, isTimeout: false, prefix: 0 }

export function toRefusal(error: Error, limits: Limits = noLimits): Refusal {
  if (error instanceof Refusal) return error
  return new Refusal(cut(describe(error, limits)))
}

function describe(error: Error, { timeoutMs, maxBytes, canWrite, isTimeout, prefix }: Limits): string {
  if (isTimeout || (isDatabaseError(error) && error.code === '57014')) {
    return `The statement took longer than ${timeoutMs / 1000} s and was ended. Narrow it with WHERE or LIMIT, or look at its plan with explain.`
  }
  if (error instanceof NotAQuery) {
    const other = canWrite ? 'For others use execute.' : 'This server only reads.'
    return `Expected a statement that returns rows, such as SELECT, VALUES, TABLE, SHOW or EXPLAIN: ${error.message}. ${other}`
  }
  if (error instanceof TooLargeMessage) {
    return `A row is larger than ${maxBytes} bytes. Select fewer columns, or a part of a value with left(column, 1000) or substr.`
  }
  if (error instanceof CopyRefused) return 'COPY from or to the client is not possible here. Use SELECT or INSERT.'
  if (error instanceof EmbeddedFailure) {
    return `The embedded database broke off, and starts again with the next call: ${error.message}`
  }
  return isDatabaseError(error) ? databaseText(error, canWrite, prefix) : connectionText(error)
}

const isDatabaseError = (error: Error): error is pg.DatabaseError => error instanceof pg.DatabaseError

const adviceByCode = new Map<string | undefined, string>([
  ['42601', 'One statement per call.'],
  ['42501', 'The role of this connection may not do that.'],
  ['25001', 'Statements run in a transaction here; this one cannot.'],
])

function databaseText(error: pg.DatabaseError, canWrite: boolean, prefix: number): string {
  const readOnly = canWrite ? 'query only reads: use execute.' : 'This server only reads.'
  const isMultiple = error.code === '42601' && error.message.includes('multiple commands')
  const advice =
    error.code === '25006' ? readOnly : error.code === '42601' && !isMultiple ? undefined : adviceByCode.get(error.code)
  const place = error.position === undefined ? undefined : `at character ${Number(error.position) - prefix}`
  return [`${error.message}${place === undefined ? '' : ` (${place})`}`, error.detail, error.hint, advice]
    .filter((part) => part !== undefined && part !== '')
    .map((part) => part!.replace(/[.]?$/, '.'))
    .join(' ')
}

/** An address with several hosts fails once for each of them. */
function connectionText(error: Error): string {
  if (error.message.startsWith('timeout exceeded when trying to connect')) {
    return 'No connection in time: all are busy, or the server does not answer. Try again later.'
  }
  const causes = error instanceof AggregateError ? error.errors.map((one: Error) => one.message) : [error.message]
  return `The database cannot be reached: ${causes.filter((text) => text !== '').join('; ') || error.name}`
}

const cut = (text: string): string => (text.length <= maxText ? text : `${text.slice(0, maxText)}…`)
