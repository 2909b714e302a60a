import { RpcError } from '../../errors.ts'
import { heapBytesOf } from '../../internal/heap-size.ts'
import type { MaybePromise } from '../../internal/maybe-promise.ts'
import type { JsonObject } from '../../jsonrpc/message.ts'
import type { PeerOptions } from '../../jsonrpc/peer-options.ts'
import { isWatched } from '../../telemetry/watch.ts'
import type { Codec } from '../../wire/codec.ts'
import { serverInfoMeta } from '../../wire/server-info.ts'
import type { OwnAnswers } from '../backend.ts'
import type { Definition } from '../definition/definition.ts'
import { answerExtension } from '../definition/extension-methods.ts'
import { ListCache, listKinds } from '../features/lists.ts'
import { loadTasks } from '../tasks/lazy-tasks.ts'
import type { Call } from './call.ts'
import { type ServerMethod, serverMethods } from './methods.ts'
import { answerMethod, decodeParams, type Encode, methodNotFound } from './pipeline.ts'
import { watchCall } from './request-telemetry.ts'
import { isForPeer } from './wire-error.ts'

/** The heap that a call takes besides its params. */
const callBytes = 512

/** A server that is busy is not dead. */
const urgent: ReadonlySet<string> = new Set(['ping'])

/** Answers requests for one definition: decodes, runs, encodes. Shared by all connections. */
export class Dispatcher {
  readonly definition: Definition
  /** The bounds of every connection. */
  readonly peerOptions: PeerOptions
  readonly #lists: ListCache
  /** The description of the server in results: discovery has all of it, after that its name is enough. */
  readonly #introduction: Readonly<JsonObject>
  readonly #name: Readonly<JsonObject>
  /** True until the tasks that others left behind were looked for. */
  #asleep: boolean

  constructor(definition: Definition) {
    this.definition = definition
    this.peerOptions = { ...definition.options.limits, urgent }
    this.#lists = new ListCache(definition)
    const { info } = definition
    this.#introduction = serverInfoMeta(info)
    this.#name = serverInfoMeta({ name: info.name, version: info.version })
    this.#asleep = definition.options.tasks?.store !== undefined
  }

  /** A promise only if the handler takes time. Errors may be thrown, too. */
  answer(call: Call): MaybePromise<JsonObject> {
    if (this.#asleep) this.#wake()
    const { budget } = this.definition
    if (budget.isFull('calls') && !urgent.has(call.request.method)) throw budget.usedUp('calls')
    const answer = isWatched('server.request') ? this.#watched(call) : this.#respond(call)
    return answer instanceof Promise && !call.request.standing ? this.#hold(call, answer) : answer
  }

  /** Counts the bytes of a call until its handler is done. One that stands open is counted as a subscription. */
  #hold({ request }: Call, answer: Promise<JsonObject>): Promise<JsonObject> {
    const hold = this.definition.budget.charge('calls', callBytes + heapBytesOf(request.params))
    const release = (): void => hold.release()
    answer.then(release, release)
    return answer
  }

  /** Apart, because a function that makes closures costs something even if it does not make them. */
  #watched(call: Call): MaybePromise<JsonObject> {
    return watchCall(call, () => this.#respond(call))
  }

  #respond(call: Call): MaybePromise<JsonObject> {
    try {
      const answer = this.#answer(call)
      return answer instanceof Promise ? orEncodedError(answer, call.caller.codec) : answer
    } catch (error) {
      throw encodeError(error, call.caller.codec)
    }
  }

  #wake(): void {
    this.#asleep = false
    const { definition } = this
    loadTasks()
      .then(({ tasksOf }) => tasksOf(definition).resume())
      .catch((error: unknown) => definition.report(error, 'tasks'))
  }

  #answer(call: Call): MaybePromise<JsonObject> {
    const { definition } = this
    const { backend } = definition
    return backend === undefined ? this.#answerOwn(call) : backend.answer(call, definition, this.#own)
  }

  #answerOwn(call: Call): MaybePromise<JsonObject> {
    const { definition } = this
    const { method } = call.request
    if (!call.caller.codec.requests.client.has(method)) return this.#answerExtension(call)
    const known = serverMethods.get(method)
    if (known !== undefined) {
      this.#need(call, known.needs)
      return answerMethod(call, definition, known, decodeParams(call), this.#encode)
    }
    const list = listKinds.get(method)
    if (list === undefined) throw methodNotFound(method, 'this server does not have it')
    this.#need(call, list.needs)
    return this.#lists.page(list, call, decodeParams(call), (result) => this.#encode(call, result))
  }

  async #answerExtension(call: Call): Promise<JsonObject> {
    const { method } = call.request
    const found = this.definition.extensionMethod(method)
    if (found === undefined) throw methodNotFound(method, `revision ${call.caller.revision} has no such method`)
    return this.#encode(call, await answerExtension(call, found.definition, found.method))
  }

  readonly #encode: Encode = ({ caller, request: { method } }, result) => {
    const server = method === 'server/discover' ? this.#introduction : this.#name
    return caller.codec.encodeResult(method, caller.conversation.identify(result, server))
  }

  readonly #own: OwnAnswers = { answer: (call) => this.#answerOwn(call), encode: this.#encode }

  /** Mounted backends may offer anything, from one moment to the next. */
  #need({ request, parts }: Call, capability: ServerMethod['needs']): void {
    if (capability === undefined || parts !== undefined || this.#has(capability)) return
    throw methodNotFound(request.method, `this server does not offer ${capability}`)
  }

  #has(capability: NonNullable<ServerMethod['needs']>): boolean {
    const { definition } = this
    switch (capability) {
      case 'tools':
      case 'resources':
      case 'prompts':
        return definition.offers(capability)
      case 'tasks':
        return definition.offersTasks
      case 'completions':
        return definition.completes
      default:
        return definition.logs
    }
  }
}

async function orEncodedError(answer: Promise<JsonObject>, codec: Codec): Promise<JsonObject> {
  try {
    return await answer
  } catch (error) {
    throw encodeError(error, codec)
  }
}

/** An error with the code that the revision has for it. */
function encodeError(error: unknown, codec: Codec): unknown {
  if (!isForPeer(error)) return error
  const code = codec.errorCode(error.code)
  if (code === error.code) return error
  const { message, data } = error
  return new RpcError(code, message, data, { cause: error })
}
