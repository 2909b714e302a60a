import type { HttpReply, ReplyHeaders } from '../../http/request.ts'
import { backoffMs, idlePause } from '../../internal/timers.ts'
import type { ServedConnection } from '../../server/connection.ts'
import type { ServerChange } from '../../server/definition/changes.ts'
import type { Definition } from '../../server/definition/definition.ts'
import { isAway, pauseMs } from '../../server/subscriptions/bus-subscription.ts'
import { polls } from '../../wire/over-http.ts'
import {
  type EventLog,
  isSharedLog,
  type SessionChange,
  type SessionState,
  type SharedSessionStore,
} from '../stores/stores.ts'
import { type EventStreamOptions, sharedStreamId } from './event-stream.ts'
import type { SessionRelay } from './session-relay.ts'
import { SharedStandalone } from './shared-standalone.ts'

/** The connections to the processes that serve the same sessions. */
export interface Sharing {
  readonly store: SharedSessionStore
  readonly relay: SessionRelay | undefined
}

interface SharedSessionOptions extends Sharing {
  readonly streams: Omit<EventStreamOptions, 'log' | 'rights' | 'primes'>
  readonly log: EventLog | undefined
  readonly definition: Definition
  readonly connection: ServedConnection
}

/** The part of a session that several processes have in common. */
export class SharedSession {
  /** The version of its state. */
  version = 0
  readonly #options: SharedSessionOptions
  readonly #standalone: SharedStandalone | undefined
  /** The last event of the standalone stream that its client got. */
  #heard = 0
  /** The number of the last change that its client was told of. */
  #changes = 0
  /** Changes may have been missed that its client was not told of yet. */
  #behind = true
  /** False if events that its client did not get are lost. */
  #isWhole = true
  /** Done when its client was told of them. */
  #catchingUp: Promise<void> | undefined

  constructor(options: SharedSessionOptions) {
    this.#options = options
    const { relay, log, streams, connection } = options
    if (relay === undefined || !isSharedLog(log)) return
    const announce = (): Promise<void> => relay.listens(streams.session)
    this.#standalone = new SharedStandalone({
      ...streams,
      log,
      announce,
      // The revision is not known before the handshake.
      primes: () => polls(connection.caller?.revision ?? ''),
      heard: (number) => this.#keepHeard(number),
      closing: () => this.#noteTold(),
    })
  }

  /** True if all processes write the same stream for messages that belong to no request. */
  get sharesStandalone(): boolean {
    return this.#standalone !== undefined
  }

  /** True if the client listens at this process. */
  get connected(): boolean {
    return this.#standalone?.connected === true
  }

  /** Other processes know of a change before the client is told that it was made. */
  async keep(change: SessionChange): Promise<void> {
    await this.#change(change)
    await this.#options.relay?.changed(this.#id)
  }

  /** Takes over the state that other processes left. */
  restore(state: SessionState, since: number): void {
    const { session } = this.#options.connection
    const known = new Set(session?.caller.subscriptions?.uris)
    session?.restore(state)
    this.#heard = Math.max(this.#heard, state.heard)
    this.#changes = Math.max(this.#changes, state.changes)
    this.version = state.version
    if (this.connected) void this.#quietly(() => this.#tellOfNew(known, since))
  }

  /** Changes of resources that the client subscribed to elsewhere, from before this process knew of it. */
  async #tellOfNew(known: ReadonlySet<string>, since: number): Promise<void> {
    const { definition, connection } = this.#options
    const changes = (await definition.changes.after(since)) ?? []
    const isNew = (change: ServerChange): boolean => change.kind === 'resource' && !known.has(change.uri)
    await connection.session?.listens(since, changes.filter(isNew))
  }

  /** Sends a message that belongs to no request to wherever the client listens. */
  push(rights: string, json: string): Promise<void> {
    return this.#standalone!.push(rights, json)
  }

  /** The client listens here from now on. */
  async listen(rights: string, reply: HttpReply, headers: ReplyHeaders | undefined): Promise<void> {
    const isWhole = await this.#standalone!.listen(rights, this.#heard, reply, headers)
    this.#catchUp(isWhole)
  }

  /** True if an event stream is the one for messages that belong to no request. */
  isStandalone(stream: string, rights: string): boolean {
    return this.#standalone !== undefined && stream === sharedStreamId(rights)
  }

  /** The same after an event that the client names. False, with nothing sent, if events after it are forgotten. */
  async resume(stream: string, number: number, reply: HttpReply, headers: ReplyHeaders | undefined): Promise<boolean> {
    const resumed = await this.#standalone!.resume(stream, number, reply, headers)
    if (resumed) this.#catchUp(true)
    return resumed
  }

  /** The client listens elsewhere, or the session ends here. */
  async leave(): Promise<void> {
    await this.#standalone?.leave()
  }

  get #id(): string {
    return this.#options.streams.session
  }

  /** Tells of changes that nobody told the client of, because it did not listen. Of everything, if events are lost. */
  #catchUp(isWhole: boolean): void {
    this.#behind = true
    this.#isWhole &&= isWhole
    this.#catchingUp ??= this.#tellMissed()
  }

  /** Goes on while the log is away: nobody else would tell the client. */
  async #tellMissed(): Promise<void> {
    for (let attempt = 1; this.#behind && this.connected; attempt++) {
      this.#behind = false
      try {
        await this.#tellMissedOnce()
      } catch (error) {
        this.#options.definition.report(error, 'session')
        this.#behind = true
        if (isAway(error)) await idlePause(backoffMs(attempt, ...pauseMs))
        else this.#isWhole = false
      }
    }
    this.#catchingUp = undefined
    const known = this.#changes
    this.#noteTold()
    if (this.#changes > known) this.#standalone!.keepSoon()
  }

  async #tellMissedOnce(): Promise<void> {
    const { definition, connection } = this.#options
    // Otherwise changes between the look at the log and the first message of the bus would be lost.
    await definition.changes.join()
    const since = this.#changes
    const missed = this.#isWhole ? await definition.changes.after(since) : undefined
    await connection.session?.listens(since, missed)
    this.#isWhole = true
  }

  /** If this process dies, another goes on from there. */
  async #keepHeard(number: number): Promise<void> {
    this.#heard = Math.max(this.#heard, number)
    this.#noteTold()
    await this.#quietly(() => this.#change({ heard: this.#heard, changes: this.#changes }))
  }

  /** Changes that come while the client does not listen here, or before it has caught up, are not told. */
  #noteTold(): void {
    const { session } = this.#options.connection
    if (session === undefined || !this.connected || this.#catchingUp !== undefined) return
    this.#changes = Math.max(this.#changes, session.told)
  }

  async #change(change: SessionChange): Promise<void> {
    const version = await this.#options.store.change(this.#id, change)
    // Unless another process was faster: then the next request brings both changes.
    if (version === this.version + 1) this.version = version
  }

  /** Nobody waits for it, so its errors go to the operator. */
  async #quietly(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      this.#options.definition.report(error, 'session')
    }
  }
}
