import { resourceLink, type ServerTool, ToolError, ToolResult } from '@tenon/sdk/server'
import { z } from 'zod'
import { parseBlame } from '../formats/blame-format.ts'
import { moreText } from '../formats/page.ts'
import { pageOf, readLines } from '../formats/read-lines.ts'
import { fileUri } from '../repositories/file-uri.ts'
import { findCommit, findObject, insidePath, pathspecs, pathText, revisionText } from '../repositories/names.ts'
import { nextOffset, offsetParameter, reads, repositoryTool, result } from '../repositories/repository-tool.ts'
import type { Workspace } from '../repositories/workspace.ts'

const revision = revisionText.default('HEAD').describe('A branch, tag or commit')
const maxMatches = 1_000

export const fileTools = (workspace: Workspace): ServerTool[] => [
  repositoryTool(workspace, {
    name: 'git_read_file',
    title: 'File at a revision',
    description:
      'Reads a text file as it is in a branch, tag or commit, in pages of lines. A binary file is answered as a link.',
    hints: reads,
    input: { path: pathText, revision, offset: offsetParameter },
    output: z.object({
      path: z.string(),
      commit: z.string(),
      size: z.int(),
      binary: z.boolean(),
      lines: z.array(z.string()),
      next_offset: nextOffset,
    }),
    async run(repository, { path, revision, offset }) {
      const { git } = repository
      const inside = insidePath(repository, path)
      const commit = await findCommit(git, revision)
      const blob = await findObject(git, `${commit}:${inside}`).catch(() => undefined)
      if (blob?.type !== 'blob')
        throw new ToolError(`There is no file ${JSON.stringify(path)} in ${revision}. git_list_files lists files.`)
      const { lines, next_offset } = await readLines(
        git,
        ['cat-file', 'blob', blob.id],
        offset,
        workspace.settings.maxOutput,
      )
      const binary = lines.some((line) => line.includes('\0'))
      const structured = { path: inside, commit, size: blob.size, binary, lines: binary ? [] : lines }
      if (binary) {
        const link = resourceLink({ uri: fileUri(repository.name, commit, inside), name: inside, size: blob.size })
        return new ToolResult({ content: [`${inside} is a binary file of ${blob.size} bytes.`, link], structured })
      }
      return result([...lines, ...moreText(next_offset)], {
        ...structured,
        ...(next_offset !== undefined && { next_offset }),
      })
    },
  }),
  repositoryTool(workspace, {
    name: 'git_list_files',
    title: 'Files at a revision',
    description: 'Lists the files of a branch, tag or commit, below a folder or everywhere',
    hints: reads,
    input: { revision, path: pathText.optional(), offset: offsetParameter },
    output: z.object({ files: z.array(z.string()), next_offset: nextOffset }),
    async run(repository, { revision, path, offset }) {
      const commit = await findCommit(repository.git, revision)
      const where = path === undefined ? [] : ['--', insidePath(repository, path)]
      const args = ['--literal-pathspecs', 'ls-tree', '-r', '-z', '--name-only', '--full-tree', commit, ...where]
      const listed = (await repository.git.text(args)).split('\0').filter((name) => name !== '')
      const { lines: files, next_offset } = pageOf(listed, offset, workspace.settings.maxOutput)
      return result([...files, ...moreText(next_offset)], { files, ...(next_offset !== undefined && { next_offset }) })
    },
  }),
  repositoryTool(workspace, {
    name: 'git_blame',
    title: 'Blame',
    description: 'Shows the commit that last changed each line of a file',
    hints: reads,
    input: {
      path: pathText,
      revision,
      start_line: z.int().min(1).max(10_000_000).default(1),
      max_lines: z.int().min(1).max(1_000).default(200),
    },
    output: z.object({
      lines: z.array(
        z.object({
          line: z.int(),
          commit: z.string(),
          author: z.string(),
          date: z.string(),
          summary: z.string(),
          text: z.string(),
        }),
      ),
    }),
    async run(repository, { path, revision, start_line, max_lines }) {
      const commit = await findCommit(repository.git, revision)
      const inside = insidePath(repository, path)
      const args = ['blame', '--porcelain', '--no-textconv', `-L${start_line},+${max_lines}`, commit, '--', inside]
      const lines = parseBlame(await repository.git.text(args))
      const text = lines.map(
        ({ line, commit, author, date, text }) =>
          `${commit.slice(0, 10)} ${date.slice(0, 10)} ${author} ${line}: ${text}`,
      )
      return result(text, { lines })
    },
  }),
  repositoryTool(workspace, {
    name: 'git_grep',
    title: 'Search in files',
    description: 'Finds lines in the tracked files of the working tree, or of a branch, tag or commit',
    hints: reads,
    input: {
      pattern: z.string().min(1).max(1_000).describe('Text to find'),
      regex: z.boolean().default(false).describe('The pattern is an extended regular expression'),
      ignore_case: z.boolean().default(false),
      revision: revisionText.optional().describe('Search there instead of in the working tree'),
      paths: z.array(pathText).max(1_000).optional().describe('Only in these files and folders'),
      max_matches: z.int().min(1).max(maxMatches).default(100),
    },
    output: z.object({
      matches: z.array(z.object({ path: z.string(), line: z.int(), text: z.string() })),
      more: z.boolean().describe('There are more matches'),
    }),
    async run(repository, { pattern, regex, ignore_case, revision, paths, max_matches }) {
      const bare = repository.workTree === undefined
      const commit = revision === undefined && !bare ? undefined : await findCommit(repository.git, revision ?? 'HEAD')
      const matches: { path: string; line: number; text: string }[] = []
      const options = [regex ? '--extended-regexp' : '--fixed-strings', ...(ignore_case ? ['--ignore-case'] : [])]
      const shown = [
        '-I',
        '--line-number',
        '--null',
        '--full-name',
        '--no-color',
        '--no-textconv',
        '--no-recurse-submodules',
      ]
      const where = [...(commit === undefined ? [] : [commit]), '--', ...pathspecs(repository, paths ?? [])]
      let more = false
      const take = (line: string): boolean => {
        const [path, number, ...text] = line.split('\0')
        more = matches.length === max_matches
        if (!more)
          matches.push({
            path: commit === undefined ? path! : path!.slice(commit.length + 1),
            line: Number(number),
            text: text.join('\0'),
          })
        return !more
      }
      await repository.git.lines(['grep', ...shown, ...options, '-e', pattern, ...where], take, { accept: [0, 1] })
      const text = matches.map(({ path, line, text }) => `${path}:${line}: ${text}`)
      if (more) text.push(`… more than ${max_matches} matches: narrow the search, or raise max_matches.`)
      return result(text.length === 0 ? 'No match.' : text, { matches, more })
    },
  }),
]
