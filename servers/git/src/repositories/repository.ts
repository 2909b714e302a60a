import { readdir, readFile, realpath, stat } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { ToolError } from '@tenon/sdk/server'

/** A repository whose parts all lie in allowed folders, as real paths. */
export interface RepositoryPlace {
  readonly name: string
  /** Absent in a bare repository. */
  readonly workTree: string | undefined
  readonly gitDir: string
  /** Differs from `gitDir` in a linked worktree. */
  readonly commonDir: string
}

export const isInside = (path: string, folder: string): boolean => {
  const way = relative(folder, path)
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way))
}

/**
 * Finds the repository of a path without asking git, and checks that no part of it lies outside of the allowed
 * folders: the folder, `.git` as a file, the common folder of a worktree, links in it, and alternate object stores.
 */
export async function locateRepository(path: string, allowed: readonly string[]): Promise<RepositoryPlace> {
  const folder = await realpath(path).catch(() => {
    throw new ToolError(`There is no folder ${JSON.stringify(path)}.`)
  })
  const limit = allowed.find((one) => isInside(folder, one))
  if (limit === undefined) throw outside(path)
  const found = await findUpwards(folder, limit)
  if (found === undefined) throw new ToolError(`${JSON.stringify(path)} is not in a Git repository.`)
  const { gitDir, workTree } = found
  const commonDir = await commonDirOf(gitDir)
  for (const part of [gitDir, commonDir]) checkInside(part, allowed)
  await checkLinks(gitDir, allowed)
  if (commonDir !== gitDir) await checkLinks(commonDir, allowed)
  await checkAlternates(join(commonDir, 'objects'), allowed, 0)
  return { name: basename(workTree ?? gitDir), workTree, gitDir, commonDir }
}

const outside = (path: string): ToolError =>
  new ToolError(
    `${JSON.stringify(path)} is outside the allowed repositories. git_repositories lists them; the operator adds one with --repository.`,
  )

async function findUpwards(
  folder: string,
  limit: string,
): Promise<{ gitDir: string; workTree: string | undefined } | undefined> {
  for (let at = folder; isInside(at, limit); at = dirname(at)) {
    const gitDir = await gitDirAt(at)
    if (gitDir !== undefined)
      return { gitDir, workTree: basename(at) === '.git' ? dirname(at) : gitDir === at ? undefined : at }
    if (at === dirname(at)) return undefined
  }
  return undefined
}

/** The git folder of a folder: `.git` in it, the folder that a file `.git` names, or the folder itself if it is bare. */
async function gitDirAt(folder: string): Promise<string | undefined> {
  const dotGit = join(folder, '.git')
  const kind = await stat(dotGit).catch(() => undefined)
  if (kind?.isDirectory()) return realpath(dotGit)
  if (kind?.isFile()) {
    const [, target] = /^gitdir: (.+?)\n*$/.exec(await readSmall(dotGit)) ?? []
    if (target === undefined) throw new ToolError(`${dotGit}: expected a line "gitdir: FOLDER"`)
    return realFolder(resolve(folder, target))
  }
  const isRepository = await Promise.all(
    ['HEAD', 'objects', 'refs'].map((name) => stat(join(folder, name)).catch(() => undefined)),
  )
  return isRepository.every((part) => part !== undefined) ? folder : undefined
}

async function commonDirOf(gitDir: string): Promise<string> {
  const text = await readSmall(join(gitDir, 'commondir')).catch(() => undefined)
  return text === undefined ? gitDir : realFolder(resolve(gitDir, text.trim()))
}

const realFolder = (path: string): Promise<string> =>
  realpath(path).catch(() => {
    throw new ToolError(`The repository names the folder ${JSON.stringify(path)}, which does not exist.`)
  })

async function readSmall(file: string): Promise<string> {
  const { size } = await stat(file)
  if (size > 65_536) throw new ToolError(`${file}: expected a small file, got ${size} bytes`)
  return readFile(file, 'utf8')
}

function checkInside(path: string, allowed: readonly string[]): void {
  if (allowed.some((folder) => isInside(path, folder))) return
  throw new ToolError(
    `The repository leads to ${path}, outside the allowed folders. The operator can add that folder with --repository.`,
  )
}

/** Folders of a git folder in which a link could lead to the data of another repository. */
const linkPlaces = [
  '.',
  'info',
  'logs',
  'objects',
  'objects/info',
  'objects/pack',
  'refs',
  'refs/heads',
  'refs/remotes',
  'refs/tags',
]

/** A link in the git folder must not lead to another repository. */
async function checkLinks(folder: string, allowed: readonly string[]): Promise<void> {
  for (const place of linkPlaces) {
    for (const entry of await readdir(join(folder, place), { withFileTypes: true }).catch(() => [])) {
      if (!entry.isSymbolicLink()) continue
      const target = await realpath(join(folder, place, entry.name)).catch(() => undefined)
      if (target !== undefined) checkInside(target, allowed)
    }
  }
}

async function checkAlternates(objects: string, allowed: readonly string[], depth: number): Promise<void> {
  const text = await readSmall(join(objects, 'info', 'alternates')).catch((error) => {
    if (error instanceof ToolError) throw error
    return ''
  })
  if (depth > 5) throw new ToolError('The repository has too long a chain of alternate object stores.')
  for (const line of text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))) {
    const target = await realpath(resolve(objects, line)).catch(() => undefined)
    if (target === undefined) continue
    checkInside(target, allowed)
    await checkAlternates(target, allowed, depth + 1)
  }
}
