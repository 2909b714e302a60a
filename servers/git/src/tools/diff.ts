import type { ServerTool } from '@tenon/sdk/server'
import { z } from 'zod'
import { moreText } from '../formats/page.ts'
import { diffPageFields, patchOptions, readDiff } from '../formats/read-diff.ts'
import { parseNumstat, statSchema, statText } from '../formats/stat-format.ts'
import { findCommit, needWorkTree, pathspecs, pathText } from '../repositories/names.ts'
import { offsetParameter, reads, repositoryTool, result } from '../repositories/repository-tool.ts'
import type { Repository, Workspace } from '../repositories/workspace.ts'
import type { Git } from '../safe-git/git.ts'

const shared = {
  context_lines: z.int().min(0).max(1_000).default(3).describe('Lines of context around a change'),
  paths: z.array(pathText).max(1_000).optional().describe('Only these files and folders'),
  stat_only: z
    .boolean()
    .default(false)
    .describe('Only the changed files and their numbers of lines, without the patch'),
  offset: offsetParameter,
}

type Wanted = { context_lines: number; paths?: string[] | undefined; stat_only: boolean; offset: number }

const output = z.object({ ...diffPageFields, stat: statSchema.optional() })

export const diffTools = (workspace: Workspace): ServerTool[] => [
  repositoryTool(workspace, {
    name: 'git_diff_unstaged',
    title: 'Unstaged changes',
    description: 'Shows changes in the working directory that are not yet staged',
    hints: reads,
    input: shared,
    output,
    run(repository, wanted) {
      needWorkTree(repository)
      return answer(workspace, repository, 'Unstaged changes:', [], wanted)
    },
  }),
  repositoryTool(workspace, {
    name: 'git_diff_staged',
    title: 'Staged changes',
    description: 'Shows changes that are staged for commit',
    hints: reads,
    input: shared,
    output,
    run: (repository, wanted) => answer(workspace, repository, 'Staged changes:', ['--cached'], wanted),
  }),
  repositoryTool(workspace, {
    name: 'git_diff',
    title: 'Compare',
    description:
      'Shows differences between branches or commits: the working tree against the target, or two of them (main..topic, or main...topic since they parted)',
    hints: reads,
    input: {
      target: z.string().min(1).max(1_000).describe('A branch, tag or commit, or two of them with .. between'),
      ...shared,
    },
    output,
    async run(repository, { target, ...wanted }) {
      const compared = await comparedCommits(repository, target)
      return answer(workspace, repository, `Diff with ${target}:`, compared, wanted)
    },
  }),
]

async function comparedCommits(repository: Repository, target: string): Promise<string[]> {
  const { git } = repository
  const [, left, dots, right] = /^(.*?)(\.{2,3})(.*)$/.exec(target) ?? []
  if (dots === undefined) {
    needWorkTree(repository)
    return [await findCommit(git, target)]
  }
  const ends = await Promise.all([left || 'HEAD', right || 'HEAD'].map((revision) => findCommit(git, revision)))
  return dots === '..' ? ends : [await mergeBase(git, ends as [string, string]), ends[1]!]
}

const mergeBase = async (git: Git, ends: [string, string]): Promise<string> =>
  (await git.text(['merge-base', ...ends])).trim()

async function answer(
  workspace: Workspace,
  repository: Repository,
  title: string,
  compared: readonly string[],
  { context_lines, paths, stat_only, offset }: Wanted,
): Promise<ReturnType<typeof result>> {
  const where = [...compared, '--', ...pathspecs(repository, paths ?? [])]
  if (stat_only) {
    const stat = parseNumstat(await repository.git.text(['diff', ...patchOptions, '--numstat', '-z', ...where]))
    return result([title, ...statText(stat)], { files: [], stat })
  }
  const args = ['diff', ...patchOptions, `--unified=${context_lines}`, ...where]
  const { text, ...page } = await readDiff(repository.git, args, offset, workspace.settings.maxOutput)
  return result([title, ...text, ...moreText(page.next_offset)], page)
}
