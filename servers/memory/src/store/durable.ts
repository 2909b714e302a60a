import { randomBytes } from 'node:crypto'
import { closeSync, fdatasync, fstatSync, ftruncateSync, openSync, writeSync } from 'node:fs'
import { open, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'

/** The error codes of platforms and file systems that cannot sync a folder, such as Windows. */
const cannotSync: ReadonlySet<string | undefined> = new Set(['EACCES', 'EBADF', 'EINVAL', 'EISDIR', 'ENOTSUP', 'EPERM'])

/**
 * Replaces a file by one with this content: readers see the old or the new one, and the new one is on the disk when this
 * resolves. The modification time is the given one, by which a later edit can be told.
 */
export async function replaceFile(file: string, chunks: Iterable<string>, modified: Date): Promise<void> {
  const draft = `${file}.${randomBytes(8).toString('hex')}.tmp`
  const mode = await stat(file).then(
    (stats) => stats.mode & 0o777,
    () => 0o600,
  )
  try {
    const handle = await open(draft, 'wx', mode)
    try {
      for (const chunk of chunks) await handle.appendFile(chunk)
      await handle.utimes(modified, modified)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(draft, file)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
  await syncFolder(dirname(file))
}

/** Removes the drafts of processes that were killed. The caller holds the lock, so nobody else has a draft. */
export async function removeDrafts(file: string): Promise<void> {
  const folder = dirname(file)
  const start = `${basename(file)}.`
  const drafts = (await readdir(folder)).filter(
    (name) => name.startsWith(start) && /^(?:(?:log|history)\.)?[0-9a-f]{16}\.tmp$/.test(name.slice(start.length)),
  )
  for (const name of drafts) await rm(join(folder, name), { force: true })
}

/**
 * Appends to a file. The system has the text when this resolves, so that a kill of the process cannot lose it; if it is to
 * be synced, it is on the disk. If it cannot be written, nothing of it stays.
 */
export async function appendToFile(file: string, text: string, isSynced: boolean): Promise<void> {
  const handle = openSync(file, 'a', 0o600)
  try {
    const { size } = fstatSync(handle)
    try {
      writeAll(handle, Buffer.from(text))
      if (isSynced) await datasync(handle)
    } catch (error) {
      ftruncateSync(handle, size)
      throw error
    }
    if (size === 0) await syncFolder(dirname(file))
  } finally {
    closeSync(handle)
  }
}

const datasync = promisify(fdatasync)

/** Resolves when everything that was appended to a file is on the disk. */
export async function syncFile(file: string): Promise<void> {
  const handle = await open(file, 'r+')
  try {
    await handle.datasync()
  } finally {
    await handle.close()
  }
}

/** A full disk takes a part of the bytes before it refuses the rest. */
function writeAll(handle: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length; ) written += writeSync(handle, bytes, written)
}

async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, 'r')
    try {
      await handle.sync()
    } finally {
      await handle.close()
    }
  } catch (error) {
    if (!cannotSync.has((error as NodeJS.ErrnoException).code)) throw error
  }
}
