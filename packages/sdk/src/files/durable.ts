import { builtin } from '../internal/builtin.ts'

/** The error codes of platforms and file systems that cannot sync a folder, such as Windows. */
const cannotSync: ReadonlySet<string | undefined> = new Set(['EACCES', 'EBADF', 'EINVAL', 'EISDIR', 'ENOTSUP', 'EPERM'])

/** Writes a new file for the owner of the process alone; its content is on the disk when this resolves. */
export async function writeDurably(path: string, content: string | Uint8Array): Promise<void> {
  const file = await builtin('node:fs/promises')!.open(path, 'wx', 0o600)
  try {
    await file.writeFile(content)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Resolves when the names in a folder are on the disk, if the platform can sync them. */
export async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await builtin('node:fs/promises')!.open(folder, 'r')
    try {
      await handle.sync()
    } finally {
      await handle.close()
    }
  } catch (error) {
    if (!cannotSync.has((error as NodeJS.ErrnoException).code)) throw error
  }
}

/** Makes a folder for the owner of the process alone, with those above it, durably. */
export async function makeFolder(folder: string): Promise<void> {
  const { dirname, resolve } = builtin('node:path')!
  const target = resolve(folder)
  const first = await builtin('node:fs/promises')!.mkdir(target, { recursive: true, mode: 0o700 })
  if (first === undefined) return
  for (let made = target; made.length >= first.length; made = dirname(made)) await syncFolder(dirname(made))
}
