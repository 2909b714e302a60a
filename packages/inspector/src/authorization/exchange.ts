import type { OAuthReply, OAuthRequest } from '@tenon/sdk/auth'
import type { AuthorizationExchange } from '../protocol.ts'
import { isObject } from '../read-params.ts'
import type { Hider } from './hider.ts'

/** The part of a reply that is shown; documents are smaller, and pages begin with their title. */
const maxShown = 32_768

export type JsonMembers = { [name: string]: unknown }

/** A request before it is sent. */
export function heldExchange({ method, url, headers, body }: OAuthRequest, hider: Hider): AuthorizationExchange {
  const isForm = /urlencoded/.test(headers['content-type'] ?? headers['Content-Type'] ?? '')
  const shown = body === undefined ? undefined : isForm ? hider.form(body) : hider.json(parse(body) ?? body)
  return {
    method,
    url: hider.text(url),
    headers: hider.headers(headers),
    ...(shown !== undefined && { body: shown }),
    state: 'held',
  }
}

/** Records the reply of a request. Returns its members, if it is a JSON object. */
export function keepOutcome(
  exchange: AuthorizationExchange,
  outcome: OAuthReply | Error,
  hider: Hider,
): JsonMembers | undefined {
  if (outcome instanceof Error) {
    Object.assign(exchange, { state: 'failed', error: hider.text(outcome.message), outcome: 'no answer' })
    return undefined
  }
  const { url, status, headers, text } = outcome
  const value = text.length <= maxShown * 8 ? parse(text) : undefined
  const short = text.length > maxShown ? `${text.slice(0, maxShown)}…` : text
  // A page may quote the request: secrets are found by their values there.
  const reply = value === undefined ? hider.text(short) : hider.json(value)
  Object.assign(exchange, {
    state: 'answered',
    status,
    replyHeaders: hider.replyHeaders(headers),
    ...(reply !== '' && { reply: text.length > maxShown ? hider.text(short) : reply }),
    ...(url !== exchange.url && { repliedFrom: hider.text(url) }),
  })
  return isObject(value) ? value : undefined
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
