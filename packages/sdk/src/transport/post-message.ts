import { ErrorCode, McpError } from '../errors.ts'
import { type Gate, gate } from '../internal/gate.ts'
import { guardListener } from '../internal/guard-listener.ts'
import type { MaybePromise } from '../internal/maybe-promise.ts'
import type { Channel, Receiver } from '../jsonrpc/channel.ts'
import { defaultMaxDepth, exceedsDepth } from '../jsonrpc/limits.ts'
import type { Payload } from '../jsonrpc/message.ts'
import { cloneJson } from './clone.ts'
import { peek } from './lines/peek.ts'

/** Bounds on the peer's messages; the defaults keep a hostile page from exhausting memory or stack. */
export interface PostMessageLimits {
  /** Characters of one message as JSON; a longer one is refused. Default: 4 Mi. */
  maxMessageLength?: number
  /** How deep a message may nest; default: 64. */
  maxDepth?: number
  /** A faster peer is disconnected: nothing else slows a page down. Default: no bound. */
  maxMessagesPerSecond?: number
}

/** The platform's way to exchange messages. */
interface Wire {
  /** Whether the peer understands `null` as the end. */
  readonly hasEnd: boolean
  post(value: unknown): void
  listen(message: (data: unknown) => void, ended: () => void): void
  /** Messages may arrive from here on; earlier ones wait, if the platform supports it. */
  start(): void
  end(): void
}

/** A channel over a `MessagePort`; the other end has a channel too. */
export const portChannel = (port: MessagePort, limits: PostMessageLimits = {}): Channel =>
  new PostMessageChannel(portWire(port), limits)

export interface WindowChannelOptions extends PostMessageLimits {
  /** The window at the other end. Messages of other windows are ignored. */
  target: Pick<Window, 'postMessage'>
  /** The origin that the target must have, for both directions; `*` stands for any, `null` for a sandbox. */
  origin: string
  /** The window that listens; default: this one. */
  self?: Pick<Window, 'addEventListener' | 'removeEventListener'>
}

/** A channel to another window, by `postMessage`. It ends on this side only: windows send no end. */
export const windowChannel = (options: WindowChannelOptions): Channel =>
  new PostMessageChannel(windowWire(options), options)

function portWire(port: MessagePort): Wire {
  let onMessage: ((event: MessageEvent) => void) | undefined
  return {
    hasEnd: true,
    post: (value) => port.postMessage(value),
    listen: (message, ended) => {
      onMessage = ({ data }) => message(data)
      port.addEventListener('message', onMessage as EventListener)
      port.addEventListener('close', ended)
    },
    start: () => port.start(),
    end: () => {
      port.removeEventListener('message', onMessage as EventListener)
      port.close()
    },
  }
}

function windowWire({ target, origin, self = globalThis as unknown as Window }: WindowChannelOptions): Wire {
  // A message cannot be addressed to the origin of a sandbox.
  const addressee = origin === 'null' ? '*' : origin
  let onMessage: ((event: MessageEvent) => void) | undefined
  return {
    hasEnd: false,
    post: (value) => target.postMessage(value, addressee),
    listen: (message) => {
      onMessage = (event) => {
        if (event.source === (target as MessageEventSource) && (origin === '*' || event.origin === origin))
          message(event.data)
      }
      self.addEventListener('message', onMessage)
    },
    start: () => {},
    end: () => self.removeEventListener('message', onMessage!),
  }
}

const defaultMaxLength = 4 * 1024 * 1024
// Far deeper than anyone accepts, so that the peer decides.
const maxSentDepth = 512
// So many messages may be sent without a break: the platform has no backpressure.
const maxBurst = 1024
const glimpseLength = 4 * 1024

class PostMessageChannel implements Channel {
  readonly #wire: Wire
  readonly #maxLength: number
  readonly #maxDepth: number
  readonly #maxPerSecond: number
  #receiver: Receiver | undefined
  #early: unknown[] = []
  #ended: { reason?: McpError } | undefined
  #told = false
  #closing: Promise<void> | undefined
  #burst = 0
  #room: Gate | undefined
  #second = 0
  #inSecond = 0

