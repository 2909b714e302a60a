import { ErrorCode, isMcpError, isRpcError } from '../../errors.ts'
import type { MaybePromise } from '../../internal/maybe-promise.ts'
import type { JsonObject, Notification } from '../../jsonrpc/message.ts'
import { isIdentified } from '../../server/access/caller-owner.ts'
import type { BackedServer, Backend, NotificationSender, OwnAnswers, SessionOutlet } from '../../server/backend.ts'
import type { CallerState } from '../../server/caller-state.ts'
import type { MountingServer } from '../../server/definition/offers.ts'
import type { Call } from '../../server/dispatch/call.ts'
import type { Outlet } from '../../server/dispatch/outlet.ts'
import { answerMethod, decodeParams, methodNotFound } from '../../server/dispatch/pipeline.ts'
import { isKnownRequest } from '../../wire/codecs.ts'
import { withoutHop } from '../../wire/passing.ts'
import type { BackendIntroduction } from '../backend-handlers.ts'
import { readSender } from '../backend-sender.ts'
import { extensionsIn, isMethodOf, mergedDescription } from './capabilities.ts'
import { MountedServers } from './mounted-servers.ts'
import type { Part } from './part.ts'
import { type HandlersOf, PartCalls } from './part-calls.ts'
import { within } from './patience.ts'
import type { SessionParts } from './session-parts.ts'
import { readTaskId } from './task-ids.ts'

/**
 * The backend of a server with registries of its own, into which servers with backends are mounted. Requests take the ordinary
 * way, and its handlers ask the parts for everything that is not registered.
 */
export class CompositeBackend implements Backend {
  readonly #server: MountingServer
  readonly #handlersOf: HandlersOf
  readonly #calls: PartCalls
  readonly #parts: MountedServers

  constructor(server: MountingServer, handlersOf: HandlersOf) {
    this.#server = server
    this.#handlersOf = handlersOf
    this.#calls = new PartCalls(server, handlersOf)
    this.#parts = new MountedServers(this.#calls)
  }

  answer(call: Call, _server: BackedServer, own: OwnAnswers): MaybePromise<JsonObject> {
    const { method } = call.request
    call.parts = this.#parts
    if (!call.caller.codec.requests.client.has(method)) return this.#answerExtension(call, own)
    if (method === 'logging/setLevel') return this.#setLevel(call, own)
    return (method.startsWith('tasks/') ? this.#answerTask(call, own) : undefined) ?? own.answer(call)
  }

  async introduce(state: CallerState, outlet: SessionOutlet): Promise<JsonObject> {
    const { info, instructions } = this.#server
    const sessions = this.#calls.open(state, outlet)
    const parts = this.#calls.parts.map((part) => this.#introduced(part, sessions))
    const capabilities = this.#server.capabilities({ known: isIdentified(state) })
    const all = mergedDescription({ capabilities, instructions }, await Promise.all(parts))
    return {
      serverInfo: info,
      capabilities: all.capabilities,
      ...(all.instructions !== undefined && { instructions: all.instructions }),
    }
  }

  ready(outlet: Outlet): void {
    this.#calls.ready(outlet)
  }

  notified(notification: Notification, from: NotificationSender): void {
    const { params } = notification
    const passed = params === undefined ? notification : { ...notification, params: withoutHop(params) }
    if (from.connection !== undefined && this.#calls.notified(from.connection, passed)) return
    const sender = readSender(notification, from, this.#server)
    if (sender === undefined) return
    for (const { handlers } of this.#calls.parts) handlers.notified?.(sender, passed)
  }

  closed(outlet: Outlet): void {
    this.#calls.closed(outlet)
  }

  compose(server: MountingServer): Backend {
    return new CompositeBackend(server, this.#handlersOf)
  }

  /** The description of a part. One that takes too long is there later, and the client hears of it then. */
  async #introduced(
    part: Part,
    sessions: SessionParts,
  ): Promise<{ part: Part; known: BackendIntroduction | undefined }> {
    const session = sessions.at(part)
    try {
      return { part, known: await within(part.timeoutMs, part.name, () => session.introduction) }
    } catch (error) {
      this.#calls.report(error, part)
      session.introduction.then(
        (late) => session.announce(late),
        () => {},
      )
      return { part, known: undefined }
    }
  }

  /** Sets the level at every part that has one; the level here is that of the server's own messages. */
  async #setLevel(call: Call, own: OwnAnswers): Promise<JsonObject> {
    const params = decodeParams(call)
    const sessions = this.#calls.sessionsOf(call)
    if (sessions !== undefined) sessions.level = params.level
    const all = this.#calls.parts.map(async (part) => {
      try {
        const { capabilities } = await this.#calls.introductionOf(call, part)
        if (capabilities.logging === undefined) return
        await within(part.timeoutMs, part.name, (abandoned) => this.#calls.answer(call, part, params, { abandoned }))
      } catch (error) {
        this.#calls.report(error, part)
      }
    })
    await Promise.all(all)
    return own.answer(call)
  }

  /** Answers a request about a task of a part; undefined for others. */
  #answerTask(call: Call, { encode }: OwnAnswers): MaybePromise<JsonObject> | undefined {
    const params = decodeParams(call)
    const task = readTaskId(params.taskId)
    const part = task && this.#calls.parts.find(({ prefix }) => prefix === task.prefix)
    if (part === undefined) return undefined
    const run = (): Promise<JsonObject> => this.#calls.answer(call, part, { ...params, taskId: task!.taskId })
    return answerMethod(call, this.#server as BackedServer, { run }, params, encode)
  }

  /**
   * A method of an extension that is not served here: the first part that has it answers. The last one that may have it has
   * all the time of the client, as with any other request; those before it must not hold it up.
   */
  async #answerExtension(call: Call, own: OwnAnswers): Promise<JsonObject> {
    const { method, params = {} } = call.request
    if (isKnownRequest(method) || this.#server.extensionMethod(method) !== undefined) return own.answer(call)
    const parts = await this.#extended(call)
    let late: unknown
    for (const part of parts) {
      const ask = (abandoned?: AbortSignal): Promise<JsonObject> =>
        this.#calls.answer(call, part, params, { ...(abandoned && { abandoned }) })
      try {
        return own.encode(call, await (part === parts.at(-1) ? ask() : within(part.timeoutMs, part.name, ask)))
      } catch (error) {
        if (isMcpError(error) && error.code === 'timeout') {
          this.#calls.report(error, part)
          late ??= error
        } else if (!isRpcError(error) || error.code !== ErrorCode.MethodNotFound) throw error
      }
    }
    throw late ?? methodNotFound(method, 'neither this server nor one that is mounted has it')
  }

  /** The parts that may have the method of an extension: no other one gets to see its params. */
  async #extended(call: Call): Promise<Part[]> {
    const asked = this.#calls.parts.map(async (part) => {
      try {
        const { capabilities } = await this.#calls.introductionOf(call, part)
        return { part, extensions: extensionsIn(capabilities) }
      } catch (error) {
        this.#calls.report(error, part)
        return { part, extensions: [] }
      }
    })
    const all = (await Promise.all(asked)).filter(({ extensions }) => extensions.length > 0)
    const named = all.filter(({ extensions }) => extensions.some((id) => isMethodOf(id, call.request.method)))
    return (named.length > 0 ? named : all).map(({ part }) => part)
  }
}
