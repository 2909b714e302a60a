import { type ServerTool, ToolError } from '@tenon/sdk/server'
import { z } from 'zod'
import { moreText } from '../formats/page.ts'
import { checkRefName, findCommit, needWorkTree, refExists, revisionText } from '../repositories/names.ts'
import { nextOffset, offsetParameter, reads, repositoryTool, result, writes } from '../repositories/repository-tool.ts'
import type { Workspace } from '../repositories/workspace.ts'

const pageSize = 500
const folders = new Map([
  ['local', ['refs/heads']],
  ['remote', ['refs/remotes']],
  ['all', ['refs/heads', 'refs/remotes']],
])
const fields = [
  'refname',
  'objectname',
  'HEAD',
  'upstream:short',
  'symref',
  'committerdate:iso-strict',
  'contents:subject',
]

export const branchTools = (workspace: Workspace): ServerTool[] => [
  repositoryTool(workspace, {
    name: 'git_branch',
    title: 'Branches',
    description: `Lists branches, ${pageSize} at a time`,
    hints: reads,
    input: {
      branch_type: z
        .string()
        .max(20)
        .default('local')
        .describe("Local branches ('local'), remote branches ('remote') or all branches ('all')"),
      contains: revisionText.optional().describe('Only branches that contain this commit'),
      not_contains: revisionText.optional().describe('Only branches that do not contain this commit'),
      offset: offsetParameter,
    },
    output: z.object({
      branches: z.array(
        z.object({
          name: z.string(),
          remote: z.boolean(),
          current: z.boolean(),
          commit: z.string(),
          date: z.string(),
          subject: z.string(),
          upstream: z.string().optional(),
        }),
      ),
      total: z.int(),
      next_offset: nextOffset,
    }),
    async run({ git }, { branch_type, contains, not_contains, offset }) {
      const where = folders.get(branch_type)
      if (where === undefined)
        throw new ToolError(`branch_type: expected local, remote or all, got ${JSON.stringify(branch_type)}`)
      const only = [
        ...(contains === undefined ? [] : [`--contains=${await findCommit(git, contains)}`]),
        ...(not_contains === undefined ? [] : [`--no-contains=${await findCommit(git, not_contains)}`]),
      ]
      const format = `--format=${fields.map((field) => `%(${field})`).join('%00')}`
      const lines = (await git.text(['for-each-ref', format, ...only, ...where]))
        .split('\n')
        .filter((line) => line !== '')
      const all = lines.map(toBranch).filter((branch) => branch !== undefined)
      const branches = all.slice(offset, offset + pageSize)
      const next = offset + pageSize < all.length ? offset + pageSize : undefined
      const text = branches.map(
        ({ current, remote, name }) =>
          `${current ? '*' : ' '} ${remote && branch_type === 'all' ? 'remotes/' : ''}${name}`,
      )
      return result([...text, ...moreText(next)], {
        branches,
        total: all.length,
        ...(next !== undefined && { next_offset: next }),
      })
    },
  }),
  repositoryTool(workspace, {
    name: 'git_create_branch',
    title: 'Create a branch',
    description: 'Creates a new branch from an optional base branch, without switching to it',
    hints: writes(false, false),
    input: {
      branch_name: z.string().min(1).max(250),
      base_branch: revisionText.optional().describe('A branch, tag or commit. Default: HEAD'),
    },
    output: z.object({ branch: z.string(), commit: z.string() }),
    async run({ git }, { branch_name, base_branch }) {
      await checkRefName(git, branch_name, 'heads')
      const commit = await findCommit(git, base_branch ?? 'HEAD')
      if (await refExists(git, `refs/heads/${branch_name}`))
        throw new ToolError(`The branch ${JSON.stringify(branch_name)} exists already.`)
      await git.text(['branch', '--no-track', '--', branch_name, commit])
      return result(`Created the branch ${branch_name} at ${commit}`, { branch: branch_name, commit })
    },
  }),
  repositoryTool(workspace, {
    name: 'git_checkout',
    title: 'Switch branches',
    description:
      'Switches to a branch, or to a tag or commit with HEAD detached. Changes that would be overwritten stop it.',
    hints: writes(false, true),
    input: { branch_name: revisionText },
    output: z.object({ branch: z.string().nullable(), commit: z.string() }),
    async run(repository, { branch_name }) {
      needWorkTree(repository)
      const { git } = repository
      const commit = await findCommit(git, branch_name)
      const isBranch = await refExists(git, `refs/heads/${branch_name}`)
      const target = isBranch ? [branch_name] : ['--detach', commit]
      // By default git replaces files that it ignores, such as those with the user's secrets, without a word.
      const options = ['--quiet', '--no-guess', '--no-recurse-submodules', '--no-overwrite-ignore']
      await git.text(['checkout', ...options, ...target, '--'])
      return result(isBranch ? `Switched to branch ${branch_name} at ${commit}` : `HEAD is detached at ${commit}`, {
        branch: isBranch ? branch_name : null,
        commit,
      })
    },
  }),
]

type Branch = {
  name: string
  remote: boolean
  current: boolean
  commit: string
  date: string
  subject: string
  upstream?: string
}

function toBranch(line: string): Branch | undefined {
  const [refname, commit, head, upstream, symref, date, ...subject] = line.split('\0')
  const remote = refname!.startsWith('refs/remotes/')
  // `origin/HEAD` is another name of a branch that is listed too.
  if (symref !== '') return undefined
  return {
    name: refname!.split('/').slice(2).join('/'),
    remote,
    current: head === '*',
    commit: commit!,
    date: date!,
    subject: subject.join('\0'),
    ...(upstream !== '' && { upstream: upstream! }),
  }
}