  constructor(wire: Wire, limits: PostMessageLimits) {
    this.#wire = wire
    this.#maxLength = limits.maxMessageLength ?? defaultMaxLength
    this.#maxDepth = limits.maxDepth ?? defaultMaxDepth
    this.#maxPerSecond = limits.maxMessagesPerSecond ?? Number.POSITIVE_INFINITY
    const report = (cause: unknown): void =>
      this.#end(new McpError('closed', 'A message could not be handled', { cause }))
    wire.listen(
      guardListener((data: unknown) => this.#arrived(data), { report }),
      () => this.#end(),
    )
  }

  open(receiver: Receiver): void {
    this.#receiver = receiver
    queueMicrotask(() => {
      for (const data of this.#early) this.#deliver(data)
      this.#early = []
      if (this.#ended) this.#tellClosed()
      else this.#wire.start()
    })
  }

  send(payload: Payload): MaybePromise<void> {
    if (this.#ended) throw new McpError('closed', this.#ended.reason?.message ?? 'The connection is closed')
    const copy = cloneJson(payload, maxSentDepth)
    if (copy === undefined) {
      throw new McpError('invalid_argument', `Message nests deeper than the limit of ${maxSentDepth} levels`)
    }
    this.#wire.post(copy.value)
    if (this.#burst++ === 0) setTimeout(this.#rested)
    if (this.#burst < maxBurst) return
    this.#room ??= gate()
    return this.#room.passed
  }

  close(): Promise<void> {
    if (!this.#closing) {
      this.#closing = Promise.resolve()
      if (!this.#ended && this.#wire.hasEnd) this.#wire.post(null)
      this.#end()
    }
    return this.#closing
  }

  readonly #rested = (): void => {
    this.#burst = 0
    this.#room?.open()
    this.#room = undefined
  }

  #arrived(data: unknown): void {
    if (this.#ended) return
    if (data === null && this.#wire.hasEnd) this.#end()
    else if (this.#isFlood()) {
      this.#end(new McpError('closed', `The other side sent more than ${this.#maxPerSecond} messages in a second`))
    } else if (this.#receiver) this.#deliver(data)
    else this.#early.push(data)
  }

  #isFlood(): boolean {
    if (this.#maxPerSecond === Number.POSITIVE_INFINITY) return false
    const second = Math.floor(performance.now() / 1000)
    if (second !== this.#second) {
      this.#second = second
      this.#inSecond = 0
    }
    return ++this.#inSecond > this.#maxPerSecond
  }

  /** Through text: it has a length and a depth, and only JSON values get in. */
  #deliver(data: unknown): void {
    if (this.#closing) return
    const text = textOf(data)
    if (text === undefined) {
      this.#receiver!.refuse({ code: ErrorCode.ParseError, message: 'Parse error: not a JSON value' })
    } else if (text.length > this.#maxLength) {
      this.#refuse(text, `Message exceeds the limit of ${this.#maxLength} characters (maxMessageLength)`)
    } else if (exceedsDepth(text, this.#maxDepth)) {
      this.#refuse(text, `Message nests deeper than the limit of ${this.#maxDepth} levels`)
    } else this.#receiver!.receive(JSON.parse(text))
  }

  #refuse(text: string, message: string): void {
    const glimpse = peek(text.slice(0, glimpseLength), text.slice(-glimpseLength))
    this.#receiver!.refuse({ code: ErrorCode.InvalidRequest, message, ...glimpse })
  }

  #end(reason?: McpError): void {
    if (this.#ended) return
    this.#ended = reason ? { reason } : {}
    this.#wire.end()
    this.#rested()
    if (this.#receiver) this.#tellClosed()
  }

  #tellClosed(): void {
    // In its own microtask: a receiver may close the channel while receiving.
    queueMicrotask(() => {
      if (this.#told) return
      this.#told = true
      this.#receiver!.closed(this.#ended?.reason)
    })
  }
}

/** Structured clones can hold values that JSON cannot: cycles, big integers, any depth. */
function textOf(data: unknown): string | undefined {
  try {
    return JSON.stringify(data)
  } catch {
    return undefined
  }
}
