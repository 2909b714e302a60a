import { ErrorCode, McpError } from '../errors.ts'
import { type Gate, gate } from '../internal/gate.ts'
import type { MaybePromise } from '../internal/maybe-promise.ts'
import type { Channel, ChannelInfo, Receiver } from '../jsonrpc/channel.ts'
import { defaultMaxDepth } from '../jsonrpc/limits.ts'
import type { Payload } from '../jsonrpc/message.ts'
import { cloneJson } from './clone.ts'
import type { LineLimits, LineRefusal } from './lines/lines.ts'
import { peek } from './lines/peek.ts'

/** Bounds of a memory channel: the same depth as on a wire, so that tests behave like production. */
type MemoryOptions = Pick<LineLimits, 'maxDepth'>

/** Two ends of one connection inside a process: messages arrive as if they had come over a wire. */
export function memoryPair(options: MemoryOptions = {}): [Channel, Channel] {
  const maxDepth = options.maxDepth ?? defaultMaxDepth
  const left = new MemoryEnd(maxDepth)
  const right = new MemoryEnd(maxDepth)
  left.peer = right
  right.peer = left
  return [left, right]
}

// How many messages may wait before the sender has to wait too.
const highWater = 1024

/** Replaces a message that is not going to be delivered. */
class Refused {
  readonly refusal: LineRefusal

  constructor(payload: Payload, maxDepth: number) {
    const message = `Message nests deeper than the limit of ${maxDepth} levels`
    this.refusal = { code: ErrorCode.InvalidRequest, message, ...peek(JSON.stringify(payload)) }
  }
}

const about: ChannelInfo = { transport: 'memory' }

// Node makes an AsyncResource for each `queueMicrotask`, which takes longer than copying a small message.
const soon = Promise.resolve()

class MemoryEnd implements Channel {
  readonly about: ChannelInfo = about
  peer!: MemoryEnd
  readonly #maxDepth: number
  #receiver: Receiver | undefined
  #queue: unknown[] = []
  #scheduled = false
  #ended = false
  #closing: Promise<void> | undefined
  #room: Gate | undefined

  constructor(maxDepth: number) {
    this.#maxDepth = maxDepth
  }

  open(receiver: Receiver): void {
    this.#receiver = receiver
    this.#schedule()
  }

  send(payload: Payload): MaybePromise<void> {
    if (this.#ended) throw new McpError('closed', 'The connection is closed')
    const copy = cloneJson(payload, this.#maxDepth)
    return this.peer.#accept(copy ? copy.value : new Refused(payload, this.#maxDepth))
  }

  close(): Promise<void> {
    if (!this.#closing) {
      this.#closing = Promise.resolve()
      this.#queue = []
      this.#end()
      // As on a wire, messages sent before the end still arrive.
      this.peer.#end()
    }
    return this.#closing
  }

  #accept(item: unknown): MaybePromise<void> {
    this.#queue.push(item)
    this.#schedule()
    if (this.#queue.length < highWater) return
    this.#room ??= gate()
    return this.#room.passed
  }

  #end(): void {
    if (this.#ended) return
    this.#ended = true
    this.#makeRoom()
    this.#schedule()
  }

  #schedule(): void {
    if (this.#scheduled || !this.#receiver) return
    this.#scheduled = true
    soon.then(this.#deliver)
  }

  readonly #deliver = (): void => {
    const receiver = this.#receiver!
    const items = this.#queue
    this.#queue = []
    this.#scheduled = false
    for (const item of items) {
      if (this.#closing) break
      if (item instanceof Refused) receiver.refuse(item.refusal)
      else receiver.receive(item)
    }
    this.#makeRoom()
    if (this.#ended && !this.#scheduled) {
      // Nothing may follow `closed`: from here on nothing is scheduled.
      this.#scheduled = true
      receiver.closed()
    }
  }

  #makeRoom(): void {
    this.#room?.open()
    this.#room = undefined
  }
}
