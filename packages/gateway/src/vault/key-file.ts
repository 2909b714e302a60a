import { readFile, writeFile } from 'node:fs/promises'
import { newVaultKey } from './keyring.ts'

/** The key in a file that only this user can read; made if it is not there. Of two that make it, one wins. */
export async function vaultKeyFile(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  try {
    await writeFile(file, newVaultKey(), { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return readFile(file, 'utf8')
}
