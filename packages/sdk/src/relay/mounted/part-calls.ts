import { ErrorCode, isRpcError } from '../../errors.ts'
import { isObject } from '../../jsonrpc/classify.ts'
import type { JsonObject, Notification } from '../../jsonrpc/message.ts'
import type { SessionOutlet } from '../../server/backend.ts'
import type { CallerState } from '../../server/caller-state.ts'
import type { MountedBackend, MountingServer } from '../../server/definition/offers.ts'
import type { Call } from '../../server/dispatch/call.ts'
import type { Outlet } from '../../server/dispatch/outlet.ts'
import { Interrupted } from '../../server/questions/round.ts'
import { withoutHop } from '../../wire/passing.ts'
import type { BackendHandlers, BackendIntroduction } from '../backend-handlers.ts'
import type { Part } from './part.ts'
import { PartRequest, taggedInput } from './part-request.ts'
import { within } from './patience.ts'
import { ResourceDirectory } from './resource-directory.ts'
import { type PartSession, SessionParts } from './session-parts.ts'
import { withRelatedTask, withTaskId } from './task-ids.ts'

/** The most pages, and items in them, that are taken of one list: a server could go on for ever. */
const maxPages = 1_000
const maxItems = 20_000

export type HandlersOf = (part: MountedBackend['backend']) => BackendHandlers

interface AnswerOptions {
  /** Default: that of the call. */
  readonly method?: string
  /** Fires when nobody waits for the answer. */
  readonly abandoned?: AbortSignal
}

/** Sends the requests of clients to the parts of a server, in the session that each client has there, or without one. */
export class PartCalls {
  readonly server: MountingServer
  readonly #handlersOf: HandlersOf
  readonly #sessions = new Map<Outlet, SessionParts>()
  #parts: readonly Part[] = []
  #version = -1

  constructor(server: MountingServer, handlersOf: HandlersOf) {
    this.server = server
    this.#handlersOf = handlersOf
  }

