import { randomBytes } from 'node:crypto'
import { mkdir, open, rename, stat, unlink } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { ToolError } from '@tenon/sdk/server'
import { explain } from '../access/explain.ts'
import type { Target } from '../access/guard.ts'

/** Something in the trash. */
export interface Trashed {
  /** Its place in the trash. */
  readonly path: string
  /** Moves it to a name that is free. */
  restore(target: Target): Promise<void>
}

/**
 * Deletes by moving to a trash, in the layout of freedesktop.org: `files` has the things, `info` says where they were.
 * Desktops on Linux show them, and can put them back.
 */
export async function moveToTrash(target: Target, configured: string | undefined): Promise<Trashed> {
  const folder = configured ?? (await trashFor(target))
  const place = await takePlace(folder, target)
  const path = join(folder, 'files', place)
  const note = join(folder, 'info', `${place}.trashinfo`)
  try {
    await rename(target.access, path)
  } catch (error) {
    await unlink(note)
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw explain(error, target.real)
    throw new ToolError(
      `${target.real} and the trash ${folder} are on different disks. Nothing was deleted. Start this server with --trash ` +
        'and a folder on the same disk.',
    )
  }
  return {
    path,
    async restore(to) {
      await rename(path, to.access)
      await unlink(note).catch(() => {})
    },
  }
}

/** The trash of the user if it is on the same disk, else that of the disk. */
async function trashFor(target: Target): Promise<string> {
  const { dev } = target.existing!.stats
  const data = process.env.XDG_DATA_HOME ?? join(homedir(), '.local', 'share')
  const home = process.platform === 'linux' ? join(data, 'Trash') : join(homedir(), '.tenon', 'trash')
  await mkdir(home, { recursive: true, mode: 0o700 })
  if ((await stat(home, { bigint: true })).dev === dev) return home
  return join(await topOfDisk(target.parent.real, dev), `.Trash-${process.getuid?.() ?? 0}`)
}

async function topOfDisk(folder: string, dev: bigint): Promise<string> {
  const above = dirname(folder)
  if (above === folder || (await stat(above, { bigint: true })).dev !== dev) return folder
  return topOfDisk(above, dev)
}

/** Takes a free name in the trash by making its note, which says where the thing was. */
async function takePlace(folder: string, target: Target): Promise<string> {
  const info = join(folder, 'info')
  await mkdir(info, { recursive: true, mode: 0o700 })
  await mkdir(join(folder, 'files'), { recursive: true, mode: 0o700 })
  const place = `${target.name.slice(0, 60)}.${randomBytes(6).toString('hex')}`
  const handle = await open(join(info, `${place}.trashinfo`), 'wx', 0o600)
  const date = new Date().toISOString().slice(0, 19)
  const path = target.real.split('/').map(encodeURIComponent).join('/')
  await handle.writeFile(`[Trash Info]\nPath=${path}\nDeletionDate=${date}\n`).finally(() => handle.close())
  return place
}
