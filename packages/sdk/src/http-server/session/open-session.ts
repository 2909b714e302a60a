import { isUsedUp } from '../../internal/budget.ts'
import type { JsonObject, Payload, Request } from '../../jsonrpc/message.ts'
import { memoryRefusal, refusal, refuseRequest, withRequestId } from '../checks/refusal.ts'
import type { HttpExchange } from '../http-transport.ts'
import type { ResponseMode } from '../options.ts'
import { eventText, streamHeaders } from '../sse-format.ts'
import type { HttpSession } from './http-session.ts'
import type { HttpSessions } from './http-sessions.ts'

/** Answers `initialize`. A session exists once its handshake has worked; before, nobody knows its id. */
export async function openSession(
  sessions: HttpSessions,
  exchange: HttpExchange,
  message: Request,
  mode: ResponseMode,
): Promise<void> {
  const { auth, reply, headers } = exchange
  const session = await sessions.create((message.params ?? {}) as JsonObject, auth)
  try {
    const answered = await answerTo(message, session, sessions, exchange)
    const opened = answered !== undefined && 'result' in answered
    if (opened) await sessions.add(session)
    if (answered === undefined || session.ended)
      return refuseRequest(reply, withRequestId(message.id, notOpened), headers)
    if ('error' in answered && isUsedUp(answered.error)) {
      return refuseRequest(reply, memoryRefusal(answered.error, message.id), headers)
    }
    const all = { ...headers, ...(opened && { 'mcp-session-id': session.id }) }
    const json = JSON.stringify(answered)
    if (mode === 'sse') reply.send(200, { ...streamHeaders, ...all }, eventText(json))
    else reply.send(200, { 'content-type': 'application/json', ...all }, json)
  } finally {
    await sessions.discard(session)
  }
}

const notOpened = refusal(503, 'The session could not be opened', undefined, { 'retry-after': '1' })

/** The answer to `initialize`; none if the client leaves before it, or the server closes. */
function answerTo(
  message: Request,
  session: HttpSession,
  sessions: HttpSessions,
  { auth, reply }: HttpExchange,
): Promise<Payload | undefined> {
  return new Promise((resolve) => {
    session.receive(message, auth, { send: resolve, unanswered: () => resolve(undefined) })
    // Nobody else knows the id, so nobody else would end the session.
    reply.onGone(() => void sessions.discard(session))
  })
}
