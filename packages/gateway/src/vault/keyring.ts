import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { McpError } from '@tenon/sdk/client'

const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

/** A sealed text, and the id of the key that sealed it. */
interface Sealed {
  readonly key: string
  readonly text: string
}

interface Key {
  readonly id: string
  readonly bytes: Buffer
}

/** A new key for a vault: 256 random bits. */
export const newVaultKey = (): string => randomBytes(32).toString('base64url')

/** Seals with the first key, and opens with all of them. */
export class Keyring {
  readonly #current: Key
  readonly #keys: ReadonlyMap<string, Key>

  /** `keys` are 32 bytes each, as base64, base64url or hex. */
  constructor(keys: readonly string[]) {
    const all = keys.map(readKey)
    if (all.length === 0) throw new McpError('invalid_argument', 'vault.key: expected a key')
    this.#current = all[0]!
    this.#keys = new Map(all.map((key) => [key.id, key]))
  }

  /** The id of the key that seals. */
  get currentId(): string {
    return this.#current.id
  }

  /** `about` is bound to the text: it opens only for the same owner and purpose, so entries cannot be exchanged. */
  seal(plain: string, about: readonly string[]): Sealed {
    const nonce = randomBytes(nonceBytes)
    const cipher = createCipheriv(algorithm, this.#current.bytes, nonce)
    cipher.setAAD(aad(this.#current.id, about))
    const sealed = Buffer.concat([nonce, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()])
    return { key: this.#current.id, text: sealed.toString('base64url') }
  }

  /** Undefined if it was sealed for something else, by an unknown key, or was changed. */
  open({ key, text }: Sealed, about: readonly string[]): string | undefined {
    const known = this.#keys.get(key)
    const sealed = Buffer.from(text, 'base64url')
    if (known === undefined || sealed.length < nonceBytes + tagBytes) return undefined
    const end = sealed.length - tagBytes
    const decipher = createDecipheriv(algorithm, known.bytes, sealed.subarray(0, nonceBytes), {
      authTagLength: tagBytes,
    })
    decipher.setAAD(aad(known.id, about))
    decipher.setAuthTag(sealed.subarray(end))
    try {
      return decipher.update(sealed.subarray(nonceBytes, end), undefined, 'utf8') + decipher.final('utf8')
    } catch {
      return undefined
    }
  }
}

/** JSON, because no choice of names gives two lists the same text. */
const aad = (key: string, about: readonly string[]): Buffer => Buffer.from(JSON.stringify([key, ...about]))

function readKey(text: string): Key {
  const trimmed = text.trim()
  const bytes = /^[\da-f]{64}$/i.test(trimmed)
    ? Buffer.from(trimmed, 'hex')
    : /^[\w+/-]{43}=?$/.test(trimmed)
      ? Buffer.from(trimmed, 'base64url')
      : undefined
  if (bytes === undefined) {
    throw new McpError('invalid_argument', 'vault.key: expected 32 bytes as base64 or hex, got another text')
  }
  return { id: createHash('sha256').update('tenon vault key').update(bytes).digest('hex').slice(0, 16), bytes }
}
