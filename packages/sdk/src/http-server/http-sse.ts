import { McpError } from '../errors.ts'
import { classify } from '../jsonrpc/classify.ts'
import type { Payload } from '../jsonrpc/message.ts'
import type { PeerOptions } from '../jsonrpc/peer-options.ts'
import type { AuthInfo } from '../server/caller.ts'
import { ServedConnection } from '../server/connection.ts'
import type { Dispatcher } from '../server/dispatch/dispatcher.ts'
import type { Soon } from '../soon.ts'
import type { Channel, ChannelInfo, MessageSink, Receiver } from '../transport/channel.ts'
import { isAnswer } from '../transport/is-answer.ts'
import { toText } from '../transport/to-json.ts'
import { randomId } from './event-stream.ts'
import type { Beating, Pulse } from './pulse.ts'
import { refusal, refuse } from './refusal.ts'
import { refuseMessage } from './refuse-message.ts'
import type { HttpReply, ReplyHeaders, ReplyStream } from './request.ts'
import { keepAliveText, messageText, streamHeaders } from './sse-text.ts'
import { refuseAhead, type StepUp } from './step-up.ts'

/** One client of HTTP+SSE: everything to it goes over one stream, everything from it comes in requests. */
class SseChannel implements Channel, Beating {
  /** The token of the request that opened the stream. */
  readonly auth: AuthInfo | undefined
  readonly about: ChannelInfo
  readonly #stream: ReplyStream
  #receiver!: Receiver
  #ended = false

  constructor(stream: ReplyStream, session: string, auth: AuthInfo | undefined) {
    this.about = { transport: 'http+sse', session }
    this.#stream = stream
    this.auth = auth
  }

  open(receiver: Receiver): void {
    this.#receiver = receiver
  }

  get principal(): string | undefined {
    return this.auth?.principal
  }

  /** Hands a message in. Returns a promise while its requests are neither answered nor given up. */
  receive(value: unknown, auth: AuthInfo | undefined): Soon<void> {
    const answer = new StreamedAnswer(this, auth)
    this.#receiver.receive(value, answer)
    const kind = classify(value)
    if (kind === 'request' || kind === 'batch') return answer.ended
  }

  send(payload: Payload): void | Promise<void> {
    if (this.#ended) throw new McpError('closed', 'The connection is closed')
    return this.#stream.write(messageText(toText(payload)))
  }

  beat(): void {
    this.#stream.write(keepAliveText)
  }

  async close(): Promise<void> {
    this.#ended = true
    this.#stream.end()
  }

  gone(): void {
    if (this.#ended) return
    this.#ended = true
    this.#receiver.closed()
  }
}

/** Everything about one message goes into the stream of its client; this notices when the answer does. */
class StreamedAnswer implements MessageSink {
  readonly auth: AuthInfo | undefined
  readonly ended: Promise<void>
  readonly #channel: SseChannel
  #end!: () => void

  constructor(channel: SseChannel, auth: AuthInfo | undefined) {
    this.#channel = channel
    this.auth = auth
    this.ended = new Promise((resolve) => {
      this.#end = resolve
    })
  }

  send(payload: Payload): void | Promise<void> {
    if (isAnswer(payload)) this.#end()
    return this.#channel.send(payload)
  }

  unanswered(): void {
    this.#end()
  }
}

interface Open {
  readonly channel: SseChannel
  readonly connection: ServedConnection
}

/** The transport of 2024-11-05: a stream at one address, and messages to the address that the stream names. */
export class HttpSse {
  readonly #dispatcher: Dispatcher
  readonly #pulse: Pulse
  readonly #max: number
  readonly #limits: PeerOptions
  readonly #open = new Map<string, Open>()

  /** `max` connections, each within `limits`. */
  constructor(dispatcher: Dispatcher, pulse: Pulse, max: number, limits: PeerOptions) {
    this.#dispatcher = dispatcher
    this.#pulse = pulse
    this.#max = max
    this.#limits = limits
  }

  get size(): number {
    return this.#open.size
  }

  /** Opens a stream, whose first event says where messages go. */
  listen(path: string, reply: HttpReply, headers: ReplyHeaders | undefined, auth: AuthInfo | undefined): void {
    if (this.#open.size >= this.#max) {
      refuse(reply, refusal(503, 'Too many open connections'), headers)
      return
    }
    const id = randomId(16)
    const stream = reply.stream({ ...streamHeaders, ...headers })
    stream.write(`event: endpoint\ndata: ${path}?sessionId=${id}\n\n`)
    const channel = new SseChannel(stream, id, auth)
    // Every message brings its own token, so the connection as a whole has none.
    const connection = new ServedConnection(this.#dispatcher, channel, { transport: 'http+sse' }, this.#limits)
    this.#open.set(id, { channel, connection })
    this.#pulse.add(channel)
    void connection.ended.then(() => {
      this.#open.delete(id)
      this.#pulse.delete(channel)
    })
    reply.onGone(() => channel.gone())
  }

  /** Takes a message for a stream that is open. Done when its requests are answered there, or will not be. */
  async receive(
    id: string | null,
    value: unknown,
    reply: HttpReply,
    headers: ReplyHeaders | undefined,
    stepUp: StepUp,
  ): Promise<void> {
    const { auth } = stepUp
    const open = id === null ? undefined : this.#open.get(id)
    if (open === undefined || open.channel.principal !== auth?.principal) {
      refuse(reply, refusal(404, 'Session not found'), headers)
      return
    }
    const { channel, connection } = open
    const { definition } = this.#dispatcher
    // Its answer comes on the stream, and has no status.
    const ahead = await connection.asCaller(auth, (caller) => refuseAhead(value, definition, caller, stepUp))
    const refused = ahead ?? refuseMessage(value, connection)
    if (refused !== undefined) {
      refuse(reply, refused, headers)
      return
    }
    const answering = channel.receive(value, auth)
    reply.send(202, { ...headers })
    await answering
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open.values()].map(({ connection }) => connection.close()))
  }
}
