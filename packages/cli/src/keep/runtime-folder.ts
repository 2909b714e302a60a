import { lstatSync, mkdirSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, win32 } from 'node:path'
import { tenonFolder } from '@tenon/host/folder'
import { usage } from '../exit.ts'
import { shortHash } from './short-hash.ts'

/** Socket paths have a hundred bytes at most, on every platform. */
const maxPathBytes = 100
/** The longest name of a socket in the folder. */
const longestName = 44

/** The folder of the sockets of this user. */
export function runtimeFolder(env: NodeJS.ProcessEnv, platform: NodeJS.Platform = process.platform): string {
  const own = tenonFolder({ env, platform })
  // It contains names of pipes, whose length does not matter.
  if (platform === 'win32') return win32.join(own, 'run')
  const folder =
    env.XDG_RUNTIME_DIR && isFolder(env.XDG_RUNTIME_DIR) ? join(env.XDG_RUNTIME_DIR, 'tenon') : join(own, 'run')
  if (Buffer.byteLength(folder) + longestName <= maxPathBytes) return folder
  return join(tmpdir(), `tenon-${process.getuid?.() ?? 0}-${shortHash(folder).slice(0, 8)}`)
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false

/** Makes the folder, for this user only. */
export function makeRuntimeFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  checkOwner(folder)
}

/** Somebody else's folder or socket is not trusted: the messages contain secrets. On Windows the profile is the user's alone. */
export function checkOwner(path: string): void {
  if (process.platform === 'win32') return
  const info = lstatSync(path)
  const isOpen = info.isDirectory() && (info.mode & 0o077) !== 0
  if (info.isSymbolicLink() || info.uid !== process.getuid?.() || isOpen)
    throw usage(
      `${path} is not a folder or socket of yours alone`,
      'Remove it, or set XDG_RUNTIME_DIR to a folder of your own.',
    )
}
