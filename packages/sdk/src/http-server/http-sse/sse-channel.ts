import { McpError } from '../../errors.ts'
import type { ReplyStream } from '../../http/request.ts'
import type { MaybePromise } from '../../internal/maybe-promise.ts'
import type { Channel, ChannelInfo, MessageSink, Receiver } from '../../jsonrpc/channel.ts'
import { classify } from '../../jsonrpc/classify.ts'
import type { Payload } from '../../jsonrpc/message.ts'
import type { AuthInfo } from '../../server/caller.ts'
import { isAnswer } from '../../transport/is-answer.ts'
import { toText } from '../../transport/to-json.ts'
import type { KeepAliveTarget } from '../keep-alive.ts'
import { keepAliveText, messageText } from '../sse-format.ts'

/** One client of HTTP+SSE: everything to it goes over one stream, everything from it comes in requests. */
export class SseChannel implements Channel, KeepAliveTarget {
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
  receive(value: unknown, auth: AuthInfo | undefined): MaybePromise<void> {
    const answer = new StreamedAnswer(this, auth)
    this.#receiver.receive(value, answer)
    const kind = classify(value)
    if (kind === 'request' || kind === 'batch') return answer.ended
  }

  send(payload: Payload): MaybePromise<void> {
    if (this.#ended) throw new McpError('closed', 'The connection is closed')
    return this.#stream.write(messageText(toText(payload)))
  }

  sendKeepAlive(): void {
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

  send(payload: Payload): MaybePromise<void> {
    if (isAnswer(payload)) this.#end()
    return this.#channel.send(payload)
  }

  unanswered(): void {
    this.#end()
  }
}
