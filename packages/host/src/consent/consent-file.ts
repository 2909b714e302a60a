import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileLock, replaceFile } from '@tenon/sdk/auth'
import { HostError } from '../host-error.ts'
import type { ConsentStore } from './remembered.ts'

const fileName = 'consents.json'
/** More answers than anybody gives; the oldest go first. */
const maxKeys = 10_000

/** Answers that are for ever, in the folder of the user: never in a project, which others may have written. */
export async function consentFile(folder: string): Promise<ConsentStore> {
  const file = join(folder, fileName)
  let keys = new Set(await readKeys(file))
  return {
    has: (key) => keys.has(key),
    async add(key) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await fileLock(join(folder, 'locks')).hold(file, async () => {
        keys = new Set([...(await readKeys(file)), key])
        await replaceFile(file, `${JSON.stringify([...keys].slice(-maxKeys), null, 2)}\n`)
      })
    },
  }
}

async function readKeys(file: string): Promise<string[]> {
  try {
    const keys: unknown = JSON.parse(await readFile(file, 'utf8'))
    if (Array.isArray(keys) && keys.every((key) => typeof key === 'string')) return keys
    throw new HostError('invalid_argument', `${file}: expected an array of texts`)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
