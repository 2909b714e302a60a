import { classify, explainInvalid, isObject } from '../jsonrpc/classify.ts'
import type { JsonObject, Notification, Payload, Request, RequestId } from '../jsonrpc/message.ts'
import type { Revision } from '../model/revision.ts'
import type { AuthInfo } from '../server/caller.ts'
import type { Definition } from '../server/definition.ts'
import type { Sink } from '../transport/channel.ts'
import { codecFor } from '../wire/codecs.ts'
import { readEventId } from './event-stream.ts'
import type { ResponseMode, Settings } from './options.ts'
import { PostStream } from './post-stream.ts'
import type { Pulse } from './pulse.ts'
import { about, type HttpRefusal, refusal, refuse } from './refusal.ts'
import type { HttpReply, HttpRequest, ReplyHeaders } from './request.ts'
import type { Session } from './session.ts'
import type { Sessions } from './sessions.ts'
import { eventText, streamHeaders } from './sse-text.ts'
import { refuseAhead } from './step-up.ts'

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

export interface LegacyPost extends LegacyCall {
  value: unknown
  mode: ResponseMode
}

/** Handles a message of a client that shook hands, or is about to. Resolves when the answer is out. */
export async function handleLegacyPost(post: LegacyPost): Promise<void> {
  const { value, request } = post
  const isInitialize = isObject(value) && value.method === 'initialize' && classify(value) === 'request'
  if (isInitialize && request.header('mcp-session-id') === undefined)
    return openSession(post, value as unknown as Request)
  const found = await sessionOf(post)
  const refused = 'refused' in found ? found.refused : (refuseVersion(post) ?? refuseValue(value, found.session))
  if (refused !== undefined) return refuse(post.reply, about(idOf(value), refused), post.headers)
  const { session } = found as { session: Session }
  // An event stream has its status before the answer is known.
  const ahead = post.mode === 'sse' && (await refuseAhead(value, post.definition, session.callerWith(post.auth), post))
  if (ahead) return refuse(post.reply, ahead, post.headers)
  await receive(post, session)
}

/** Opens the stream on which the server speaks on its own, or carries on one that was cut. */
export async function handleLegacyGet(call: LegacyCall): Promise<void> {
  const { request, reply, headers } = call
  const found = await sessionOf(call)
  const refused = 'refused' in found ? found.refused : refuseVersion(call)
  if (refused !== undefined) return refuse(reply, refused, headers)
  const { session } = found as { session: Session }
  const lastEvent = request.header('last-event-id')
  if (lastEvent === undefined || lastEvent === '') return session.listen(reply, headers)
  const event = readEventId(lastEvent)
  if (event !== undefined && (await session.resume(event.stream, event.number, reply, headers))) return
  refuse(reply, refusal(400, 'Last-Event-ID names no event that can be continued from'), headers)
}

export async function handleLegacyDelete(call: LegacyCall): Promise<void> {
  const found = await sessionOf(call)
  const refused = 'refused' in found ? found.refused : refuseVersion(call)
  if (refused !== undefined) return refuse(call.reply, refused, call.headers)
  await call.sessions.end((found as { session: Session }).session)
  call.reply.send(204, { ...call.headers })
}

async function sessionOf(call: LegacyCall): Promise<{ session: Session } | { refused: HttpRefusal }> {
  const id = call.request.header('mcp-session-id')
  if (id === undefined) return { refused: refusal(400, 'Bad request: Mcp-Session-Id is required after initialize') }
  const session = await call.sessions.find(id, call.auth)
  return session === undefined ? { refused: refusal(404, 'Session not found') } : { session }
}

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

function receive(post: LegacyPost, session: Session): Promise<void> | void {
  const { value, auth, reply, headers } = post
  const messages: unknown[] = Array.isArray(value) ? value : [value]
  const ids = messages.filter((message) => classify(message) === 'request').map((message) => (message as Request).id)
  if (ids.length > 0) return answer(post, session, ids)
  session.receive(value, auth)
  for (const message of messages) noteCancellation(message as Notification, session)
  reply.send(202, { ...headers })
}

function noteCancellation(message: Notification, session: Session): void {
  if (message.method === 'notifications/cancelled') session.cancelled(message.params?.requestId)
}

function answer(post: LegacyPost, session: Session, ids: RequestId[]): Promise<void> {
  const { value, auth, request, reply, mode, headers, pulse, settings } = post
  return new Promise((done) => {
    const { pollAfterMs } = settings
    const batch = Array.isArray(value)
    const options = { request, settings, auth, reply, mode, headers, ids, batch, pulse, pollAfterMs, done }
    const sink = new PostStream(session, options)
    session.receive(value, auth, sink)
  })
}

/** A session exists once its handshake has worked; before, nobody knows its id. */
async function openSession(post: LegacyPost, message: Request): Promise<void> {
  const { sessions, auth, reply, headers } = post
  const session = sessions.create((message.params ?? {}) as JsonObject, auth)
  const answered = await new Promise<Payload>((resolve) => {
    const sink: Sink = { send: (payload) => resolve(payload) }
    session.receive(message, auth, sink)
  })
  const opened = 'result' in answered
  if (opened) await sessions.add(session)
  else await session.end()
  const all = { ...headers, ...(opened && { 'mcp-session-id': session.id }) }
  sendAnswer(post, answered, all, reply)
}

function sendAnswer({ mode }: LegacyPost, answered: Payload, headers: ReplyHeaders, reply: HttpReply): void {
  const json = JSON.stringify(answered)
  if (mode !== 'sse') {
    reply.send(200, { 'content-type': 'application/json', ...headers }, json)
    return
  }
  const stream = reply.stream({ ...streamHeaders, ...headers })
  stream.write(eventText(json))
  stream.end()
}
