import type { ServerTool } from '@tenon/sdk/server'
import { z } from 'zod'
import { commitEnd, commitFormat, commitSchema, parseCommit } from '../formats/commit-format.ts'
import { moreText } from '../formats/page.ts'
import { diffPageFields, patchOptions, readDiff } from '../formats/read-diff.ts'
import { pageOf, readLines } from '../formats/read-lines.ts'
import { findObject } from '../repositories/names.ts'
import { offsetParameter, reads, repositoryTool, result } from '../repositories/repository-tool.ts'
import type { Repository, Workspace } from '../repositories/workspace.ts'

export const showTool = (workspace: Workspace): ServerTool =>
  repositoryTool(workspace, {
    name: 'git_show',
    title: 'Show',
    description: 'Shows the contents of a commit, or of a file or directory given as <revision>:<path>',
    hints: reads,
    input: {
      revision: z.string().min(1).max(5_000).describe('A branch, tag or commit, or <revision>:<path>'),
      offset: offsetParameter,
    },
    output: z.object({
      type: z.enum(['commit', 'file', 'directory']),
      commit: commitSchema.optional(),
      ...diffPageFields,
      lines: z.array(z.string()).optional().describe('Of a file'),
      entries: z.array(z.string()).optional().describe('Of a directory; folders end with /'),
    }),
    async run(repository, { revision, offset }) {
      const found = await findObject(repository.git, revision)
      const { maxOutput } = workspace.settings
      if (found.type === 'blob') {
        const { lines, next_offset } = await readLines(
          repository.git,
          ['cat-file', 'blob', found.id],
          offset,
          maxOutput,
        )
        const structured = { type: 'file', files: [], lines, ...(next_offset !== undefined && { next_offset }) }
        return result([...lines, ...moreText(next_offset)], structured)
      }
      if (found.type === 'tree') return showTree(repository, found.id, offset, maxOutput)
      const { id } = found.type === 'tag' ? await findObject(repository.git, revision, '^{commit}') : found
      return showCommit(repository, id, offset, maxOutput)
    },
  })

async function showTree(
  { git }: Repository,
  id: string,
  offset: number,
  maxBytes: number,
): Promise<ReturnType<typeof result>> {
  const listed = (await git.text(['ls-tree', '-z', id])).split('\0').filter((line) => line !== '')
  const names = listed.map((line) => `${line.slice(line.indexOf('\t') + 1)}${line.includes(' tree ') ? '/' : ''}`)
  const { lines: entries, next_offset } = pageOf(names, offset, maxBytes)
  const structured = { type: 'directory', files: [], entries, ...(next_offset !== undefined && { next_offset }) }
  return result([...entries, ...moreText(next_offset)], structured)
}

async function showCommit(
  { git }: Repository,
  id: string,
  offset: number,
  maxBytes: number,
): Promise<ReturnType<typeof result>> {
  // A merge is compared with its first parent, the first commit with nothing.
  const options = ['--max-count=1', '--patch', '--root', '--diff-merges=first-parent', '--no-show-signature']
  const record: string[] = []
  const args = ['log', ...options, ...patchOptions, commitFormat, id, '--']
  let isOver = false
  const { text, ...page } = await readDiff(git, args, offset, maxBytes, (line) => {
    if (isOver) return line.startsWith('diff --git ')
    isOver = line === commitEnd
    if (!isOver) record.push(line)
    return false
  })
  const commit = parseCommit(record.join('\n'))
  const head = [
    `commit ${commit.commit}`,
    `Author: ${commit.author} <${commit.email}>`,
    `Date:   ${commit.date}`,
    '',
    ...commit.message
      .trimEnd()
      .split('\n')
      .map((line) => `    ${line}`),
    '',
  ]
  const lines = [...(offset === 0 ? head : []), ...text, ...moreText(page.next_offset)]
  return result(lines, { type: 'commit', commit, ...page })
}
