import { readdir } from 'node:fs/promises'
import { basename, dirname, resolve } from 'node:path'

/** Files and folders that begin as a path does; folders end with a slash. */
export async function fileCandidates(path: string, cwd: string): Promise<string[]> {
  const isFolder = path === '' || path.endsWith('/')
  const folder = isFolder ? path : path.includes('/') ? `${dirname(path)}/`.replace('//', '/') : ''
  const start = isFolder ? '' : basename(path)
  const entries = await readdir(resolve(cwd, folder), { withFileTypes: true }).catch(() => [])
  return entries
    .filter(({ name }) => name.startsWith(start) && (start.startsWith('.') || !name.startsWith('.')))
    .map((entry) => `${folder}${entry.name}${entry.isDirectory() ? '/' : ''}`)
    .sort()
}
