import { ChatError, isChatError } from '../chat-error.ts'
import { firstBytes } from '../results/text-slice.ts'

/** The facts of a failed request, from the errors of the AI SDK or of `fetch`. */
interface Failure {
  status: number | undefined
  /** In milliseconds, if the provider said how long to wait. */
  retryAfterMs: number | undefined
  mayRetry: boolean
  message: string
}

const headerOf = (headers: unknown, name: string): string | undefined => {
  if (typeof headers !== 'object' || headers === null) return undefined
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)
  return typeof found?.[1] === 'string' ? found[1] : undefined
}

/** The time of `retry-after-ms` or `retry-after`: seconds or a date. */
function retryAfter(headers: unknown): number | undefined {
  const milliseconds = Number.parseFloat(headerOf(headers, 'retry-after-ms') ?? '')
  if (milliseconds >= 0) return milliseconds
  const value = headerOf(headers, 'retry-after')
  if (value === undefined) return undefined
  if (/^\d+(\.\d+)?$/.test(value.trim())) return Number.parseFloat(value) * 1000
  const date = Date.parse(value)
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now())
}

const retryStatus = (status: number): boolean => status === 408 || status === 409 || status === 429 || status >= 500

/** Providers name an overload in the stream, after a status of 200. */
const overload = /overloaded|rate.?limit|too many requests/i

const codesOfNetwork = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
  'EAI_AGAIN',
  'UND_ERR_SOCKET',
])

function networkCode(error: unknown): string | undefined {
  for (let cause: unknown = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth++) {
    const { code } = cause as NodeJS.ErrnoException
    if (typeof code === 'string' && codesOfNetwork.has(code)) return code
  }
  return undefined
}

/** The connection broke, or the provider's package noticed that the stream had no end. */
export const isLostConnection = (error: unknown): boolean =>
  networkCode(error) !== undefined || (error as Error | undefined)?.name === 'AI_InvalidResponseDataError'

const messageOf = (error: unknown): string => {
  if (error instanceof Error) return error.message
  if (typeof error === 'string') return error
  const inner = (error as { message?: unknown } | null | undefined)?.message
  return typeof inner === 'string' ? inner : (JSON.stringify(error) ?? String(error))
}

export function describeFailure(error: unknown): Failure {
  const { statusCode, responseHeaders } = (error ?? {}) as { statusCode?: unknown; responseHeaders?: unknown }
  const status = typeof statusCode === 'number' && statusCode >= 400 ? statusCode : undefined
  // A provider may answer with a whole page.
  const message = firstBytes(messageOf(error), 1_000)
  const isNetwork = networkCode(error) !== undefined
  const mayRetry = status === undefined ? isNetwork || overload.test(message) : retryStatus(status)
  return { status, retryAfterMs: retryAfter(responseHeaders), mayRetry, message }
}

/** The error that a conversation ends with. */
export function toChatError(error: unknown): ChatError {
  if (isChatError(error)) return error
  const { status, message } = describeFailure(error)
  const make = (code: ChatError['code'], text: string): ChatError => new ChatError(code, text, { cause: error, status })
  if (status === 401 || status === 403)
    return make('unauthorized', `The provider refused the key (${status}): ${message}`)
  if (status === 429) return make('rate_limited', `The provider limits the rate of requests (429): ${message}`)
  if (status !== undefined && status >= 500) return make('overloaded', `The provider failed (${status}): ${message}`)
  if (status !== undefined) return make('rejected', `The provider did not accept the request (${status}): ${message}`)
  if ((error as Error | undefined)?.name === 'AI_LoadAPIKeyError') return make('key_missing', message)
  const network = networkCode(error)
  if (network !== undefined) return make('unreachable', `The provider cannot be reached (${network}): ${message}`)
  if (overload.test(message)) return make('overloaded', `The provider failed: ${message}`)
  return make('rejected', `The model failed: ${message}`)
}
