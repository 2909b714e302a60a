import type { MaybePromise } from '../../internal/maybe-promise.ts'
import type { JsonObject, Notification } from '../../jsonrpc/message.ts'
import type { CallerState } from '../../server/caller-state.ts'
import type { Outlet } from '../../server/dispatch/outlet.ts'
import type { BackendIntroduction } from '../backend-handlers.ts'
import { BackendSession } from '../backend-session.ts'
import type { QuestionWait } from '../question-wait.ts'
import type { Part } from './part.ts'
import { notificationOf } from './part-request.ts'
import type { ResourceDirectory } from './resource-directory.ts'
import { withRelatedTask } from './task-ids.ts'

/** The session of a client at one part. */
export class PartSession extends BackendSession {
  readonly part: Part
  readonly introduction: Promise<BackendIntroduction>
  /** The known resources of the part, until it says that they changed. */
  directory: Promise<ResourceDirectory> | undefined
  /** Set when the log level and the subscriptions of an earlier session have been repeated. */
  restored: Promise<unknown> | undefined

  constructor(part: Part, state: CallerState, host: Outlet, ended: (session: PartSession) => void) {
    // One object per session: backends tell their sessions apart by it.
    super(state, {
      askTimeoutMs: host.askTimeoutMs,
      about: host.about,
      client: host.client,
      listens: host.listens,
      notify: (method, params, about) => host.notify(method, params, about),
      ask: (method, params, wait, about) => host.ask(method, params, wait, about),
      // The end of one part's session is not that of the client's.
      close: async () => ended(this),
    })
    this.part = part
    this.introduction = Promise.resolve().then(() => part.handlers.introduce(this))
  }

  override notify(method: string, params: JsonObject): MaybePromise<void> {
    if (method === 'notifications/resources/list_changed') this.directory = undefined
    return super.notify(method, params)
  }

  protected override outward(method: string, params: JsonObject): JsonObject {
    return notificationOf(this.part.prefix, method, params)
  }

  override ask(method: string, params: JsonObject, wait?: QuestionWait): Promise<JsonObject> {
    return super.ask(method, withRelatedTask(this.part.prefix, params), wait)
  }

  /** Tells the client that the lists of the part may have changed. */
  announce({ capabilities }: BackendIntroduction): void {
    for (const feature of ['tools', 'resources', 'prompts'] as const) {
      if (capabilities[feature] !== undefined) void this.notify(`notifications/${feature}/list_changed`, {})
    }
  }
}

/** The sessions of one client at all parts. Each is opened with the first use, and opened again if the server was lost. */
export class SessionParts {
  readonly #state: CallerState
  readonly #host: Outlet
  readonly #sessions = new Map<string, PartSession>()
  /** The resources that the client subscribed to, by the prefix of their part. */
  readonly #subscribed = new Map<string, Set<string>>()
  /** The log level that the client set, if it did. */
  level: unknown
  #ready = false
  #closed = false

  constructor(state: CallerState, host: Outlet) {
    this.#state = state
    this.#host = host
  }

  /** The session at a part; its introduction may fail, and is then tried again with the next use. */
  at(part: Part): PartSession {
    const known = this.#sessions.get(part.prefix)
    if (known?.part.backend === part.backend) return known
    if (known !== undefined) this.#end(known)
    const session = new PartSession(part, this.#state, this.#host, (lost) => this.#lost(lost))
    this.#sessions.set(part.prefix, session)
    if (this.#ready) session.markReady()
    session.introduction.then(
      () => this.#closed && this.#end(session),
      () => this.#end(session),
    )
    return session
  }

  subscriptionsAt({ prefix }: Part): Set<string> {
    const known = this.#subscribed.get(prefix) ?? new Set()
    this.#subscribed.set(prefix, known)
    return known
  }

  ready(): void {
    this.#ready = true
    for (const session of this.#sessions.values()) session.markReady()
  }

  notified(notification: Notification): void {
    for (const session of this.#sessions.values()) session.part.handlers.notified?.(session, notification)
  }

  /** Ends the sessions at servers that are not mounted any more. */
  keepOnly(parts: readonly Part[]): void {
    for (const session of [...this.#sessions.values()]) {
      if (!parts.some(({ prefix, backend }) => prefix === session.part.prefix && backend === session.part.backend)) {
        this.#end(session)
      }
    }
  }

  close(): void {
    this.#closed = true
    for (const session of [...this.#sessions.values()]) this.#end(session)
  }

  #lost(session: PartSession): void {
    if (this.#sessions.get(session.part.prefix) !== session) return
    this.#end(session)
    void session.introduction.then((known) => session.announce(known)).catch(() => {})
  }

  #end(session: PartSession): void {
    if (this.#sessions.get(session.part.prefix) !== session) return
    this.#sessions.delete(session.part.prefix)
    session.part.handlers.closed?.(session)
  }
}
