import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import type { AuthStore, Lock } from '@tenon/sdk/auth'

/** The store of a user's secrets: tokens and other values that must not be in a settings file. */
export interface SecretPlace {
  store: AuthStore
  /** Shared by every process that uses this folder. */
  lock: Lock
  /** Forgets every secret. */
  clear(): Promise<void>
  /** The keychain, or the file if the keychain cannot be used. */
  readonly where: 'keychain' | 'file'
  /** The file that they are in: sealed with a key of the keychain, or readable by this person only. */
  readonly file: string
}

const plainFile = 'tokens.json'
const sealedFile = 'tokens.sealed.json'

/** Whether anything was ever kept in a folder; quicker than to look into it. */
export const hasSecrets = (folder: string): boolean =>
  [plainFile, sealedFile].some((file) => existsSync(join(folder, file)))

/** The keychain where there is one, otherwise a file that only the user can read. `TENON_TOKENS=file` wants the file. */
export async function secretPlace(folder: string, env: NodeJS.ProcessEnv = process.env): Promise<SecretPlace> {
  const { fileLock, fileStore, keychainStore } = await import('@tenon/sdk/auth')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const [plain, sealed] = [join(folder, plainFile), join(folder, sealedFile)]
  const lock = fileLock(folder)
  if (!hasKeychain(env)) {
    const store = fileStore(plain)
    return { store, lock, clear: async () => store.clear?.(), where: 'file', file: plain }
  }
  return bothStores({ store: keychainStore(sealed), file: sealed }, { store: fileStore(plain), file: plain }, lock)
}

function hasKeychain(env: NodeJS.ProcessEnv): boolean {
  if (env.TENON_TOKENS === 'file') return false
  if (process.platform === 'darwin' || process.platform === 'win32') return true
  // A Linux desktop has a session bus, and a program to reach the keyring with.
  if (!env.DBUS_SESSION_BUS_ADDRESS) return false
  return (env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, 'secret-tool')))
}

interface StoreFile {
  store: AuthStore
  file: string
}

/** Writes to the first store, or to the second if the first fails; reads both. */
function bothStores(first: StoreFile, second: StoreFile, lock: Lock): SecretPlace {
  let last = first
  const store: AuthStore = {
    get: async (key) => {
      try {
        const found = await first.store.get(key)
        if (found !== undefined) return found
      } catch {
        last = second
      }
      return second.store.get(key)
    },
    set: async (key, value) => {
      try {
        await first.store.set(key, value)
        last = first
      } catch {
        last = second
        await second.store.set(key, value)
      }
      // The value of the other one is outdated.
      await (last === first ? second : first).store.delete(key)
    },
    delete: async (key) => {
      await first.store.delete(key)
      await second.store.delete(key)
    },
  }
  return {
    store,
    lock,
    clear: async () => {
      await first.store.clear?.()
      await second.store.clear?.()
    },
    get where() {
      return last === first ? 'keychain' : 'file'
    },
    get file() {
      return last.file
    },
  }
}
