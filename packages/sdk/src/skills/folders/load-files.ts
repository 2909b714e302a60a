import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { type Found, refuseFile } from './walk-folder.ts'

/** A file with everything that is said about it. */
export interface LoadedFile extends Found {
  bytes: Uint8Array
  digest: string
}

/** The bytes that may still be read. */
interface Budget {
  readonly maxBytes: number
  left: number
}

const filesAtOnce = 8

/** Reads files, together at most so many bytes. */
export async function loadFiles(files: readonly Found[], maxBytes: number): Promise<LoadedFile[]> {
  const budget = { maxBytes, left: maxBytes }
  const loaded: LoadedFile[] = []
  for (let start = 0; start < files.length; start += filesAtOnce) {
    const some = files.slice(start, start + filesAtOnce)
    loaded.push(...(await Promise.all(some.map((file) => loadFile(file, budget)))))
  }
  return loaded
}

async function loadFile(file: Found, budget: Budget): Promise<LoadedFile> {
  const bytes = await readBounded(file.path, budget)
  return { ...file, bytes, digest: `sha256:${createHash('sha256').update(bytes).digest('hex')}` }
}

// A file that became a link or a pipe since it was listed is neither followed nor waited for.
const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

async function readBounded(path: string, budget: Budget): Promise<Uint8Array> {
  const handle = await open(path, flags).catch((cause: unknown) => refuseFile(path, 'cannot be opened', cause))
  try {
    const status = await handle.stat()
    if (!status.isFile()) return refuseFile(path, 'is not a file any more')
    // Taken before anything is read, so that files that are read at the same time share it.
    budget.left -= status.size
    if (budget.left < 0) return refuseFile(path, `with this file the skills have more than ${budget.maxBytes} bytes`)
    return await readAll(handle, path, status.size)
  } finally {
    await handle.close()
  }
}

async function readAll(handle: FileHandle, path: string, size: number): Promise<Uint8Array> {
  // One byte more shows whether the file has grown since it was measured.
  const buffer = new Uint8Array(size + 1)
  let length = 0
  for (;;) {
    const { bytesRead } = await handle.read(buffer, length, buffer.length - length, length)
    length += bytesRead
    if (bytesRead === 0) return buffer.slice(0, length)
    if (length > size) return refuseFile(path, 'changes while it is read')
  }
}
