import type { RequestContext, ServerTool } from '@tenon/sdk/server'
import { ToolError, tool } from '@tenon/sdk/server'
import { z } from 'zod'
import { moreText } from '../formats/page.ts'
import { checkRefName, findCommit, refExists, revisionText } from '../repositories/names.ts'
import { remotesOf } from '../repositories/remotes.ts'
import { locateRepository } from '../repositories/repository.ts'
import { nextOffset, offsetParameter, reads, repositoryTool, result, writes } from '../repositories/repository-tool.ts'
import type { Workspace } from '../repositories/workspace.ts'

const pageSize = 500

export const listTools = (workspace: Workspace): ServerTool[] => [
  tool({
    name: 'git_repositories',
    title: 'Repositories',
    description: 'Lists the repositories and folders that this server may use',
    annotations: reads,
    output: z.object({ repositories: z.array(z.object({ path: z.string(), is_repository: z.boolean() })) }),
    async run(_input, ctx) {
      const repositories = await allowedRepositories(workspace, ctx)
      const text = repositories.map(({ path, is_repository }) =>
        is_repository ? path : `${path} (a folder: repositories in it may be used)`,
      )
      return result(text.length === 0 ? 'None is allowed.' : text, { repositories })
    },
  }),
  repositoryTool(workspace, {
    name: 'git_tags',
    title: 'Tags',
    description: `Lists tags, newest first, ${pageSize} at a time`,
    hints: reads,
    input: { offset: offsetParameter },
    output: z.object({
      tags: z.array(
        z.object({
          name: z.string(),
          commit: z.string(),
          date: z.string(),
          annotated: z.boolean(),
          subject: z.string(),
        }),
      ),
      total: z.int(),
      next_offset: nextOffset,
    }),
    async run({ git }, { offset }) {
      const format =
        '--format=%(refname:strip=2)%00%(objecttype)%00%(objectname)%00%(*objectname)%00%(creatordate:iso-strict)%00%(contents:subject)'
      const lines = (await git.text(['for-each-ref', '--sort=-creatordate', format, 'refs/tags']))
        .split('\n')
        .filter((line) => line !== '')
      const all = lines.map((line) => {
        const [name, type, id, target, date, ...subject] = line.split('\0')
        return {
          name: name!,
          commit: target || id!,
          date: date!,
          annotated: type === 'tag',
          subject: subject.join('\0'),
        }
      })
      const tags = all.slice(offset, offset + pageSize)
      const next = offset + pageSize < all.length ? offset + pageSize : undefined
      const text = tags.map(({ name, date, subject }) => `${name} ${date.slice(0, 10)} ${subject}`)
      return result(text.length === 0 ? 'There are no tags.' : [...text, ...moreText(next)], {
        tags,
        total: all.length,
        ...(next !== undefined && { next_offset: next }),
      })
    },
  }),
  repositoryTool(workspace, {
    name: 'git_create_tag',
    title: 'Create a tag',
    description: 'Creates a tag, annotated if it has a message. It is not signed.',
    hints: writes(false, false),
    input: {
      tag_name: z.string().min(1).max(250),
      revision: revisionText.default('HEAD'),
      message: z.string().min(1).max(100_000).optional(),
    },
    output: z.object({ tag: z.string(), commit: z.string() }),
    async run(repository, { tag_name, revision, message }) {
      const git = await repository.author()
      await checkRefName(git, tag_name, 'tags')
      const commit = await findCommit(git, revision)
      if (await refExists(git, `refs/tags/${tag_name}`))
        throw new ToolError(`The tag ${JSON.stringify(tag_name)} exists already.`)
      const kind = message === undefined ? [] : ['--annotate', '--cleanup=whitespace', '--file=-']
      await git.text(
        ['tag', '--no-sign', ...kind, '--', tag_name, commit],
        message === undefined ? {} : { input: message },
      )
      return result(`Created the tag ${tag_name} at ${commit}`, { tag: tag_name, commit })
    },
  }),
  repositoryTool(workspace, {
    name: 'git_worktrees',
    title: 'Worktrees',
    description: 'Lists the working trees of the repository',
    hints: reads,
    output: z.object({
      worktrees: z.array(
        z.object({
          path: z.string(),
          commit: z.string().optional(),
          branch: z.string().optional(),
          locked: z.boolean(),
        }),
      ),
    }),
    async run(repository) {
      const text = await repository.git.text(['worktree', 'list', '--porcelain', '-z'])
      const shadow = repository.shadow.folder.replace(/[\\/]\.git$/, '')
      const main = repository.commonDir.replace(/[\\/]\.git$/, '')
      const worktrees = text
        .split('\0\0')
        .filter((record) => record !== '')
        .map((record) => {
          const facts = new Map(
            record.split('\0').map((line) => [line.split(' ')[0]!, line.slice(line.indexOf(' ') + 1)]),
          )
          const path = facts.get('worktree')!
          const [commit, branch] = [facts.get('HEAD'), facts.get('branch')?.replace('refs/heads/', '')]
          return {
            path: path === shadow ? main : path,
            ...(commit !== undefined && { commit }),
            ...(branch !== undefined && { branch }),
            locked: facts.has('locked'),
          }
        })
      return result(
        worktrees.map(({ path, branch, commit }) => `${path} ${branch ?? commit ?? ''}`),
        { worktrees },
      )
    },
  }),
  repositoryTool(workspace, {
    name: 'git_remotes',
    title: 'Remotes',
    description: 'Lists the remotes of the repository and their addresses. Passwords in addresses are masked.',
    hints: reads,
    output: z.object({
      remotes: z.array(z.object({ name: z.string(), urls: z.array(z.string()), push_urls: z.array(z.string()) })),
    }),
    async run({ shadow }) {
      const remotes = remotesOf(shadow.entries)
      return result(
        remotes.length === 0 ? 'There are no remotes.' : remotes.map(({ name, urls }) => `${name} ${urls.join(' ')}`),
        { remotes },
      )
    },
  }),
]

async function allowedRepositories(
  workspace: Workspace,
  ctx: RequestContext,
): Promise<{ path: string; is_repository: boolean }[]> {
  const allowed = await workspace.allowed(ctx)
  return Promise.all(
    allowed.map(async (path) => ({
      path,
      is_repository: await locateRepository(path, allowed).then(
        () => true,
        () => false,
      ),
    })),
  )
}
