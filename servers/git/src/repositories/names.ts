import { isAbsolute, relative, resolve } from 'node:path'
import { ToolError } from '@tenon/sdk/server'
import { z } from 'zod'
import type { Git } from '../safe-git/git.ts'
import { isInside } from './repository.ts'
import type { Repository } from './workspace.ts'

export const revisionText: z.ZodString = z.string().min(1).max(1_000).describe('A branch, tag or commit')
export const pathText: z.ZodString = z.string().min(1).max(4_096).describe('A path in the repository')

export interface GitObject {
  readonly id: string
  readonly type: 'commit' | 'tree' | 'blob' | 'tag'
  readonly size: number
}

/** Finds the object of a revision. The text goes to git as input, so that it cannot be an option. */
export async function findObject(git: Git, revision: string, peel = ''): Promise<GitObject> {
  if (revision.startsWith('-')) {
    throw new ToolError(`Invalid revision ${JSON.stringify(revision)}: it must not begin with "-".`)
  }
  if (/[\n\0]/.test(revision)) throw new ToolError('Invalid revision: it must be one line.')
  const format = '--batch-check=%(objectname) %(objecttype) %(objectsize)'
  const answer = (await git.text(['cat-file', format], { input: `${revision}${peel}\n` })).trimEnd()
  const [, id, type, size] = /^([0-9a-f]{40,64}) (commit|tree|blob|tag) (\d+)$/.exec(answer) ?? []
  if (id === undefined) {
    const problem = answer.endsWith(' ambiguous') ? 'is ambiguous' : 'does not exist'
    throw new ToolError(`The revision ${JSON.stringify(revision)} ${problem}. git_branch and git_log list revisions.`)
  }
  return { id, type: type as GitObject['type'], size: Number(size) }
}

export const findCommit = async (git: Git, revision: string): Promise<string> =>
  (await findObject(git, revision, '^{commit}')).id

/** Refuses a name that git would not accept for a branch or tag. */
export async function checkRefName(git: Git, name: string, kind: 'heads' | 'tags'): Promise<void> {
  const isName = !name.startsWith('-') && (await git.code(['check-ref-format', `refs/${kind}/${name}`], [0, 1])) === 0
  if (!isName)
    throw new ToolError(`${JSON.stringify(name)} is not a valid name for a ${kind === 'heads' ? 'branch' : 'tag'}.`)
}

export const refExists = async (git: Git, ref: string): Promise<boolean> =>
  (await git.code(['show-ref', '--verify', '--quiet', ref], [0, 1, 128])) === 0

/** A path relative to the top of the repository, with slashes. One that leads out is refused. */
export function insidePath({ workTree }: Repository, path: string): string {
  const top = workTree ?? '/'
  const full = isAbsolute(path) && workTree !== undefined ? path : resolve(top, path)
  if (path.includes('\0') || !isInside(full, top)) {
    throw new ToolError(`The path ${JSON.stringify(path)} is outside the repository.`)
  }
  return relative(top, full).replaceAll('\\', '/')
}

/** Paths as git takes them after `--`: from the top, and without patterns. */
export const pathspecs = (repository: Repository, paths: readonly string[]): string[] =>
  paths.map((path) => `:(top,literal)${insidePath(repository, path)}`)

export function needWorkTree({ workTree }: Repository): string {
  if (workTree === undefined) throw new ToolError('This is a bare repository: it has no working tree.')
  return workTree
}
