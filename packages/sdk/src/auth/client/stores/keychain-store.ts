import { McpError } from '../../../errors.ts'
import { base64ToBytes, bytesToBase64 } from '../../../internal/base64.ts'
import { builtin } from '../../../internal/builtin.ts'
import { fileLock } from './file-lock.ts'
import { fileStore } from './file-store.ts'
import { type Keychain, systemKeychain } from './keychain/keychain.ts'
import type { AuthStore } from './store.ts'

export interface KeychainOptions {
  /** The name of the entry in the keychain: letters, digits, `.`, `_` and `-`. Default `tenon`. */
  service?: string
}

/**
 * Keeps tokens in a file that is encrypted with a key of the system's keychain: of macOS, of Windows (DPAPI), or of a
 * Linux desktop (Secret Service, by `secret-tool`). The file alone is of no use.
 */
export function keychainStore(file: string, { service = 'tenon' }: KeychainOptions = {}): AuthStore {
  return encryptedStore(file, systemKeychain(service, file))
}

/** The keychain holds one small key, and is read once: it has a size limit, and may ask the user. */
export function encryptedStore(file: string, keychain: Keychain): AuthStore {
  const inner = fileStore(file)
  let key: Promise<CryptoKey> | undefined
  const keyOf = (): Promise<CryptoKey> => {
    key ??= findKey(file, keychain).catch((error) => {
      key = undefined
      throw error
    })
    return key
  }
  return {
    async get(name) {
      const kept = await inner.get(name)
      return kept === undefined ? undefined : decrypted(kept, name, await keyOf())
    },
    set: async (name, value) => inner.set(name, await encrypted(value, name, await keyOf())),
    delete: (name) => inner.delete(name),
    clear: () => inner.clear?.(),
  }
}

/** Under a lock: of two processes that find no key, one makes it. */
async function findKey(file: string, keychain: Keychain): Promise<CryptoKey> {
  const { dirname, resolve } = builtin('node:path')!
  const text = await fileLock(dirname(resolve(file))).hold(`key ${resolve(file)}`, async () => {
    const known = await keychain.get()
    if (known !== undefined) return known
    const made = bytesToBase64(crypto.getRandomValues(new Uint8Array(32)))
    await keychain.set(made)
    return made
  })
  if (!/^[\w+/]{43}=$/.test(text)) {
    throw new McpError(
      'invalid_argument',
      'The keychain has an entry of this name that is no key: give another `service`',
    )
  }
  return crypto.subtle.importKey('raw', bytesOf(text), 'AES-GCM', false, ['encrypt', 'decrypt'])
}

const bytesOf = (base64: string): Uint8Array<ArrayBuffer> => new Uint8Array(base64ToBytes(base64))

const ivLength = 12

/** The name is bound to the value, so that entries cannot be exchanged for each other. */
const algorithm = (iv: Uint8Array<ArrayBuffer>, name: string): AesGcmParams => ({
  name: 'AES-GCM',
  iv,
  additionalData: new TextEncoder().encode(name),
})

async function encrypted(value: string, name: string, key: CryptoKey): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(ivLength))
  const sealed = await crypto.subtle.encrypt(algorithm(iv, name), key, new TextEncoder().encode(value))
  const all = new Uint8Array(ivLength + sealed.byteLength)
  all.set(iv)
  all.set(new Uint8Array(sealed), ivLength)
  return bytesToBase64(all)
}

/** An unreadable file counts as missing: it was written with a key that is gone, or by another program. */
async function decrypted(text: string, name: string, key: CryptoKey): Promise<string | undefined> {
  try {
    const all = bytesOf(text)
    const opened = await crypto.subtle.decrypt(algorithm(all.slice(0, ivLength), name), key, all.slice(ivLength))
    return new TextDecoder().decode(opened)
  } catch {
    return undefined
  }
}
