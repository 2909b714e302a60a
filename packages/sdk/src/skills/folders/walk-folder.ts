import type { Dirent } from 'node:fs'
import { readdir, realpath, stat } from 'node:fs/promises'
import { basename, isAbsolute, join, relative, sep } from 'node:path'
import { McpError } from '../../errors.ts'
import { skillFile } from '../protocol.ts'

/** A file or folder, by the names that lead to it below the namespace of skills, and where it really is. */
export interface Found {
  names: readonly string[]
  path: string
}

/** The files and folders in a folder, without contents. */
export interface Tree {
  files: Found[]
  directories: Found[]
}

const maxDepth = 32
const maxEntries = 10_000

/** Hidden files are not meant for others, and installed packages are not part of a skill. */
const isSkipped = (name: string): boolean => name.startsWith('.') || name === 'node_modules'

/**
 * Lists the files in a folder of skills, or in a skill. Symbolic links are followed as long as they stay in the folder.
 */
export async function walkFolder(folder: string, prefix: readonly string[]): Promise<Tree> {
  const root = await realpath(folder).catch((cause: unknown) => refuseFile(folder, 'there is no such folder', cause))
  const walk: Walk = { root, tree: { files: [], directories: [] }, entries: 0 }
  const children = await list(root)
  // A folder that is a skill itself is served under its own name.
  const names = children.some(({ name }) => name === skillFile) ? [...prefix, basename(root)] : [...prefix]
  await visit(walk, { names, path: root }, [])
  return walk.tree
}

interface Walk {
  root: string
  tree: Tree
  entries: number
}

async function visit(walk: Walk, directory: Found, above: readonly string[]): Promise<void> {
  if (above.length >= maxDepth) refuseFile(directory.path, `nested deeper than ${maxDepth} folders`)
  // Only a link can lead back to where the walk came from.
  if (above.includes(directory.path)) refuseFile(directory.path, 'a link to a folder that it is in')
  walk.tree.directories.push(directory)
  for (const entry of await list(directory.path)) {
    walk.entries++
    if (walk.entries > maxEntries) refuseFile(walk.root, `more than ${maxEntries} files and folders`)
    const found = { names: [...directory.names, entry.name], path: join(directory.path, entry.name) }
    const { path, kind } = entry.isSymbolicLink() ? await followLink(walk.root, found.path) : kindOf(entry, found.path)
    if (kind === 'file') walk.tree.files.push({ ...found, path })
    else if (kind === 'directory') await visit(walk, { ...found, path }, [...above, directory.path])
    else refuseFile(found.path, 'neither a file nor a folder')
  }
}

async function list(path: string): Promise<Dirent[]> {
  const entries = await readdir(path, { withFileTypes: true }).catch((cause: unknown) =>
    refuseFile(path, 'cannot be read as a folder', cause),
  )
  // In the order of code units, which is the same everywhere.
  return entries.filter(({ name }) => !isSkipped(name)).sort((a, b) => (a.name < b.name ? -1 : 1))
}

interface Target {
  path: string
  kind: 'file' | 'directory' | 'other'
}

const kindOf = (entry: Pick<Dirent, 'isFile' | 'isDirectory'>, path: string): Target => ({
  path,
  kind: entry.isFile() ? 'file' : entry.isDirectory() ? 'directory' : 'other',
})

/** A link may not lead out of the folder, nor to hidden files in it. */
async function followLink(root: string, link: string): Promise<Target> {
  const path = await realpath(link).catch((cause: unknown) => refuseFile(link, 'a link that leads nowhere', cause))
  const way = relative(root, path)
  if (way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way))
    refuseFile(link, 'a link that leads out of the folder')
  if (way.split(sep).some(isSkipped)) refuseFile(link, 'a link to what is hidden')
  return kindOf(await stat(path), path)
}

export function refuseFile(path: string, problem: string, cause?: unknown): never {
  throw new McpError('invalid_definition', `${path}: ${problem}`, { cause })
}
