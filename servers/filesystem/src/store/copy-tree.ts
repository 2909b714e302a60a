import { constants } from 'node:fs'
import { copyFile, mkdir, readdir, readlink, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { ToolError } from '@tenon/sdk/server'
import { type Held, hold } from '../access/held.ts'

interface CopyOptions {
  readonly signal: AbortSignal
  readonly maxItems: number
  readonly copied: (count: number) => unknown
  /** Throws for a file that may not be copied. */
  readonly check: (file: Held, name: string) => void
}

/** Copies the contents of a file to a name that is free, without going through this process where the disk can. */
export const copyContents = (source: Held, to: string): Promise<void> =>
  copyFile(source.access, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)

/** Copies a folder with everything in it to a name that is free. Links stay links; pipes and devices are left out. */
export async function copyFolder(source: Held, to: string, options: CopyOptions): Promise<number> {
  let count = 0
  const copyInto = async (folder: Held, destination: string): Promise<void> => {
    await mkdir(destination, { mode: Number(folder.stats.mode & 0o7777n) | 0o700 })
    // Held, so that a link that takes its place receives nothing.
    await using made = await hold(destination, { follow: false })
    if (!made.stats.isDirectory()) throw new ToolError(`${destination} was replaced at this moment; try again.`)
    for (const name of await readdir(folder.access)) {
      options.signal.throwIfAborted()
      if (++count > options.maxItems) {
        throw new ToolError(
          `The folder has more than ${options.maxItems} entries (--max-items). Copy its parts one by one.`,
        )
      }
      options.copied(count)
      await copyEntry(folder, name, join(made.access, name))
    }
  }
  const copyEntry = async (folder: Held, name: string, destination: string): Promise<void> => {
    await using entry = await hold(join(folder.access, name), { follow: false })
    if (entry.stats.isDirectory()) await copyInto(entry, destination)
    else if (entry.stats.isSymbolicLink()) await symlink(await readlink(join(folder.access, name)), destination)
    else if (entry.stats.isFile()) {
      options.check(entry, name)
      await copyContents(entry, destination)
    }
  }
  await copyInto(source, to)
  return count
}
