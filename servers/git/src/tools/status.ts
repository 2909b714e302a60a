import type { ServerTool } from '@tenon/sdk/server'
import { z } from 'zod'
import { moreText } from '../formats/page.ts'
import { type FileStatus, parseStatus } from '../formats/status-format.ts'
import { needWorkTree } from '../repositories/names.ts'
import { nextOffset, offsetParameter, reads, repositoryTool, result } from '../repositories/repository-tool.ts'
import type { Workspace } from '../repositories/workspace.ts'

const pageSize = 500

export const statusTool = (workspace: Workspace): ServerTool =>
  repositoryTool(workspace, {
    name: 'git_status',
    title: 'Status',
    description: `Shows the working tree status: the branch, and the changed files, ${pageSize} at a time.`,
    hints: reads,
    input: { offset: offsetParameter },
    output: z.object({
      branch: z.string().nullable().describe('Null if HEAD is detached'),
      commit: z.string().nullable().describe('Null before the first commit'),
      upstream: z.string().optional(),
      ahead: z.int().optional(),
      behind: z.int().optional(),
      files: z.array(
        z.object({
          path: z.string(),
          old_path: z.string().optional(),
          staged: z.string().optional().describe('modified, added, deleted, renamed, copied or type changed'),
          unstaged: z.string().optional(),
          kind: z.enum(['tracked', 'untracked', 'conflict']),
        }),
      ),
      total: z.int(),
      next_offset: nextOffset,
    }),
    async run(repository, { offset }) {
      needWorkTree(repository)
      const args = [
        'status',
        '--porcelain=v2',
        '--branch',
        '-z',
        '--untracked-files=normal',
        '--ignore-submodules=dirty',
      ]
      const { files: all, ...head } = parseStatus(await repository.git.text(args))
      const files = all.slice(offset, offset + pageSize)
      const next = offset + pageSize < all.length ? offset + pageSize : undefined
      const structured = { ...head, files, total: all.length, ...(next !== undefined && { next_offset: next }) }
      return result(['Repository status:', headline(head), ...groups(files), ...moreText(next)], structured)
    },
  })

function headline({
  branch,
  commit,
  upstream,
  ahead = 0,
  behind = 0,
}: Omit<ReturnType<typeof parseStatus>, 'files'>): string {
  const at = branch === null ? `HEAD detached at ${commit?.slice(0, 10)}` : `On branch ${branch}`
  const tracked = upstream === undefined ? '' : ` (${upstream}: ${ahead} ahead, ${behind} behind)`
  return `${at}${tracked}${commit === null ? '\nNo commits yet' : ''}`
}

function groups(files: readonly FileStatus[]): string[] {
  const shown = (file: FileStatus, change: string): string =>
    `  ${change}: ${file.old_path === undefined ? '' : `${file.old_path} -> `}${file.path}`
  const group = (title: string, lines: string[]): string[] => (lines.length === 0 ? [] : [title, ...lines])
  const lines = [
    ...group(
      'Conflicts:',
      files.filter(({ kind }) => kind === 'conflict').map(({ path }) => `  ${path}`),
    ),
    ...group(
      'Changes to be committed:',
      files.flatMap((file) => (file.staged ? [shown(file, file.staged)] : [])),
    ),
    ...group(
      'Changes not staged for commit:',
      files.flatMap((file) => (file.unstaged ? [shown(file, file.unstaged)] : [])),
    ),
    ...group(
      'Untracked files:',
      files.filter(({ kind }) => kind === 'untracked').map(({ path }) => `  ${path}`),
    ),
  ]
  return lines.length === 0 ? ['nothing to commit, working tree clean'] : lines
}
