import { ClientDescription } from '../client/connecting/client-description.ts'
import type { ClientConnection, SendOptions } from '../client/connecting/connection.ts'
import type { ReconnectingConnection } from '../client/connecting/reconnecting-connection.ts'
import { isMcpError } from '../errors.ts'
import type { JsonObject } from '../jsonrpc/message.ts'
import { readAnswer } from '../wire/passing.ts'
import type { RawCallOptions, RawSender } from './raw-client.ts'

const forever = { timeoutMs: Number.POSITIVE_INFINITY, maxTotalMs: Number.POSITIVE_INFINITY }

/** Sends requests for others: once, or once more in a new session if the server forgot the old one. */
export class RawRequestSender {
  readonly #connection: ReconnectingConnection
  /** The description of each sender is made once. */
  readonly #senders = new WeakMap<RawSender, ClientDescription>()

  constructor(connection: ReconnectingConnection) {
    this.#connection = connection
  }

  async request(method: string, params: JsonObject, options: RawCallOptions = {}): Promise<JsonObject> {
    const { sender, ...call } = options
    const send = { ...forever, ...call }
    return this.#send(method, params, sender === undefined ? send : { ...send, description: this.#describe(sender) })
  }

  #describe(sender: RawSender): ClientDescription {
    const known = this.#senders.get(sender)
    if (known !== undefined) return known
    const { info, capabilities, logLevel } = sender
    const made = new ClientDescription({ ...this.#connection.settings, ...(info && { info }), capabilities })
    made.logLevel = logLevel
    this.#senders.set(sender, made)
    return made
  }

  async #send(
    method: string,
    params: JsonObject,
    options: SendOptions,
    renewed?: ClientConnection,
  ): Promise<JsonObject> {
    const connection = renewed ?? (await this.#connection.current(options.signal))
    try {
      const answer = await connection.ask(method, params, options)
      return readAnswer(connection.codec, method, answer, params)
    } catch (error) {
      if (!isForgotten(error) || renewed !== undefined) throw error
      return this.#send(method, params, options, await this.#connection.renew(connection))
    }
  }
}

const isForgotten = (error: unknown): boolean => isMcpError(error) && error.code === 'session_expired'
