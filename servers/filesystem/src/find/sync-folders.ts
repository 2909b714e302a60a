import {
  closeSync,
  constants,
  type Dirent,
  fstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  realpathSync,
} from 'node:fs'
import { join } from 'node:path'
import { hasDescriptorPaths } from '../access/held.ts'

/** A folder that is open while its entries are visited: names in it lead into it, and nowhere else. */
export interface OpenFolder {
  readonly access: string
  readonly entries: Dirent[]
  close(): void
}

const { O_RDONLY, O_DIRECTORY = 0, O_NOFOLLOW = 0, O_NONBLOCK = 0, O_NOCTTY = 0 } = constants

/** Opens a folder, without waiting for another thread. Nothing, if it is none, or none that may be read. */
export function openFolder(path: string, isAllowed: (real: string) => boolean): OpenFolder | undefined {
  try {
    if (!hasDescriptorPaths) {
      return isAllowed(realpathSync.native(path))
        ? { access: path, entries: entriesOf(path), close: () => {} }
        : undefined
    }
    const descriptor = openSync(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
    const access = `/proc/self/fd/${descriptor}`
    try {
      if (isAllowed(readlinkSync(access))) {
        return { access, entries: entriesOf(access), close: () => closeSync(descriptor) }
      }
    } catch {
      // It is gone, or may not be read.
    }
    closeSync(descriptor)
    return undefined
  } catch {
    return undefined
  }
}

const entriesOf = (access: string): Dirent[] => readdirSync(access, { withFileTypes: true })

/** Opens a regular file in an open folder. Links, pipes and devices are none. */
export function openFile(
  folder: string,
  name: string,
  refuseHardLinks: boolean,
): { descriptor: number; size: number } | undefined {
  let descriptor: number | undefined
  try {
    descriptor = openSync(join(folder, name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
    const stats = fstatSync(descriptor)
    if (stats.isFile() && !(refuseHardLinks && stats.nlink > 1)) return { descriptor, size: stats.size }
  } catch {
    // It is gone, or may not be read.
  }
  if (descriptor !== undefined) closeSync(descriptor)
  return undefined
}