  /** The parts at present. */
  get parts(): readonly Part[] {
    const { version } = this.server
    if (this.#version === version) return this.#parts
    this.#version = version
    // Every item of a list comes here.
    this.#parts = this.server.mountedBackends.map((part) => ({ ...part, handlers: this.#handlersOf(part.backend) }))
    for (const sessions of this.#sessions.values()) sessions.keepOnly(this.#parts)
    return this.#parts
  }

  report(error: unknown, { name }: Part): void {
    this.server.report(error, `mount of ${name}`)
  }

  open(state: CallerState, outlet: SessionOutlet): SessionParts {
    const sessions = new SessionParts(state, outlet)
    this.#sessions.set(outlet, sessions)
    return sessions
  }

  ready(outlet: Outlet): void {
    this.#sessions.get(outlet)?.ready()
  }

  /** True if the sender has a session. */
  notified(outlet: Outlet, notification: Notification): boolean {
    const sessions = this.#sessions.get(outlet)
    sessions?.notified(notification)
    return sessions !== undefined
  }

  closed(outlet: Outlet): void {
    this.#sessions.get(outlet)?.close()
    this.#sessions.delete(outlet)
    for (const { handlers } of this.parts) handlers.lineClosed?.(outlet)
  }

  /** The sessions of the client of a call; undefined if it has none. */
  sessionsOf({ caller, outlet }: Call): SessionParts | undefined {
    if (!caller.conversation.asksAtOnce) return undefined
    const known = this.#sessions.get(outlet)
    if (known !== undefined) return known
    // The client was there before the first part.
    const made = new SessionParts(caller.session, outlet)
    made.ready()
    this.#sessions.set(outlet, made)
    return made
  }

  /** The description that a part gives of itself to a client. */
  introductionOf(call: Call, part: Part): Promise<BackendIntroduction> {
    const session = this.sessionsOf(call)?.at(part)
    const introduction = session?.introduction ?? this.#discover(call, part)
    return within(part.timeoutMs, part.name, () => introduction)
  }

  /** Sends a request that asks nothing. */
  async answer(call: Call, part: Part, params: JsonObject, options: AnswerOptions = {}): Promise<JsonObject> {
    const request = await this.request(call, part, params, options)
    options.abandoned?.throwIfAborted()
    return outward(part, request, (await part.handlers.answer(request)) as JsonObject)
  }

  /** Sends the request of a call, which may ask the client. */
  async perform(call: Call, part: Part, params: JsonObject): Promise<JsonObject> {
    const returned = await call.run(async () =>
      taggedInput(part.prefix, await part.handlers.answer(await this.request(call, part, params))),
    )
    return returned instanceof Interrupted ? returned.result : outward(part, call.request, returned as JsonObject)
  }

  async request(call: Call, part: Part, params: JsonObject, options: AnswerOptions = {}): Promise<PartRequest> {
    const line = (await this.#sessionAt(call, part))?.line
    return new PartRequest(call, params, part.prefix, { ...options, line })
  }

  /** All items of a list of a part, if they come in time. */
  list(call: Call, part: Part, method: string, field: string): Promise<JsonObject[]> {
    return within(part.timeoutMs, part.name, (abandoned) => this.#pages(call, part, field, { method, abandoned }))
  }

  async #pages(call: Call, part: Part, field: string, options: AnswerOptions): Promise<JsonObject[]> {
    const items: JsonObject[] = []
    let cursor: unknown
    for (let page = 0; page < maxPages && items.length < maxItems; page++) {
      const result = await this.answer(call, part, cursor === undefined ? {} : { cursor }, options)
      const listed: unknown[] = Array.isArray(result[field]) ? result[field] : []
      for (const item of listed.slice(0, maxItems - items.length)) if (isObject(item)) items.push(item)
      cursor = result.nextCursor
      if (typeof cursor !== 'string' || cursor === '') break
    }
    return items
  }

  /** The resources that a part lists. For a client with a session they are kept until the part says that they changed. */
  directory(call: Call, part: Part, { fresh }: { fresh: boolean }): Promise<ResourceDirectory> {
    const session = this.sessionsOf(call)?.at(part)
    if (session === undefined) return this.#readDirectory(call, part)
    if (fresh || session.directory === undefined) {
      const reading = this.#readDirectory(call, part)
      session.directory = reading
      reading.catch(() => {
        if (session.directory === reading) session.directory = undefined
      })
    }
    return session.directory
  }

  async #readDirectory(call: Call, part: Part): Promise<ResourceDirectory> {
    const templates = this.list(call, part, 'resources/templates/list', 'resourceTemplates').catch(emptyIfMissing)
    const resources = this.list(call, part, 'resources/list', 'resources').catch(emptyIfMissing)
    return new ResourceDirectory(...(await Promise.all([resources, templates])))
  }

  #discover(call: Call, part: Part): Promise<BackendIntroduction> {
    const request = new PartRequest(call, {}, part.prefix, { method: 'server/discover' })
    return Promise.resolve().then(() => part.handlers.introduce(request))
  }

  async #sessionAt(call: Call, part: Part): Promise<PartSession | undefined> {
    const sessions = this.sessionsOf(call)
    if (sessions === undefined) return undefined
    const session = sessions.at(part)
    const { capabilities } = await session.introduction
    session.restored ??= this.#restore(call, session, sessions, capabilities.logging !== undefined)
    await session.restored
    return session
  }

  /** Repeats at a new session what the client set in an earlier one. */
  async #restore(call: Call, { part, line }: PartSession, sessions: SessionParts, logs: boolean): Promise<void> {
    const send = async (method: string, params: JsonObject): Promise<void> => {
      try {
        await within(part.timeoutMs, part.name, (abandoned) =>
          part.handlers.answer(new PartRequest(call, params, part.prefix, { method, line, abandoned })),
        )
      } catch (error) {
        this.report(error, part)
      }
    }
    if (logs && sessions.level !== undefined) await send('logging/setLevel', { level: sessions.level })
    for (const uri of sessions.subscriptionsAt(part)) await send('resources/subscribe', { uri })
  }
}

/** A result of a part, for the client. */
function outward({ prefix }: Part, { method }: { method: string }, result: JsonObject): JsonObject {
  const own = withRelatedTask(prefix, withoutHop(result))
  return own.resultType === 'task' || method.startsWith('tasks/') ? withTaskId(prefix, own) : own
}

/** A server may have one of the two lists and not the other. */
function emptyIfMissing(error: unknown): JsonObject[] {
  if (isRpcError(error) && error.code === ErrorCode.MethodNotFound) return []
  throw error
}
