import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  realpathSync,
  statSync,
  unlinkSync,
} from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import type { AllowedFile } from './protocol.ts'
import { Refusal } from './refusal.ts'

const descriptors = '/proc/self/fd'

/** True if an open descriptor has a path of its own, which no change of names can redirect. */
const hasDescriptorPaths = process.platform === 'linux' && existsSync(descriptors)

/** Opens a file for reading. It is the file in the allowed folder also if links changed meanwhile. */
export function openAllowed({ path, folders, maxBytes }: AllowedFile): { descriptor: number; bytes: number } {
  const real = realPathIn(path, folders)
  const descriptor = openSync(real, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
  try {
    const opened = fstatSync(descriptor)
    if (!opened.isFile()) throw new Refusal(`file: expected a file, got something else at ${path}`)
    if (opened.size > maxBytes) {
      throw new Refusal(`file: ${opened.size} bytes are more than ${maxBytes} (--max-file). Split the file.`)
    }
    refuseMoved(descriptor, real, folders)
    return { descriptor, bytes: opened.size }
  } catch (error) {
    closeSync(descriptor)
    throw error
  }
}

/** A new file, and the way to take it back. */
interface CreatedFile {
  readonly descriptor: number
  remove(): void
}

/** Creates a file that was not there. */
export function createAllowed({ path, folders }: AllowedFile): CreatedFile {
  return hasDescriptorPaths ? createInHeld(path, folders) : createAndCheck(path, folders)
}

/** The folder is held by a descriptor: its path leads to the folder that was checked, whatever its names lead to by now. */
function createInHeld(path: string, folders: readonly string[]): CreatedFile {
  const folder = openFolder(realPathIn(dirname(path), folders), folders)
  try {
    const real = readlinkSync(join(descriptors, String(folder)))
    if (!isInside(real, folders)) throw notInside(path, folders)
    const held = join(descriptors, String(folder), basename(path))
    const descriptor = exclusively(held, path)
    const { ino, dev } = fstatSync(descriptor, { bigint: true })
    return { descriptor, remove: () => removeSame(join(real, basename(path)), ino, dev) }
  } finally {
    closeSync(folder)
  }
}

function openFolder(path: string, folders: readonly string[]): number {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)
  } catch {
    throw notInside(path, folders)
  }
}

function createAndCheck(path: string, folders: readonly string[]): CreatedFile {
  const real = join(realPathIn(dirname(path), folders), basename(path))
  const descriptor = exclusively(real, path)
  const { ino, dev } = fstatSync(descriptor, { bigint: true })
  const remove = (): void => removeSame(real, ino, dev)
  try {
    refuseMoved(descriptor, real, folders)
  } catch (error) {
    closeSync(descriptor)
    remove()
    throw error
  }
  return { descriptor, remove }
}

/** Another file may have taken its name. */
function removeSame(path: string, ino: bigint, dev: bigint): void {
  try {
    const there = lstatSync(path, { bigint: true })
    if (there.ino === ino && there.dev === dev) unlinkSync(path)
  } catch {
    // It is not there any more.
  }
}

function exclusively(real: string, given: string): number {
  try {
    return openSync(real, 'wx', 0o644)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    throw new Refusal(`file: ${given} exists, and files are never overwritten. Choose another name.`)
  }
}

function realPathIn(path: string, folders: readonly string[]): string {
  let real: string
  try {
    real = realpathSync(path)
  } catch {
    throw new Refusal(`file: ${path} is not there, or not in an allowed folder (${folders.join(', ')})`)
  }
  if (!isInside(real, folders)) throw notInside(path, folders)
  return real
}

const notInside = (path: string, folders: readonly string[]): Refusal =>
  new Refusal(`file: expected a path in ${folders.join(' or ')}, got ${path}`)

const isInside = (path: string, folders: readonly string[]): boolean =>
  folders.some((folder) => {
    const way = relative(folder, path)
    return way !== '..' && !way.startsWith(`..${sep}`) && !/^[A-Za-z]:|^\//.test(way)
  })

/** A folder on the way may have become a link after the check. */
function refuseMoved(descriptor: number, path: string, folders: readonly string[]): void {
  const opened = fstatSync(descriptor, { bigint: true })
  const there = statSync(realPathIn(path, folders), { bigint: true })
  if (opened.ino !== there.ino || opened.dev !== there.dev) {
    throw new Refusal(`file: ${path} changed while it was opened. Try again.`)
  }
}
