import type { HttpReply, ReplyHeaders } from '../../http/request.ts'
import type { SharedEventLog } from '../stores/stores.ts'
import { type EventStreamOptions, sharedStreamId } from './event-stream.ts'
import { FollowedStream } from './followed-stream.ts'

interface StandaloneOptions extends Omit<EventStreamOptions, 'log' | 'rights' | 'primes'> {
  readonly log: SharedEventLog
  /** True if connections begin with the number that the client goes on from; asked when one is opened. */
  primes(): boolean
  /** The client listens here now: other processes end their connections. */
  announce(): Promise<void>
  /** Keeps the number of the last event that a connection got. */
  heard(number: number): Promise<void>
  /** The connection is about to be over. */
  closing(): void
}

/**
 * The stream for messages that belong to no request, in a session that several processes serve: each of them may write
 * it, and one has the connection of the client.
 */
export class SharedStandalone {
  readonly #options: StandaloneOptions
  #connection: FollowedStream | undefined
  #heard = 0
  /** There is more to keep. */
  #isNew = false
  /** Done when the store has all of it. */
  #keeping: Promise<void> | undefined

  constructor(options: StandaloneOptions) {
    this.#options = options
  }

  /** True if the client listens at this process. */
  get connected(): boolean {
    return this.#connection !== undefined
  }

  async push(rights: string, json: string): Promise<void> {
    await this.#options.log.append(this.#options.session, sharedStreamId(rights), json)
    // Only now the change that it tells of counts as told.
    if (this.connected) this.keepSoon()
  }

  /** Opens the connection of the client, after the last event that an earlier one got. False if some are lost. */
  async listen(rights: string, heard: number, reply: HttpReply, headers: ReplyHeaders | undefined): Promise<boolean> {
    const id = sharedStreamId(rights)
    if (await this.resume(id, heard, reply, headers)) return true
    // Some of them are forgotten, and a client that names no event can cope with that.
    const newest = await this.#options.log.last(this.#options.session, id)
    await this.resume(id, newest, reply, headers)
    return false
  }

  /** False, with nothing sent, if events after the number are forgotten. */
  async resume(id: string, number: number, reply: HttpReply, headers: ReplyHeaders | undefined): Promise<boolean> {
    await this.#options.announce()
    await this.leave()
    const onWrite = (written: number): void => this.#wrote(written)
    const onClose = (stream: FollowedStream): void => {
      if (this.#connection !== stream) return
      this.#options.closing()
      this.#connection = undefined
    }
    const kind = { ...this.#options, primes: this.#options.primes(), id, onWrite, onClose }
    const stream = await FollowedStream.open(kind, number, reply, headers)
    this.#connection = stream?.closed ? undefined : stream
    return stream !== undefined
  }

  #wrote(number: number): void {
    this.#heard = number
    this.keepSoon()
  }

  /** Keeps the numbers of what the client got, in a while. */
  keepSoon(): void {
    this.#isNew = true
    this.#keeping ??= this.#keep()
  }

  /** One at a time, however many events there are. */
  async #keep(): Promise<void> {
    while (this.#isNew) {
      this.#isNew = false
      await this.#options.heard(this.#heard)
    }
    this.#keeping = undefined
  }

  /** The client listens elsewhere, or the session ends here. */
  async leave(): Promise<void> {
    this.#connection?.close()
    await this.#keeping
  }
}
