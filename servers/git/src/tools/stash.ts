import { type ServerTool, ToolError } from '@tenon/sdk/server'
import { z } from 'zod'
import { needWorkTree } from '../repositories/names.ts'
import { reads, repositoryTool, result, writes } from '../repositories/repository-tool.ts'
import type { Workspace } from '../repositories/workspace.ts'
import type { Git } from '../safe-git/git.ts'

const maxListed = 200
const position = z.int().min(0).max(100_000).default(0).describe('Its number in git_stash_list; 0 is the newest')
const entrySchema = z.object({ index: z.int(), commit: z.string(), date: z.string(), message: z.string() })

export const stashTools = (workspace: Workspace): ServerTool[] => [
  repositoryTool(workspace, {
    name: 'git_stash_list',
    title: 'Stashed changes',
    description: `Lists the newest ${maxListed} stashed changes. git_show with "stash@{0}" shows one.`,
    hints: reads,
    output: z.object({ stashes: z.array(entrySchema) }),
    async run({ git }) {
      const stashes = await listStashes(git)
      const text = stashes.map(({ index, date, message }) => `stash@{${index}} ${date.slice(0, 10)} ${message}`)
      return result(text.length === 0 ? 'Nothing is stashed.' : text, { stashes })
    },
  }),
  repositoryTool(workspace, {
    name: 'git_stash_push',
    title: 'Stash changes',
    description: 'Puts the changes of the working tree and the staging area aside, and leaves both as in HEAD',
    hints: writes(false, false),
    input: {
      message: z.string().min(1).max(1_000).optional(),
      include_untracked: z.boolean().default(false).describe('Untracked files too'),
    },
    output: entrySchema,
    async run(repository, { message, include_untracked }) {
      needWorkTree(repository)
      const git = await repository.author()
      const [before] = await listStashes(git)
      const options = [
        ...(include_untracked ? ['--include-untracked'] : []),
        ...(message === undefined ? [] : [`--message=${message}`]),
      ]
      await git.text(['stash', 'push', '--quiet', ...options])
      const [made] = await listStashes(git)
      if (made === undefined || made.commit === before?.commit) throw new ToolError('There was nothing to stash.')
      return result(`Stashed as stash@{0}: ${made.message}`, made)
    },
  }),
  repositoryTool(workspace, {
    name: 'git_stash_apply',
    title: 'Bring stashed changes back',
    description: 'Applies stashed changes to the working tree. Changes that would be overwritten stop it.',
    hints: writes(false, false),
    input: {
      index: position,
      drop: z.boolean().default(false).describe('Remove it from the list if it applied cleanly'),
    },
    output: z.object({ applied: z.string(), dropped: z.boolean() }),
    async run(repository, { index, drop }) {
      needWorkTree(repository)
      const git = await repository.author()
      const { commit } = await stashAt(git, index)
      await git.text(['stash', drop ? 'pop' : 'apply', '--quiet', `stash@{${index}}`])
      return result(`Applied stash@{${index}}${drop ? ' and dropped it' : ''}.`, { applied: commit, dropped: drop })
    },
  }),
  repositoryTool(workspace, {
    name: 'git_stash_drop',
    title: 'Drop stashed changes',
    description: 'Deletes stashed changes',
    hints: writes(true, false),
    input: { index: position },
    output: z.object({ dropped: z.string() }),
    async run({ git }, { index }) {
      const { commit } = await stashAt(git, index)
      await git.text(['stash', 'drop', '--quiet', `stash@{${index}}`])
      return result(`Dropped stash@{${index}}, which was ${commit}.`, { dropped: commit })
    },
  }),
]

async function listStashes(git: Git): Promise<z.infer<typeof entrySchema>[]> {
  const args = [
    'stash',
    'list',
    '-z',
    `--max-count=${maxListed}`,
    '--format=tformat:%H%x01%cI%x01%gs',
    '--no-show-signature',
  ]
  const records = (await git.text(args)).split('\0').filter((record) => record !== '')
  return records.map((record, index) => {
    const [commit, date, ...message] = record.split('\x01')
    return { index, commit: commit!, date: date!, message: message.join('\x01') }
  })
}

async function stashAt(git: Git, index: number): Promise<z.infer<typeof entrySchema>> {
  const found = (await listStashes(git))[index]
  if (found === undefined) throw new ToolError(`There is no stash@{${index}}. git_stash_list lists them.`)
  return found
}
