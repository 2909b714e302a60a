import { randomBytes } from 'node:crypto'
import { type BigIntStats, constants } from 'node:fs'
import { type FileHandle, link, lstat, open, rename, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { ToolError } from '@tenon/sdk/server'
import type { Target } from '../access/guard.ts'
import { type Held, isUnchanged } from '../access/held.ts'

/** Begins every temporary file. Lists of folders show it only if a process was killed in between. */
const prefix = '.tenon-'

/**
 * Writes a file so that at any moment the old or the new contents are there, whole: a temporary file beside it, synced,
 * takes its name. The name itself is replaced, so nothing is written through links of any kind.
 */
export async function replaceFile(target: Target, contents: Uint8Array, mode?: bigint): Promise<void> {
  const { existing, parent } = target
  if (existing !== undefined && !existing.stats.isFile()) throw new ToolError(`${target.real} is not a regular file.`)
  await withTemporary(parent, existing === undefined ? 0o666 : 0o600, async (temporary, handle) => {
    await handle.writeFile(contents)
    await keepRights(handle, existing?.stats, mode)
    await handle.sync()
    if (existing === undefined) return nameNew(temporary, target)
    await refuseChanged(target, existing.stats)
    await rename(temporary, target.access)
  })
  await syncFolder(parent)
}

/** Gives a name to a file that is made by `fill`, unless the name is taken by then. */
export async function createFile(target: Target, fill: (temporary: string) => Promise<void>): Promise<void> {
  const temporary = temporaryName(target.parent)
  try {
    await fill(temporary)
    await nameNew(temporary, target)
  } finally {
    await unlink(temporary).catch(() => {})
  }
  await syncFolder(target.parent)
}

async function withTemporary(
  parent: Held,
  mode: number,
  use: (path: string, handle: FileHandle) => Promise<void>,
): Promise<void> {
  const path = temporaryName(parent)
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW = 0 } = constants
  const handle = await open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode)
  try {
    await use(path, handle)
  } catch (error) {
    await unlink(path).catch(() => {})
    throw error
  } finally {
    await handle.close()
  }
}

const temporaryName = ({ access }: Held): string => join(access, `${prefix}${randomBytes(12).toString('hex')}.tmp`)

async function keepRights(handle: FileHandle, old: BigIntStats | undefined, mode = old?.mode): Promise<void> {
  if (old !== undefined && process.getuid !== undefined) {
    const mine = await handle.stat({ bigint: true })
    // Only the superuser may give files away; for others the file becomes theirs, as in any editor.
    if (mine.uid !== old.uid || mine.gid !== old.gid) {
      await handle.chown(Number(old.uid), Number(old.gid)).catch(() => {})
    }
  }
  if (mode !== undefined) await handle.chmod(Number(mode & 0o7777n))
}

async function refuseChanged(target: Target, seen: BigIntStats): Promise<void> {
  const current = await lstat(target.access, { bigint: true })
  if (!isUnchanged(current, seen)) {
    throw new ToolError(
      `${target.real} was changed by someone else at this moment. Nothing was written; read it again.`,
    )
  }
}

/** Gives a file another name if that is free. A hard link never replaces anything, as a rename would. */
async function nameNew(temporary: string, target: Target): Promise<void> {
  try {
    await link(temporary, target.access)
    await unlink(temporary)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') throw new ToolError(`${target.real} exists by now. Nothing was changed.`)
    // Some disks have no hard links.
    if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'EOPNOTSUPP' && code !== 'ENOSYS') throw error
    await rename(temporary, target.access)
  }
}

/** Moves to a name that is free. A folder can at worst replace an empty one: the system sees to that. */
export async function moveName(from: Target, to: Target): Promise<void> {
  if (from.existing?.stats.isDirectory()) await rename(from.access, to.access)
  else await nameNew(from.access, to)
}

/** Makes the new name survive a power failure, where a folder can be synced. */
export async function syncFolder(folder: Held): Promise<void> {
  try {
    const handle = await open(folder.access, constants.O_RDONLY)
    await handle.sync().finally(() => handle.close())
  } catch {
    // Windows and some network disks have no such thing.
  }
}
