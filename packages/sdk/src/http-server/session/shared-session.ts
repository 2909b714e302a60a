import type { HttpReply, ReplyHeaders } from '../../http/request.ts'
import type { ServedConnection } from '../../server/connection.ts'
import type { ServerChange } from '../../server/definition/changes.ts'
import type { Definition } from '../../server/definition/definition.ts'
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
  readonly streams: Omit<EventStreamOptions, 'log' | 'rights'>
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

  constructor(options: SharedSessionOptions) {
    this.#options = options
    const { relay, log, streams } = options
    if (relay === undefined || !isSharedLog(log)) return
    const announce = (): Promise<void> => relay.listens(streams.session)
    this.#standalone = new SharedStandalone({ ...streams, log, announce, heard: (number) => this.#keepHeard(number) })
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
    await connection.session?.listens(changes.filter(isNew))
  }

  /** Sends a message that belongs to no request to wherever the client listens. */
  push(rights: string, json: string): Promise<void> {
    return this.#standalone!.push(rights, json)
  }

  /** The client listens here from now on. */
  async listen(rights: string, reply: HttpReply, headers: ReplyHeaders | undefined): Promise<void> {
    await this.#standalone!.listen(rights, this.#heard, reply, headers)
    await this.#tellMissed()
  }

  /** True if an event stream is the one for messages that belong to no request. */
  isStandalone(stream: string, rights: string): boolean {
    return this.#standalone !== undefined && stream === sharedStreamId(rights)
  }

  /** The same after an event that the client names. False, with nothing sent, if events after it are forgotten. */
  async resume(stream: string, number: number, reply: HttpReply, headers: ReplyHeaders | undefined): Promise<boolean> {
    const resumed = await this.#standalone!.resume(stream, number, reply, headers)
    if (resumed) await this.#tellMissed()
    return resumed
  }

  /** The client listens elsewhere, or the session ends here. */
  async leave(): Promise<void> {
    await this.#standalone?.leave()
  }

  get #id(): string {
    return this.#options.streams.session
  }

  /** Changes that nobody told the client of, because it did not listen. */
  async #tellMissed(): Promise<void> {
    const { definition, connection } = this.#options
    // Otherwise changes between the look at the log and the first message of the bus would be lost.
    await definition.changes.join()
    await connection.session?.listens(await definition.changes.after(this.#changes))
  }

  /** If this process dies, another goes on from there. */
  async #keepHeard(number: number): Promise<void> {
    this.#heard = Math.max(this.#heard, number)
    this.#changes = Math.max(this.#changes, this.#options.definition.changes.last)
    await this.#quietly(() => this.#change({ heard: this.#heard, changes: this.#changes }))
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
