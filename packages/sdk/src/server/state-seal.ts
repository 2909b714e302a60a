import { base64ToBytes, bytesToBase64 } from '../base64.ts'
import { ErrorCode, McpError, RpcError } from '../errors.ts'
import { describe } from '../jsonrpc/classify.ts'

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
const purpose = 'tenon request state'

/** Sealed by servers without keys of their own: good for as long as the process lives. */
let processKey: Uint8Array | undefined

const utf8 = new TextEncoder()

/**
 * Seals what travels through a client and comes back: the client can neither read nor change it, nor use it for another
 * request, for another principal, or when it has expired.
 */
export class StateSeal {
  readonly #secrets: readonly Uint8Array[] | undefined
  readonly #ttlMs: number
  readonly #maxLength: number
  #keys: Promise<CryptoKey[]> | undefined

  constructor({ keys, ttlMs = defaultTtlMs, maxLength = defaultMaxLength }: StateSealOptions) {
    this.#secrets = keys && checkKeys(keys)
    this.#ttlMs = ttlMs
    this.#maxLength = maxLength
  }

  /** Seals JSON data with the first key. `bound` is what must be the same when it is opened. */
  async seal(data: unknown, bound: string): Promise<string> {
    const [key] = await this.#imported()
    const iv = crypto.getRandomValues(new Uint8Array(ivBytes))
    const plain = utf8.encode(JSON.stringify({ expires: Date.now() + this.#ttlMs, data }))
    const sealed = new Uint8Array(await crypto.subtle.encrypt(parameters(iv, bound), key!, plain))
    const bytes = new Uint8Array(1 + ivBytes + sealed.length)
    bytes[0] = formatVersion
    bytes.set(iv, 1)
    bytes.set(sealed, 1 + ivBytes)
    const text = toBase64Url(bytes)
    if (text.length <= this.#maxLength) return text
    throw new McpError(
      'invalid_argument',
      `The state of a request would take ${text.length} characters, and limits.maxStateLength is ${this.#maxLength}: keep less in ctx.once, or ask for less`,
    )
  }

  /** What was sealed, with any of the keys. Throws an `RpcError` -32602 if it is not what this server gave out. */
  async open(text: string, bound: string): Promise<Opened> {
    const bytes = text.length <= this.#maxLength ? fromBase64Url(text) : undefined
    if (bytes === undefined || bytes.length <= 1 + ivBytes || bytes[0] !== formatVersion) throw notOurs()
    const iv = bytes.slice(1, 1 + ivBytes)
    const algorithm = parameters(iv, bound)
    const sealed = bytes.slice(1 + ivBytes)
    for (const key of await this.#imported()) {
      const plain = await crypto.subtle.decrypt(algorithm, key, sealed).catch(() => undefined)
      if (plain === undefined) continue
      const { expires, data } = JSON.parse(new TextDecoder().decode(plain)) as { expires: number; data: unknown }
      if (Date.now() <= expires) return { data, id: toBase64Url(iv), expires }
      throw new RpcError(ErrorCode.InvalidParams, 'requestState has expired: send the request again without it')
    }
    throw notOurs()
  }

  #imported(): Promise<CryptoKey[]> {
    this.#keys ??= Promise.all((this.#secrets ?? [ownKey()]).map(importKey))
    return this.#keys
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

/** A key for this purpose alone, whatever else the secret is used for. */
async function importKey(secret: Uint8Array): Promise<CryptoKey> {
  const base = await crypto.subtle.importKey('raw', new Uint8Array(secret), 'HKDF', false, ['deriveKey'])
  const derivation = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: utf8.encode(purpose) }
  return crypto.subtle.deriveKey(derivation, base, { name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt'])
}

const parameters = (iv: Uint8Array<ArrayBuffer>, bound: string): AesGcmParams => ({
  name: 'AES-GCM',
  iv,
  additionalData: utf8.encode(`${formatVersion} ${bound}`),
})

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

const toBase64Url = (bytes: Uint8Array): string =>
  bytesToBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[\w-]+$/.test(text) || text.length % 4 === 1) return undefined
  return new Uint8Array(base64ToBytes(text.replaceAll('-', '+').replaceAll('_', '/')))
}
