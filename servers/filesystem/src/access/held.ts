import { type BigIntStats, closeSync, constants, existsSync, fstatSync, openSync, readlinkSync } from 'node:fs'
import { type FileHandle, lstat, open } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { realPathOf } from './real-path.ts'

/** Opens the place of a file without opening the file: no device, pipe or permission notices. Node has no name for it. */
const O_PATH = 0o10000000

const descriptors = '/proc/self/fd'

/** True if an open descriptor has a path of its own, which no change of names can redirect. */
export const hasDescriptorPaths: boolean = process.platform === 'linux' && existsSync(descriptors)

/** A file, folder or link that was found, and what it was at that moment. */
export interface Held extends AsyncDisposable {
  /** The path without symbolic links, as the system knows it. */
  readonly real: string
  /**
   * The path to use. On Linux it belongs to an open descriptor, so it leads to what was found, whatever its names lead to
   * by now. Elsewhere it is the real path.
   */
  readonly access: string
  readonly stats: BigIntStats
}

/** Finds a path and holds on to it. A link at its end is followed, unless it is the link that is wanted. */
export const hold = async (path: string, options: { follow: boolean }): Promise<Held> =>
  hasDescriptorPaths ? holdDescriptor(path, options.follow) : holdPath(path, options.follow)

/**
 * Without waiting: these calls look names up and read no contents, which takes the system less time than handing them to
 * another thread and back.
 */
function holdDescriptor(path: string, follow: boolean): Held {
  const descriptor = openSync(path, O_PATH | (follow ? 0 : constants.O_NOFOLLOW))
  try {
    const access = `${descriptors}/${descriptor}`
    const real = readlinkSync(access)
    const stats = fstatSync(descriptor, { bigint: true })
    return { real, access, stats, [Symbol.asyncDispose]: async () => closeSync(descriptor) }
  } catch (error) {
    closeSync(descriptor)
    throw error
  }
}

async function holdPath(path: string, follow: boolean): Promise<Held> {
  const real = follow ? await realPathOf(path) : join(await realPathOf(dirname(path)), basename(path))
  const stats = await lstat(real, { bigint: true })
  return { real, access: real, stats, [Symbol.asyncDispose]: async () => {} }
}

/** Opens the contents of a held file. */
export async function openHeld(held: Held): Promise<FileHandle> {
  // A pipe must not block, and a terminal must not become ours, should one have taken the place of the file.
  const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0)
  // The path of a descriptor leads to the same file, always.
  if (hasDescriptorPaths) return open(held.access, flags)
  const handle = await open(held.access, flags | (constants.O_NOFOLLOW ?? 0))
  try {
    if (isSame(await handle.stat({ bigint: true }), held.stats)) return handle
    throw Object.assign(new Error('another file took its place'), { code: 'ESTALE', syscall: 'open' })
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** True if both describe the same file, whatever its contents. */
export const isSame = (one: BigIntStats, other: BigIntStats): boolean => one.dev === other.dev && one.ino === other.ino

/** True if both describe the same file with the same contents, as far as the system can tell. */
export const isUnchanged = (one: BigIntStats, other: BigIntStats): boolean =>
  isSame(one, other) && one.size === other.size && one.mtimeNs === other.mtimeNs
