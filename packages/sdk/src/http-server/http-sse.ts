import { McpError } from '../errors.ts'
import { classify, explainInvalid } from '../jsonrpc/classify.ts'
import type { Payload } from '../jsonrpc/message.ts'
import type { AuthInfo } from '../server/caller.ts'
import { Connection } from '../server/connection.ts'
import type { Dispatcher } from '../server/dispatch.ts'
import type { Channel, ChannelInfo, Receiver } from '../transport/channel.ts'
import { toText } from '../transport/to-json.ts'
import { answeredAs } from './answered-as.ts'
import { randomId } from './event-stream.ts'
import type { Beating, Pulse } from './pulse.ts'
import { refusal, refuse } from './refusal.ts'
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

  receive(value: unknown, auth: AuthInfo | undefined): void {
    this.#receiver.receive(value, answeredAs(auth, this))
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

interface Open {
  readonly channel: SseChannel
  readonly connection: Connection
}

/** The transport of 2024-11-05: a stream at one address, and messages to the address that the stream names. */
export class HttpSse {
  readonly #dispatcher: Dispatcher
  readonly #pulse: Pulse
  readonly #max: number
  readonly #open = new Map<string, Open>()

  constructor(dispatcher: Dispatcher, pulse: Pulse, max: number) {
    this.#dispatcher = dispatcher
    this.#pulse = pulse
    this.#max = max
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
    const connection = new Connection(this.#dispatcher, channel, { transport: 'http+sse' })
    this.#open.set(id, { channel, connection })
    this.#pulse.add(channel)
    void connection.ended.then(() => {
      this.#open.delete(id)
      this.#pulse.delete(channel)
    })
    reply.onGone(() => channel.gone())
  }

  /** Takes a message for a stream that is open. */
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
    if (ahead !== undefined) {
      refuse(reply, ahead, headers)
    } else if (classify(value) === 'invalid') {
      refuse(reply, refusal(400, explainInvalid(value).message), headers)
    } else {
      channel.receive(value, auth)
      reply.send(202, { ...headers })
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open.values()].map(({ connection }) => connection.close()))
  }
}
