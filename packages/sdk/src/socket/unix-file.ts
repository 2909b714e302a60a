import { randomUUID } from 'node:crypto'
import { chmod, link, lstat, rename, unlink } from 'node:fs/promises'
import { connect, type Server } from 'node:net'
import { isMainThread } from 'node:worker_threads'
import { McpError } from '../errors.ts'

/** Whether the path of a socket names a file: named pipes of Windows do not. */
const isFile = process.platform !== 'win32'

// Replacements of a stale socket by the same process take turns. Two processes that do so in the same moment may both
// believe that they won: there is no way to remove a file only if it is still the same.
const turns = new Map<string, Promise<void>>()

/** Listens on a socket that only its owner can use, from the first moment on. */
export function listenOnFile(listener: Server, path: string): Promise<void> {
  const turn = (turns.get(path) ?? Promise.resolve()).then(() => takePath(listener, path))
  const over = turn
    .catch(() => {})
    .then(() => {
      if (turns.get(path) === over) turns.delete(path)
    })
  turns.set(path, over)
  return turn
}

async function takePath(listener: Server, path: string): Promise<void> {
  // Such names are outside the file system, and every user of the machine can connect to them.
  if (path === '' || path.startsWith('\0'))
    throw new McpError('invalid_argument', `path: expected the path of a socket file, got ${JSON.stringify(path)}`)
  if (isFile) await removeStale(path)
  await listenPrivately(listener, path)
  if (isFile) await chmod(path, 0o600)
}

function listenPrivately(listener: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const onError = (error: Error): void => reject(isCode(error, 'EADDRINUSE') ? inUse(path) : error)
    listener.once('error', onError)
    listener.once('listening', () => {
      listener.off('error', onError)
      resolve()
    })
    // The file is made inside `listen`. Worker threads may not change the mask; there the mode is set afterwards.
    const before = isMainThread ? process.umask(0o177) : undefined
    try {
      listener.listen(path)
    } finally {
      if (before !== undefined) process.umask(before)
    }
  })
}

/** Removes a socket without a listener, and nothing else. */
async function removeStale(path: string): Promise<void> {
  const found = await look(path)
  if (found === undefined) return
  if (!found.isSocket) throw new McpError('invalid_argument', `${path} exists and is not a socket`)
  if (!(await isAbandoned(path))) throw inUse(path)
  await takeAway(path, found.identity)
}

/** Removes a file only if it is unchanged: another server may have put its own there meanwhile. */
export async function takeAway(path: string, identity: string): Promise<void> {
  const aside = `${path}.${randomUUID()}`
  try {
    await rename(path, aside)
  } catch (error) {
    if (isCode(error, 'ENOENT')) return
    throw error
  }
  const isOurs = (await look(aside))?.identity === identity
  if (!isOurs) await link(aside, path).catch(() => {})
  await unlink(aside)
  if (!isOurs) throw inUse(path)
}

export async function look(path: string): Promise<{ isSocket: boolean; identity: string } | undefined> {
  try {
    const stats = await lstat(path, { bigint: true })
    // Inode numbers are reused, so the time belongs to the identity.
    return { isSocket: stats.isSocket(), identity: `${stats.dev} ${stats.ino} ${stats.mtimeNs}` }
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined
    throw error
  }
}

function isAbandoned(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect({ path })
    probe.once('connect', () => {
      probe.destroy()
      resolve(false)
    })
    probe.once('error', (error) => resolve(isCode(error, 'ECONNREFUSED')))
  })
}

const isCode = (error: unknown, code: string): boolean => (error as NodeJS.ErrnoException).code === code

const inUse = (path: string): McpError =>
  new McpError('invalid_argument', `${path} is in use: another server listens on it`)
