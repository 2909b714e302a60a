import { isMcpError } from '../errors.ts'
import type { JsonObject } from '../jsonrpc/message.ts'
import type { Codec } from '../wire/codec.ts'
import type { ResponseCache } from './cache.ts'
import { assertSupported } from './capabilities.ts'
import type { Connection, SendOptions } from './connection.ts'
import type { InputSources } from './input-request.ts'
import type { Lifeline } from './lifeline.ts'
import { unlessAborted } from './unless-aborted.ts'
import { whatAnswers } from './what-answers.ts'

/** A request to the server, however often it has to be sent. */
interface Wanted {
  readonly method: string
  readonly params: JsonObject
  readonly options: SendOptions
  /** True for a method of the protocol, false for one of an extension, of which nothing is known. */
  readonly known: boolean
}

/** Sends requests: in a new session if the server forgot theirs, and again with answers where it has questions. */
export class Requests {
  readonly #lifeline: Lifeline
  readonly #sources: InputSources
  readonly #cache: ResponseCache | undefined

  constructor(lifeline: Lifeline, sources: InputSources, cache: ResponseCache | undefined) {
    this.#lifeline = lifeline
    this.#sources = sources
    this.#cache = cache
  }

  /** A method of the protocol: refused here if the server does not offer it, and answered from the cache where it may be. */
  call(method: string, params: JsonObject, options: SendOptions = {}): Promise<JsonObject> {
    return this.#send({ method, params, options, known: true })
  }

  /** Any method, without a look at capabilities. */
  request(method: string, params: JsonObject, options: SendOptions): Promise<JsonObject> {
    return this.#send({ method, params, options, known: false })
  }

  // Every call passes here, and each promise on its way costs it as much as being checked: so this is one function.
  async #send(wanted: Wanted, renewed?: Connection): Promise<JsonObject> {
    const { method, params, options, known } = wanted
    const current = renewed ?? this.#lifeline.current(options.signal)
    const connection = current instanceof Promise ? await current : current
    const { codec } = connection
    const started = performance.now()
    try {
      if (known) assertSupported(method, connection.server, codec)
      // Only what a server answers without asking is kept: the rest depends on the answers.
      const first = this.#mayKeep(codec, wanted)
        ? await this.#fetch(connection, wanted)
        : codec.decodeResult(method, await connection.ask(method, params, options), params)
      if (first.resultType !== 'input_required' || !mayAsk(codec, method)) return first
      const exchange = { ...wanted, connection, started }
      return await whatAnswers(({ untilComplete }) => untilComplete(first, exchange, this.#sources))
    } catch (error) {
      if (isForgotten(error) && renewed === undefined) return this.#send(wanted, await this.#renew(connection, wanted))
      if (known) this.#sources.elicitations.addFrom(error)
      throw error
    }
  }

  #mayKeep({ handshake }: Codec, { method, options, known }: Wanted): boolean {
    return known && !handshake && this.#cache?.serves(method, options) === true
  }

  #fetch(connection: Connection, { method, params, options }: Wanted): Promise<JsonObject> {
    return this.#cache!.fetch({ method, params }, options, () => connection.call(method, params, options))
  }

  /** A request that was refused because the server forgot the session did not run, so it may be sent once more. */
  #renew(connection: Connection, { options }: Wanted): Promise<Connection> {
    return unlessAborted('The call', Promise.resolve(this.#lifeline.renew(connection)), options.signal)
  }
}

/** Where there is a handshake, servers ask by requests of their own. */
const mayAsk = ({ handshake, requests }: Codec, method: string): boolean => !handshake && requests.client.has(method)

const isForgotten = (error: unknown): boolean => isMcpError(error) && error.code === 'session_expired'
