import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { tenonFolder } from '@tenon/host/folder'
import { type AuthStore, fileLock, fileStore, keychainStore, type Lock } from '@tenon/sdk/auth'
import { plainFile, sealedFile } from './kept.ts'

/** Where tokens are kept, and the lock that several commands share. */
export interface TokenPlace {
  store: AuthStore
  lock: Lock
}

/** The keychain where there is one, otherwise a file that only the user can read. `TENON_TOKENS=file` wants the file. */
export async function tokenPlace(env: NodeJS.ProcessEnv): Promise<TokenPlace> {
  const folder = tenonFolder({ env })
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const plain = fileStore(join(folder, plainFile))
  const store = hasKeychain(env) ? both(keychainStore(join(folder, sealedFile)), plain) : plain
  return { store, lock: fileLock(folder) }
}

function hasKeychain(env: NodeJS.ProcessEnv): boolean {
  if (env.TENON_TOKENS === 'file') return false
  if (process.platform === 'darwin' || process.platform === 'win32') return true
  // A Linux desktop has a session bus, and a program to reach the keyring with.
  if (!env.DBUS_SESSION_BUS_ADDRESS) return false
  return (env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, 'secret-tool')))
}

/** Keeps in the first, or where that cannot be used in the second; finds what either has. */
const both = (first: AuthStore, second: AuthStore): AuthStore => ({
  get: async (key) => (await Promise.resolve(first.get(key)).catch(() => undefined)) ?? (await second.get(key)),
  set: async (key, value) => {
    try {
      await first.set(key, value)
      await second.delete(key)
    } catch {
      await second.set(key, value)
    }
  },
  delete: async (key) => {
    await first.delete(key)
    await second.delete(key)
  },
})
