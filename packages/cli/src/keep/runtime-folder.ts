import { createHash } from 'node:crypto'
import { lstatSync, mkdirSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tenonFolder } from '@tenon/host/folder'
import { usage } from '../exit.ts'

/** Socket paths have a hundred bytes at most, on every platform. */
const maxPathBytes = 100
/** The longest name of a socket in the folder. */
const longestName = 44

export const isWindows: boolean = process.platform === 'win32'

export const digest = (text: string, length: number): string =>
  createHash('sha256').update(text).digest('hex').slice(0, length)

/** The folder of the sockets of this user. On Windows sockets are named pipes, and this is the start of their names. */
export function runtimeFolder(env: NodeJS.ProcessEnv): string {
  const own = tenonFolder({ env })
  if (isWindows) return `\\\\.\\pipe\\tenon-${digest(own, 16)}-`
  const folder =
    env.XDG_RUNTIME_DIR && isFolder(env.XDG_RUNTIME_DIR) ? join(env.XDG_RUNTIME_DIR, 'tenon') : join(own, 'run')
  if (Buffer.byteLength(folder) + longestName <= maxPathBytes) return folder
  return join(tmpdir(), `tenon-${process.getuid?.() ?? 0}-${digest(folder, 8)}`)
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false

/** The path of a socket. */
export const socketPath = (folder: string, name: string): string =>
  isWindows ? `${folder}${name}` : join(folder, name)

/** Makes the folder, for this user only. */
export function makeRuntimeFolder(folder: string): void {
  if (isWindows) return
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  checkOwner(folder)
}

/** Somebody else's folder or socket is not trusted: the messages contain secrets. */
export function checkOwner(path: string): void {
  if (isWindows) return
  const info = lstatSync(path)
  const isOpen = info.isDirectory() && (info.mode & 0o077) !== 0
  if (info.isSymbolicLink() || info.uid !== process.getuid?.() || isOpen)
    throw usage(
      `${path} is not a folder or socket of yours alone`,
      'Remove it, or set XDG_RUNTIME_DIR to a folder of your own.',
    )
}
