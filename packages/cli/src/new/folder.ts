import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { visibleLine } from '@tenon/sdk/display'
import { usage } from '../exit.ts'

/** Refuses a folder that has anything in it; nothing that was there is ever touched. */
export async function refuseFull(folder: string, shown: string): Promise<void> {
  const entries = await entriesOf(folder, shown)
  const inTheWay = entries.filter((name) => !harmless.has(name)).toSorted()
  if (inTheWay.length === 0) return
  const first = inTheWay.slice(0, 5).map(visibleLine).join(', ')
  const more = inTheWay.length > 5 ? ` and ${inTheWay.length - 5} more` : ''
  throw usage(`${shown} is not empty: ${first}${more}`, 'Choose another folder, or empty this one.')
}

// Files that exist in a new folder.
const harmless = new Set(['.git', '.DS_Store', 'Thumbs.db'])

async function entriesOf(folder: string, shown: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return []
    throw usage(
      code === 'ENOTDIR' ? `${shown} is a file` : `Cannot read ${shown}: ${message}`,
      'Choose another folder.',
    )
  }
}

/** Writes files that are not there yet. */
export async function writeFiles(folder: string, files: ReadonlyMap<string, string>): Promise<void> {
  for (const [path, text] of files) {
    const file = join(folder, path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, text, { flag: 'wx' })
  }
}
