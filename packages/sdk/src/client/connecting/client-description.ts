import { McpError } from '../../errors.ts'
import type { JsonObject } from '../../jsonrpc/message.ts'
import type { ClientCapabilities } from '../../model/capabilities.ts'
import type { LoggingLevel } from '../../model/logging.ts'
import { metaKeys } from '../../model/meta.ts'
import type { Codec } from '../../wire/codec.ts'
import type { SelfDescription } from '../conversation.ts'
import { type ClientSettings, toError } from '../options.ts'
import { impliedCapabilities } from './capabilities.ts'

/** A client's description of itself: sent once with `initialize`, or in every request. */
export class ClientDescription implements SelfDescription {
  readonly capabilities: ClientCapabilities
  readonly #withTasks: ClientCapabilities
  readonly #settings: ClientSettings
  #logLevel: LoggingLevel | undefined
  // All requests of a connection share one envelope, which is made and checked once.
  #plain: Made | undefined
  #ofTasks: Made | undefined

  constructor(settings: ClientSettings) {
    this.#settings = settings
    this.capabilities = impliedCapabilities(settings)
    this.#withTasks = impliedCapabilities({ ...settings, tasks: true })
  }

  get logLevel(): LoggingLevel | undefined {
    return this.#logLevel
  }

  set logLevel(level: LoggingLevel | undefined) {
    this.#logLevel = level
    this.#plain = undefined
    this.#ofTasks = undefined
  }

  /** Members of `_meta` that describe the client in a request. */
  envelope(codec: Codec, usesTasks: boolean): JsonObject {
    if (usesTasks) {
      if (this.#ofTasks?.codec !== codec) this.#ofTasks = this.#make(codec, this.#withTasks)
      return this.#ofTasks.envelope
    }
    if (this.#plain?.codec !== codec) this.#plain = this.#make(codec, this.capabilities)
    return this.#plain.envelope
  }

  #make(codec: Codec, capabilities: ClientCapabilities): Made {
    const meta = {
      [metaKeys.protocolVersion]: codec.revision,
      [metaKeys.clientCapabilities]: capabilities,
      [metaKeys.clientInfo]: this.#settings.info,
      ...(this.#logLevel === undefined ? {} : { [metaKeys.logLevel]: this.#logLevel }),
    }
    const method = 'server/discover'
    const encoded = codec.encodeParams(method, { _meta: meta })
    try {
      codec.decodeParams(method, encoded)
    } catch (error) {
      throw new McpError('invalid_argument', toError(error).message, { cause: error })
    }
    return { codec, envelope: encoded._meta as JsonObject }
  }
}

interface Made {
  codec: Codec
  envelope: JsonObject
}
