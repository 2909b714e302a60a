import { isMcpError, isRpcError } from '../../errors.ts'
import { unlessAborted } from '../../internal/abort.ts'
import type { JsonObject } from '../../jsonrpc/message.ts'
import { assertSupported } from '../connecting/capabilities.ts'
import type { ClientConnection, SendOptions } from '../connecting/connection.ts'
import type { ReconnectingConnection } from '../connecting/reconnecting-connection.ts'
import type { ConversationRequests } from '../conversation.ts'
import type { InputSources } from '../input/input-sources.ts'
import { inputModule } from '../input/lazy-input-module.ts'
import type { ResponseCache } from './response-cache.ts'

/** A request, however often it has to be sent. */
interface Wanted {
  readonly method: string
  readonly params: JsonObject
  readonly options: SendOptions
  /** True for a method of the protocol, false for one of an extension, of which nothing is known. */
  readonly known: boolean
}

/** Sends requests: in a new session if the server forgot theirs, and again with answers to its input requests. */
export class RequestSender implements ConversationRequests {
  readonly #connection: ReconnectingConnection
  readonly #sources: InputSources
  readonly #cache: ResponseCache | undefined

  constructor(connection: ReconnectingConnection, sources: InputSources, cache: ResponseCache | undefined) {
    this.#connection = connection
    this.#sources = sources
    this.#cache = cache
  }

  /** A method of the protocol: refused here if the server does not offer it, and answered from the cache if it can. */
  call(method: string, params: JsonObject, options: SendOptions = {}): Promise<JsonObject> {
    return this.#send({ method, params, options, known: true })
  }

  /** Any method, without a check of capabilities. */
  request(method: string, params: JsonObject, options: SendOptions): Promise<JsonObject> {
    return this.#send({ method, params, options, known: false })
  }

  // Every call passes here, and a promise costs as much as the checks: so this is one function.
  async #send(wanted: Wanted, renewed?: ClientConnection): Promise<JsonObject> {
    const { method, params, options, known } = wanted
    const current = renewed ?? this.#connection.current(options.signal)
    const connection = current instanceof Promise ? await current : current
    const { codec, conversation } = connection
    const started = performance.now()
    try {
      if (known) assertSupported(method, connection.server, codec)
      // Only results without input requests are kept: the rest depends on the answers.
      const cache = known && conversation.cachesResults ? this.#cache : undefined
      const first = cache?.serves(method, options)
        ? await cache.fetch({ method, params }, options, () => connection.call(method, params, options))
        : codec.decodeResult(method, await connection.ask(method, params, options), params)
      if (!conversation.isInputRequired(first, method, codec)) return first
      const exchange = { ...wanted, connection, started }
      return await inputModule(({ callUntilComplete }) => callUntilComplete(first, exchange, this.#sources))
    } catch (error) {
      if (isForgotten(error) && renewed === undefined) return this.#send(wanted, await this.#renew(connection, wanted))
      if (known) this.#sources.elicitations.addFrom(error)
      if (isRpcError(error) && error.remote) this.#connection.failed(error.message)
      throw error
    }
  }

  /** A request that was refused because the server forgot the session did not run, so it may be sent once more. */
  #renew(connection: ClientConnection, { options }: Wanted): Promise<ClientConnection> {
    return unlessAborted('The call', Promise.resolve(this.#connection.renew(connection)), options.signal)
  }
}

const isForgotten = (error: unknown): boolean => isMcpError(error) && error.code === 'session_expired'
