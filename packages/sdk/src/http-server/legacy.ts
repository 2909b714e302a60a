import { isUsedUp } from '../budget.ts'
import { classify, explainInvalid, isObject } from '../jsonrpc/classify.ts'
import type { JsonObject, Notification, Payload, Request, RequestId } from '../jsonrpc/message.ts'
import type { Revision } from '../model/revision.ts'
import type { AuthInfo } from '../server/caller.ts'
import type { Definition } from '../server/definition.ts'
import type { Soon } from '../soon.ts'
import type { Sink } from '../transport/channel.ts'
import { codecFor } from '../wire/codecs.ts'
import { readEventId } from './event-stream.ts'
import type { ResponseMode, Settings } from './options.ts'
import { PostStream } from './post-stream.ts'
import type { Pulse } from './pulse.ts'
import { about, type HttpRefusal, refusal, refuse, usedUp } from './refusal.ts'
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
  const refused = 'refused' in found ? found.refused : (refuseVersion(call) ?? refuseValue(value, found.session))
  if (refused !== undefined) return refuse(call.reply, about(idOf(value), refused), call.headers)
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

function refuseValue(value: unknown, session: Session): HttpRefusal | undefined {
  if (Array.isArray(value)) {
    const batches = session.revision !== undefined && codecFor(session.revision as Revision).batches
    return batches ? undefined : refusal(400, 'Invalid request: batches are not part of the protocol revision in use')
  }
  if (classify(value) !== 'invalid') return undefined
  return refusal(400, explainInvalid(value).message)
}

const idOf = (value: unknown): RequestId | undefined =>
  isObject(value) && classify(value) === 'request' ? (value.id as RequestId) : explainId(value)

const explainId = (value: unknown): RequestId | undefined =>
  classify(value) === 'invalid' ? explainInvalid(value).id : undefined

function receive(post: LegacyPost, session: Session): Soon<void> {
  const { call, value } = post
  const messages: unknown[] = Array.isArray(value) ? value : [value]
  const ids: RequestId[] = []
  for (const message of messages) if (classify(message) === 'request') ids.push((message as Request).id)
  if (ids.length > 0) return answer(post, session, ids)
  session.receive(value, call.auth)
  for (const message of messages) noteCancellation(message as Notification, session)
  call.reply.send(202, { ...call.headers })
}

function noteCancellation(message: Notification, session: Session): void {
  if (message.method === 'notifications/cancelled') session.cancelled(message.params?.requestId)
}

function answer({ call, value, mode }: LegacyPost, session: Session, ids: RequestId[]): Soon<void> {
  const { request, reply, headers, auth, pulse, settings } = call
  const { pollAfterMs } = settings
  const batch = Array.isArray(value)
  const answering = new PostStream(session, {
    request,
    settings,
    auth,
    reply,
    mode,
    headers,
    ids,
    batch,
    pulse,
    pollAfterMs,
  })
  return answering.run(value)
}

/** A session exists once its handshake has worked; before, nobody knows its id. */
async function openSession({ call, mode }: LegacyPost, message: Request): Promise<void> {
  const { sessions, auth, reply, headers } = call
  const session = await sessions.create((message.params ?? {}) as JsonObject, auth)
  const answered = await new Promise<Payload>((resolve) => {
    const sink: Sink = { send: (payload) => resolve(payload) }
    session.receive(message, auth, sink)
  })
  const opened = 'result' in answered
  if (opened) await sessions.add(session)
  else await session.end()
  if ('error' in answered && isUsedUp(answered.error)) return refuse(reply, usedUp(answered.error, message.id), headers)
  const all = { ...headers, ...(opened && { 'mcp-session-id': session.id }) }
  const json = JSON.stringify(answered)
  if (mode === 'sse') reply.send(200, { ...streamHeaders, ...all }, eventText(json))
  else reply.send(200, { 'content-type': 'application/json', ...all }, json)
}
