import { lstat, readFile, readlink, realpath } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import type { ConfigFile } from '../hosts/config-files.ts'
import { ConfigError } from '../problem.ts'

/** How large a file may be that is changed here. */
const maxBytes = 8 * 1024 * 1024

/** The contents of a file that may be replaced. */
interface WritableFile {
  /** Undefined if there is no file. */
  text: string | undefined
  /** The permissions of the file. */
  mode: number | undefined
}

/**
 * Reads a file that is to be replaced. A project can contain links that lead a write out of it, and a replaced link would
 * separate a file from its other name: both are refused with a `ConfigError`, as are files that this user may not change.
 */
export async function readWritable({ file, folder }: Pick<ConfigFile, 'file' | 'folder'>): Promise<WritableFile> {
  if (folder !== undefined) await checkFolders(file, folder)
  const info = await lstat(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw refused(file, `cannot be read: ${error.code}`)
  })
  if (info === undefined) return { text: undefined, mode: undefined }
  if (info.isSymbolicLink()) throw refused(file, `is a link to ${await readlink(file)}; name that file instead`)
  if (!info.isFile()) throw refused(file, 'is not a file')
  if (info.size > maxBytes) throw refused(file, `is larger than ${maxBytes} bytes`)
  if (process.getuid !== undefined && info.uid !== process.getuid()) throw refused(file, 'belongs to another user')
  if ((info.mode & 0o400) === 0) throw refused(file, 'may not be read by this user')
  if ((info.mode & 0o200) === 0) throw refused(file, 'is read-only')
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw refused(file, `cannot be read: ${error.code}`)
  })
  return { text, mode: info.mode & 0o777 }
}

/** The folders between a project and its file are folders, not links to elsewhere. */
async function checkFolders(file: string, folder: string): Promise<void> {
  const parent = dirname(file)
  const real = await realpath(parent).catch(() => undefined)
  // A folder that is not there yet is made, and no link then.
  if (real === undefined) return await checkNothing(parent, file)
  const expected = join(await realpath(folder), relative(folder, parent))
  if (real !== expected) throw refused(file, `is in a folder that is a link to ${real}`)
}

async function checkNothing(path: string, file: string): Promise<void> {
  const info = await lstat(path).catch(() => undefined)
  if (info !== undefined) throw refused(file, 'is in a folder that is a link to nowhere')
}

export const refused = (file: string, message: string): ConfigError =>
  new ConfigError({ code: 'not_written', message, file })
