import { type ServerTool, ToolError } from '@tenon/sdk/server'
import { z } from 'zod'
import { commitSchema, commitText, readCommits } from '../formats/commit-format.ts'
import { moreText } from '../formats/page.ts'
import { findCommit, pathspecs, pathText, revisionText } from '../repositories/names.ts'
import { nextOffset, offsetParameter, reads, repositoryTool, result } from '../repositories/repository-tool.ts'
import type { Workspace } from '../repositories/workspace.ts'

const formats =
  "ISO 8601 (e.g., '2024-01-15T14:30:25'), a date ('2024-01-15', 'Jan 15 2024') or a relative one ('2 weeks ago', 'yesterday')"

const shortText = z.string().min(1).max(500)

export const logTool = (workspace: Workspace): ServerTool =>
  repositoryTool(workspace, {
    name: 'git_log',
    title: 'Log',
    description: 'Shows the commit logs, newest first',
    hints: reads,
    input: {
      max_count: z
        .int()
        .min(1)
        .max(100_000)
        .default(10)
        .describe('How many commits; the size of a page may end it earlier'),
      start_timestamp: shortText.optional().describe(`Commits from this time on: ${formats}`),
      end_timestamp: shortText.optional().describe(`Commits up to this time: ${formats}`),
      revision: revisionText.optional().describe('Begin at this branch, tag or commit. Default: HEAD'),
      paths: z.array(pathText).max(1_000).optional().describe('Only commits that change these files and folders'),
      author: shortText.optional().describe('Only commits whose author contains this text'),
      grep: shortText.optional().describe('Only commits whose message contains this text'),
      offset: offsetParameter,
    },
    output: z.object({ commits: z.array(commitSchema), next_offset: nextOffset }),
    async run(repository, input) {
      const { max_count, start_timestamp, end_timestamp, author, grep, offset } = input
      for (const [name, value] of Object.entries({ start_timestamp, end_timestamp })) {
        if (value?.startsWith('-')) throw new ToolError(`${name}: expected a time, got ${JSON.stringify(value)}`)
      }
      const start = input.revision === undefined ? 'HEAD' : await findCommit(repository.git, input.revision)
      const { commits, isCut } = await readCommits(
        repository.git,
        [
          `--max-count=${max_count + 1}`,
          `--skip=${offset}`,
          '--fixed-strings',
          '--regexp-ignore-case',
          ...option('since', start_timestamp),
          ...option('until', end_timestamp),
          ...option('author', author),
          ...option('grep', grep),
          start,
          '--',
          ...pathspecs(repository, input.paths ?? []),
        ],
        workspace.settings.maxOutput,
      )
      const shown = commits.slice(0, max_count)
      const next = isCut || commits.length > max_count ? offset + shown.length : undefined
      return result(['Commit history:', ...shown.map((commit) => `${commitText(commit)}\n`), ...moreText(next)], {
        commits: shown,
        ...(next !== undefined && { next_offset: next }),
      })
    },
  })

const option = (name: string, value: string | undefined): string[] =>
  value === undefined ? [] : [`--${name}=${value}`]
