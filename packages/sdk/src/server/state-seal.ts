import { base64UrlToBytes, bytesToBase64Url } from '../base64.ts'
import { ErrorCode, McpError, RpcError } from '../errors.ts'
import { describe } from '../jsonrpc/classify.ts'
import { type Bytes, type StateCipher, stateCipher } from './state-cipher.ts'

/** What state is sealed with: 32 bytes or more, as bytes or as text. */
export type StateKey = string | Uint8Array

export interface StateSealOptions {
  keys?: readonly StateKey[] | undefined
  ttlMs?: number | undefined
  maxLength?: number | undefined
}

/** What was sealed, and how to tell it from everything else that was. */
export interface Opened {
  readonly data: unknown
  readonly id: string
  readonly expires: number
}

const defaultTtlMs = 600_000
const defaultMaxLength = 262_144
const minKeyBytes = 32
const formatVersion = 1
const ivBytes = 12

/** Sealed by servers without keys of their own: good for as long as the process lives. */
let processKey: Uint8Array | undefined

const utf8 = new TextEncoder()
const fromUtf8 = new TextDecoder()

/**
 * Seals what travels through a client and comes back: the client can neither read nor change it, nor use it for another
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

  /** Seals JSON data with the first key. `bound` is what must be the same when it is opened. */
  async seal(data: unknown, bound: string): Promise<string> {
    const iv = newIv()
    const plain = utf8.encode(JSON.stringify({ expires: Date.now() + this.#ttlMs, data }))
    const sealed = await this.#made()[0]!.seal(iv, toBytes(bound), plain)
    const bytes = new Uint8Array(1 + ivBytes + sealed.length)
    bytes[0] = formatVersion
    bytes.set(iv, 1)
    bytes.set(sealed, 1 + ivBytes)
    const text = bytesToBase64Url(bytes)
    if (text.length <= this.#maxLength) return text
    throw new McpError(
      'invalid_argument',
      `The state of a request would take ${text.length} characters, and limits.maxStateLength is ${this.#maxLength}: keep less in ctx.once, or ask for less`,
    )
  }

  /** What was sealed, with any of the keys. Throws an `RpcError` -32602 if it is not what this server gave out. */
  async open(text: string, bound: string): Promise<Opened> {
    const bytes = text.length <= this.#maxLength ? base64UrlToBytes(text) : undefined
    if (bytes === undefined || bytes.length <= 1 + ivBytes || bytes[0] !== formatVersion) throw notOurs()
    const iv = bytes.slice(1, 1 + ivBytes)
    const sealed = bytes.slice(1 + ivBytes)
    for (const cipher of this.#made()) {
      const plain = await cipher.open(iv, toBytes(bound), sealed)
      if (plain === undefined) continue
      const { expires, data } = JSON.parse(fromUtf8.decode(plain)) as { expires: number; data: unknown }
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

/** The key of servers without keys of their own. */
export function ownKey(): Uint8Array {
  processKey ??= crypto.getRandomValues(new Uint8Array(minKeyBytes))
  return processKey
}

/** Takes over the key of another process, so that either opens what the other has sealed. */
export function adoptKey(key: Uint8Array): void {
  processKey = key
}

const ivsAtOnce = 128
let freshIvs = new Uint8Array(0)

/** Asking for random bytes takes as long as sealing with them: they are fetched for many, and used once. */
function newIv(): Bytes {
  if (freshIvs.length === 0) freshIvs = crypto.getRandomValues(new Uint8Array(ivsAtOnce * ivBytes))
  const iv = freshIvs.slice(0, ivBytes)
  freshIvs = freshIvs.subarray(ivBytes)
  return iv
}

const toBytes = (bound: string): Bytes => utf8.encode(`${formatVersion} ${bound}`)

function checkKeys(keys: readonly StateKey[]): readonly Uint8Array[] {
  const what = 'createServer stateKeys'
  if (!Array.isArray(keys) || keys.length === 0) {
    throw new McpError('invalid_definition', `${what}: expected at least one key, got ${describe(keys)}`)
  }
  return keys.map((key: unknown, index) => {
    const bytes = typeof key === 'string' ? utf8.encode(key) : key
    if (bytes instanceof Uint8Array && bytes.length >= minKeyBytes) return bytes
    const found = bytes instanceof Uint8Array ? `${bytes.length}` : describe(key)
    throw new McpError('invalid_definition', `${what}[${index}]: expected ${minKeyBytes} bytes or more, got ${found}`)
  })
}
