import { isUsedUp } from '../budget.ts'
import { classify, isObject } from '../jsonrpc/classify.ts'
import type { JsonObject, Payload, Request, RequestId } from '../jsonrpc/message.ts'
import type { AuthInfo } from '../server/caller.ts'
import type { Definition } from '../server/definition/definition.ts'
import type { Soon } from '../soon.ts'
import { readEventId } from './event-stream.ts'
import type { ResponseMode, Settings } from './options.ts'
import { PostStream } from './post-stream.ts'
import type { Pulse } from './pulse.ts'
import { about, type HttpRefusal, refusal, refuse, usedUp } from './refusal.ts'
import { refuseMessage } from './refuse-message.ts'
import type { HttpReply, HttpRequest, ReplyHeaders } from './request.ts'
import type { Session } from './session.ts'
import type { Sessions } from './sessions.ts'
import { eventText, streamHeaders } from './sse-text.ts'
import { mayLackScopes, refuseAhead } from './step-up.ts'

/** What the handshake era needs to know about a request. */
export interface LegacyCall {
  definition: Definition
  settings: Settings
  sessions: Sessions
  pulse: Pulse
  request: HttpRequest
  reply: HttpReply
  headers: ReplyHeaders | undefined
  auth: AuthInfo | undefined
}

interface LegacyPost {
  readonly call: LegacyCall
  readonly value: unknown
  readonly mode: ResponseMode
}

type Found = { session: Session } | { refused: HttpRefusal }

/** Handles a message of a client that shook hands, or is about to. Returns a promise if the answer is not out yet. */
export function handleLegacyPost(call: LegacyCall, value: unknown, mode: ResponseMode): Soon<void> {
  const post: LegacyPost = { call, value, mode }
  const isInitialize = isObject(value) && value.method === 'initialize' && classify(value) === 'request'
  if (isInitialize && call.request.header('mcp-session-id') === undefined)
    return openSession(post, value as unknown as Request)
  const found = sessionOf(call)
  return found instanceof Promise ? found.then((known) => takeFor(known, post)) : takeFor(found, post)
}

function takeFor(found: Found, post: LegacyPost): Soon<void> {
  const { call, value, mode } = post
  const refused = 'refused' in found ? found.refused : (refuseVersion(call) ?? refuseMessage(value, found.session))
  if (refused !== undefined) return refuse(call.reply, about(refused.id ?? idOf(value), refused), call.headers)
  const { session } = found as { session: Session }
  // An event stream may have its status before the answer is known.
  return mode === 'sse' && mayLackScopes(call) ? receiveUnlessRefused(post, session) : receive(post, session)
}

async function receiveUnlessRefused(post: LegacyPost, session: Session): Promise<void> {
  const { call, value } = post
  const ahead = await session.asCaller(call.auth, (caller) => refuseAhead(value, call.definition, caller, call))
  if (ahead !== undefined) return refuse(call.reply, ahead, call.headers)
  await receive(post, session)
}

/** Opens the stream on which the server speaks on its own, or carries on one that was cut. */
export async function handleLegacyGet(call: LegacyCall): Promise<void> {
  const { request, reply, headers, auth } = call
  const found = await sessionOf(call)
  const refused = 'refused' in found ? found.refused : refuseVersion(call)
  if (refused !== undefined) return refuse(reply, refused, headers)
  const { session } = found as { session: Session }
  const lastEvent = request.header('last-event-id')
  if (lastEvent === undefined || lastEvent === '') return session.listen(reply, headers, auth)
  const event = readEventId(lastEvent)
  if (event !== undefined && (await session.resume(event.stream, event.number, call))) return
  refuse(reply, refusal(400, 'Last-Event-ID names no event that can be continued from'), headers)
}

export async function handleLegacyDelete(call: LegacyCall): Promise<void> {
  const found = await sessionOf(call)
  const refused = 'refused' in found ? found.refused : refuseVersion(call)
  if (refused !== undefined) return refuse(call.reply, refused, call.headers)
  await call.sessions.end((found as { session: Session }).session)
  call.reply.send(204, { ...call.headers })
}

function sessionOf(call: LegacyCall): Soon<Found> {
  const id = call.request.header('mcp-session-id')
  if (id === undefined) return { refused: refusal(400, 'Bad request: Mcp-Session-Id is required after initialize') }
  const session = call.sessions.find(id, call.auth)
  return session instanceof Promise ? session.then(orNotFound) : orNotFound(session)
}

const orNotFound = (session: Session | undefined): Found =>
  session === undefined ? { refused: refusal(404, 'Session not found') } : { session }

/** Without the header, the session itself says which version is spoken. */
function refuseVersion({ request, definition }: LegacyCall): HttpRefusal | undefined {
  const version = request.header('mcp-protocol-version')
  if (version === undefined || (definition.handshakeRevisions as readonly string[]).includes(version)) return undefined
  const supported = definition.handshakeRevisions.join(', ')
  return refusal(400, `Bad request: unsupported MCP-Protocol-Version (supported: ${supported})`)
}

const idOf = (value: unknown): RequestId | undefined =>
  classify(value) === 'request' ? (value as Request).id : undefined

/** Only requests are answered; in a batch there may be some, which the session finds out. */
function receive({ call, value, mode }: LegacyPost, session: Session): Soon<void> {
  const { request, reply, headers, auth, pulse, settings } = call
  const kind = classify(value)
  if (kind === 'request' || kind === 'batch') {
    const { pollAfterMs } = settings
    return new PostStream(session, { request, settings, auth, reply, mode, headers, pulse, pollAfterMs }).run(value)
  }
  session.receive(value, auth)
  reply.send(202, { ...headers })
}

/** A session exists once its handshake has worked; before, nobody knows its id. */
async function openSession({ call, mode }: LegacyPost, message: Request): Promise<void> {
  const { sessions, auth, reply, headers } = call
  const session = await sessions.create((message.params ?? {}) as JsonObject, auth)
  try {
    const answered = await answerToHandshake(session, message, call)
    const opened = answered !== undefined && 'result' in answered
    if (opened) await sessions.add(session)
    if (answered === undefined || session.ended) return refuse(reply, about(message.id, notOpened), headers)
    if ('error' in answered && isUsedUp(answered.error)) {
      return refuse(reply, usedUp(answered.error, message.id), headers)
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
function answerToHandshake(session: Session, message: Request, call: LegacyCall): Promise<Payload | undefined> {
  return new Promise((resolve) => {
    session.receive(message, call.auth, { send: resolve, unanswered: () => resolve(undefined) })
    // Nobody else knows the id, so nobody else would end the session.
    call.reply.onGone(() => void call.sessions.discard(session))
  })
}
