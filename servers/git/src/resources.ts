import { type RequestContext, resourceTemplate, type ServerResourceTemplate } from '@tenon/sdk/server'
import { fileTemplate } from './repositories/file-uri.ts'
import { findCommit, findObject, insidePath } from './repositories/names.ts'
import type { Repository, Workspace } from './repositories/workspace.ts'

const maxFileBytes = 10_000_000

/** Files at revisions. Repositories, branches, tags and paths complete while they are typed. */
export function fileResource(workspace: Workspace): ServerResourceTemplate {
  const open = async (name: string | undefined, ctx: RequestContext): Promise<Repository | undefined> => {
    const path = name === undefined ? undefined : (await workspace.named(ctx)).get(name)
    return path === undefined ? undefined : workspace.open(path, ctx).catch(() => undefined)
  }
  return resourceTemplate({
    uriTemplate: fileTemplate,
    name: 'file-at-revision',
    title: 'File at a revision',
    description: 'A file as it is in a branch, tag or commit',
    complete: {
      repository: async (typed, _others, ctx) =>
        [...(await workspace.named(ctx)).keys()].filter((name) => name.startsWith(typed)),
      revision: async (typed, { repository }, ctx) => {
        const opened = await open(repository, ctx)
        return opened === undefined ? [] : revisionsLike(opened, typed)
      },
      path: async (typed, { repository, revision }, ctx) => {
        const opened = await open(repository, ctx)
        return opened === undefined ? [] : pathsLike(opened, revision ?? 'HEAD', typed)
      },
    },
    async read({ variables: { repository, revision, path } }, ctx) {
      const opened = await open(repository, ctx)
      if (opened === undefined) return undefined
      const blob = await findObject(
        opened.git,
        `${await findCommit(opened.git, revision)}:${insidePath(opened, path)}`,
      ).catch(() => undefined)
      if (blob?.type !== 'blob' || blob.size > maxFileBytes) return undefined
      const bytes = await opened.git.bytes(['cat-file', 'blob', blob.id])
      return bytes.includes(0)
        ? { blob: bytes, mimeType: 'application/octet-stream' }
        : { text: bytes.toString('utf8'), mimeType: 'text/plain' }
    },
  })
}

async function revisionsLike({ git }: Repository, typed: string): Promise<string[]> {
  const args = ['for-each-ref', '--format=%(refname)', 'refs/heads', 'refs/tags', 'refs/remotes']
  const names = (await git.text(args)).split('\n').map((ref) => ref.replace(/^refs\/(?:heads|tags|remotes)\//, ''))
  return ['HEAD', ...names].filter((name) => name !== '' && name.startsWith(typed))
}

/** The files and folders one level below the folder that was typed. */
async function pathsLike({ git }: Repository, revision: string, typed: string): Promise<string[]> {
  const folder = typed.slice(0, typed.lastIndexOf('/') + 1)
  const commit = await findCommit(git, revision).catch(() => undefined)
  if (commit === undefined || folder.startsWith('/')) return []
  const args = ['--literal-pathspecs', 'ls-tree', '-z', '--full-tree', commit, '--', ...(folder === '' ? [] : [folder])]
  const entries = (await git.text(args)).split('\0').filter((line) => line !== '')
  const names = entries.map((line) => `${line.slice(line.indexOf('\t') + 1)}${line.includes(' tree ') ? '/' : ''}`)
  return names.filter((name) => name.startsWith(typed))
}
