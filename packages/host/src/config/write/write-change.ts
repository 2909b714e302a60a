import { chmod, mkdir, readdir, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { replaceFile } from '@tenon/sdk/auth'
import type { ConfigChange } from './config-change.ts'
import { readWritable, refused } from './writable-file.ts'

export interface WriteOptions {
  /** The folder for copies of files as they were. */
  backups: string
  /** The time in the name of the copy. Default: now. */
  now?: Date
}

/** How many copies are kept. */
const maxBackups = 50

/**
 * Writes a change: the whole file or nothing, after a copy of the file as it was. Returns the path of the copy, if there was a
 * file. Throws a `ConfigError` if the file is no longer as it was when the change was worked out.
 */
export async function writeChange(change: ConfigChange, options: WriteOptions): Promise<{ backup?: string }> {
  const { file, folder, before, after } = change
  const { text, mode } = await readWritable(change)
  if (text !== before) throw refused(file, 'has been changed in the meantime; try again')
  const backup = text === undefined ? undefined : await keepCopy(file, text, options)
  await mkdir(dirname(file), { recursive: true }).catch((error: NodeJS.ErrnoException) => {
    throw refused(file, `the folder cannot be made: ${error.code}`)
  })
  await replaceFile(file, after).catch((error: NodeJS.ErrnoException) => {
    throw refused(file, `cannot be written: ${error.code}`)
  })
  // A file of a project is for everyone who works on it.
  const permissions = mode ?? (folder === undefined ? undefined : 0o644)
  if (permissions !== undefined) await chmod(file, permissions)
  return backup === undefined ? {} : { backup }
}

/** Keeps a copy that only the user can read: the file may contain secrets. */
async function keepCopy(file: string, text: string, { backups, now = new Date() }: WriteOptions): Promise<string> {
  await mkdir(backups, { recursive: true, mode: 0o700 })
  const stamp = now.toISOString().replaceAll(':', '-')
  const path = join(backups, `${stamp}-${basename(dirname(file)).replace(/^\./, '')}-${basename(file)}`)
  await replaceFile(path, text)
  const names = (await readdir(backups)).filter((name) => /^\d{4}-\d\d-\d\dT/.test(name)).sort()
  await Promise.all(names.slice(0, -maxBackups).map((name) => rm(join(backups, name), { force: true })))
  return path
}
