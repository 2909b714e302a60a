import { ErrorCode, McpError, RpcError } from '../../errors.ts'
import { base64UrlToBytes, bytesToBase64Url, bytesToText, textToBytes } from '../../internal/base64.ts'
import type { Implementation } from '../../model/meta.ts'
import type { ServerLimits } from '../limits.ts'
import type { SpentStates } from './spent-states.ts'
import { type Bytes, type StateCipher, stateCipher } from './state-cipher.ts'
import { checkKeys, ownKey, type StateKey } from './state-keys.ts'

interface StateSealOptions {
  keys?: readonly StateKey[] | undefined
  ttlMs?: number | undefined
  maxLength?: number | undefined
}

/** Opened state, with the id of its seal. */
interface Opened {
  readonly data: unknown
  readonly id: string
  readonly expires: number
}

const defaultTtlMs = 600_000
const defaultMaxLength = 262_144
const formatVersion = 1
const ivBytes = 12

/**
 * Seals state that travels through a client and comes back: the client can neither read nor change it, nor use it for another
 * request, for another principal, or when it has expired.
 */
export class StateSeal {
  readonly #secrets: readonly Uint8Array[] | undefined
  readonly #ttlMs: number
  readonly #maxLength: number
  #ciphers: readonly StateCipher[] | undefined

  constructor({ keys, ttlMs = defaultTtlMs, maxLength = defaultMaxLength }: StateSealOptions) {
    this.#secrets = keys && checkKeys(keys)
    this.#ttlMs = ttlMs
    this.#maxLength = maxLength
  }

  /** Seals JSON data with the first key. `bound` must be the same when it is opened. */
  async seal(data: unknown, bound: string): Promise<string> {
    const iv = newIv()
    const plain = textToBytes(JSON.stringify({ expires: Date.now() + this.#ttlMs, data }))
    const bytes = await this.#made()[0]!.seal(iv, toBytes(bound), plain, 1 + ivBytes)
    bytes[0] = formatVersion
    bytes.set(iv, 1)
    const text = bytesToBase64Url(bytes)
    if (text.length <= this.#maxLength) return text
    throw new McpError(
      'invalid_argument',
      `The state of a request would take ${text.length} characters, and limits.maxStateLength is ${this.#maxLength}: keep less in ctx.once, or ask for less`,
    )
  }

  /** Opens state with any of the keys. Throws an `RpcError` -32602 if this server did not give it out. */
  async open(text: string, bound: string): Promise<Opened> {
    const bytes = text.length <= this.#maxLength ? base64UrlToBytes(text) : undefined
    if (bytes === undefined || bytes.length <= 1 + ivBytes || bytes[0] !== formatVersion) throw notOurs()
    const iv = bytes.subarray(1, 1 + ivBytes)
    const sealed = bytes.subarray(1 + ivBytes)
    for (const cipher of this.#made()) {
      const plain = await cipher.open(iv, toBytes(bound), sealed)
      if (plain === undefined) continue
      const { expires, data } = JSON.parse(bytesToText(plain)) as { expires: number; data: unknown }
      if (Date.now() <= expires) return { data, id: bytesToBase64Url(iv), expires }
      throw new RpcError(ErrorCode.InvalidParams, 'requestState has expired: send the request again without it')
    }
    throw notOurs()
  }

  #made(): readonly StateCipher[] {
    this.#ciphers ??= (this.#secrets ?? [ownKey()]).map(stateCipher)
    return this.#ciphers
  }
}

const notOurs = (): RpcError =>
  new RpcError(
    ErrorCode.InvalidParams,
    'requestState was changed, or was not made by this server for this caller and this request',
  )

/** The server that state belongs to. */
export interface StateServer {
  readonly info: Implementation
  readonly options: { readonly stateKeys?: readonly StateKey[]; readonly limits?: ServerLimits }
  /** Remembers which states were used. */
  readonly spent: SpentStates
}

const seals = new WeakMap<StateServer, StateSeal>()

/** The seal of a server. */
export function sealOf(server: StateServer): StateSeal {
  const known = seals.get(server)
  if (known !== undefined) return known
  const { stateKeys: keys, limits: { stateTtlMs: ttlMs, maxStateLength: maxLength } = {} } = server.options
  const seal = new StateSeal({ keys, ttlMs, maxLength })
  seals.set(server, seal)
  return seal
}

const ivsAtOnce = 128
let freshIvs = new Uint8Array(0)

/** Asking for random bytes takes as long as sealing with them: they are fetched for many, and used once. */
function newIv(): Bytes {
  if (freshIvs.length === 0) freshIvs = crypto.getRandomValues(new Uint8Array(ivsAtOnce * ivBytes))
  const iv = freshIvs.subarray(0, ivBytes)
  freshIvs = freshIvs.subarray(ivBytes)
  return iv
}

const toBytes = (bound: string): Bytes => textToBytes(`${formatVersion} ${bound}`)
