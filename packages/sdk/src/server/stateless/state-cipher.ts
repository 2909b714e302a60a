import { bytesToFill } from '../../internal/base64.ts'
import type { MaybePromise } from '../../internal/maybe-promise.ts'

/**
 * AES-256-GCM with a key that is derived for sealing alone, so that the secret may have other uses. Both ways to do it
 * make the same bytes, so processes with one of them open the seals of those with the other.
 */
export interface StateCipher {
  /** The sealed bytes, a tag behind them, and room in front of them. */
  seal(iv: Bytes, bound: Bytes, plain: Bytes, room?: number): MaybePromise<Bytes>
  /** Undefined if this was not sealed with the key. */
  open(iv: Bytes, bound: Bytes, sealed: Bytes): MaybePromise<Bytes | undefined>
}

export type Bytes = Uint8Array<ArrayBuffer>

const purpose: Bytes = new TextEncoder().encode('tenon request state')
const tagBytes = 16
const noSalt: Bytes = new Uint8Array(0)

/** The used part of `node:crypto`. */
interface NodeCrypto {
  hkdfSync(hash: string, secret: Bytes, salt: Bytes, info: Bytes, length: number): ArrayBuffer
  createSecretKey(key: Bytes): object
  createCipheriv(algorithm: 'aes-256-gcm', key: object, iv: Bytes): Sealing
  createDecipheriv(algorithm: 'aes-256-gcm', key: object, iv: Bytes, options: { authTagLength: number }): Opening
}

interface Step {
  setAAD(bound: Bytes): void
  update(bytes: Bytes): Bytes
  final(): Uint8Array
}

interface Sealing extends Step {
  getAuthTag(): Uint8Array
}

interface Opening extends Step {
  setAuthTag(tag: Bytes): void
}

/** Asked for, not imported: where there is no such module, or only a part of it, there is WebCrypto. */
export function nodeCrypto(): NodeCrypto | undefined {
  const { process } = globalThis as { process?: { getBuiltinModule?: (id: string) => NodeCrypto | undefined } }
  try {
    const crypto = process?.getBuiltinModule?.('node:crypto')
    const iv = new Uint8Array(12)
    const cipher = crypto && new NodeCipher(iv, crypto)
    return cipher?.open(iv, iv, cipher.seal(iv, iv, iv)) && crypto
  } catch {
    return undefined
  }
}

/** WebCrypto hands every call to another thread, which for a few hundred bytes costs more than all of the round. */
export function stateCipher(secret: Uint8Array): StateCipher {
  const native = nodeCrypto()
  return native === undefined ? new WebCipher(secret) : new NodeCipher(secret, native)
}

export class NodeCipher implements StateCipher {
  readonly #crypto: NodeCrypto
  readonly #key: object

  constructor(secret: Uint8Array, crypto: NodeCrypto) {
    this.#crypto = crypto
    const key = crypto.hkdfSync('sha256', new Uint8Array(secret), noSalt, purpose, 32)
    this.#key = crypto.createSecretKey(new Uint8Array(key))
  }

  seal(iv: Bytes, bound: Bytes, plain: Bytes, room = 0): Bytes {
    const cipher = this.#crypto.createCipheriv('aes-256-gcm', this.#key, iv)
    cipher.setAAD(bound)
    const sealed = bytesToFill(room + plain.length + tagBytes)
    sealed.set(cipher.update(plain), room)
    cipher.final()
    sealed.set(cipher.getAuthTag(), room + plain.length)
    return sealed
  }

  open(iv: Bytes, bound: Bytes, sealed: Bytes): Bytes | undefined {
    const length = sealed.length - tagBytes
    if (length < 0) return undefined
    const cipher = this.#crypto.createDecipheriv('aes-256-gcm', this.#key, iv, { authTagLength: tagBytes })
    cipher.setAAD(bound)
    cipher.setAuthTag(sealed.subarray(length))
    const plain = cipher.update(sealed.subarray(0, length))
    try {
      // Only this tells whether the bytes are unchanged.
      cipher.final()
    } catch {
      return undefined
    }
    return plain
  }
}

export class WebCipher implements StateCipher {
  readonly #key: Promise<CryptoKey>

  constructor(secret: Uint8Array) {
    this.#key = importKey(secret)
  }

  async seal(iv: Bytes, bound: Bytes, plain: Bytes, room = 0): Promise<Bytes> {
    const sealed = bytesToFill(room + plain.length + tagBytes)
    sealed.set(new Uint8Array(await crypto.subtle.encrypt(parameters(iv, bound), await this.#key, plain)), room)
    return sealed
  }

  async open(iv: Bytes, bound: Bytes, sealed: Bytes): Promise<Bytes | undefined> {
    const key = await this.#key
    const plain = await crypto.subtle.decrypt(parameters(iv, bound), key, sealed).catch(() => undefined)
    return plain && new Uint8Array(plain)
  }
}

async function importKey(secret: Uint8Array): Promise<CryptoKey> {
  const base = await crypto.subtle.importKey('raw', new Uint8Array(secret), 'HKDF', false, ['deriveKey'])
  const derivation = { name: 'HKDF', hash: 'SHA-256', salt: noSalt, info: purpose }
  return crypto.subtle.deriveKey(derivation, base, { name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt'])
}

const parameters = (iv: Bytes, additionalData: Bytes): AesGcmParams => ({ name: 'AES-GCM', iv, additionalData })
