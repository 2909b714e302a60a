import { type ServerTool, ToolError } from '@tenon/sdk/server'
import { z } from 'zod'
import { parseNumstat, statSchema, statText } from '../formats/stat-format.ts'
import { needWorkTree, pathspecs, pathText } from '../repositories/names.ts'
import { repositoryTool, result, writes } from '../repositories/repository-tool.ts'
import type { Repository, Workspace } from '../repositories/workspace.ts'

const listedFiles = z.object({ files: z.array(z.string()), total: z.int() })
const maxListed = 200

export const changeTools = (workspace: Workspace): ServerTool[] => [
  repositoryTool(workspace, {
    name: 'git_add',
    title: 'Stage files',
    description: 'Adds file contents to the staging area',
    hints: writes(false, true),
    input: {
      files: z.array(pathText).min(1).max(10_000).describe('Paths of files and folders; ["."] stages everything'),
    },
    output: listedFiles,
    async run(repository, { files }) {
      needWorkTree(repository)
      const where = pathspecs(repository, files)
      const before = await stagedEntries(repository, where)
      const submodules = await submodulePaths(repository)
      // Git would run git in a submodule to look for changes, and with it the programs that the submodule names.
      const spared = submodules.map((path) => `:(top,exclude,literal)${path}`)
      await refuseFiltered(repository, [...where, ...spared])
      await repository.git.text(['add', '--pathspec-from-file=-', '--pathspec-file-nul'], {
        input: [...where, ...spared].map((spec) => `${spec}\0`).join(''),
      })
      const after = await stagedEntries(repository, where)
      const changed = changedKeys(before, after)
      const structured = { files: changed.slice(0, maxListed), total: changed.length }
      if (changed.length > 0) return result(`Staged: ${listText(changed)}`, structured)
      return result('Nothing was staged: these paths have no new changes. git_status lists changes.', structured)
    },
  }),
  repositoryTool(workspace, {
    name: 'git_reset',
    title: 'Unstage everything',
    description: 'Unstages all staged changes. Files in the working tree stay as they are.',
    hints: writes(true, true),
    output: listedFiles,
    async run(repository) {
      needWorkTree(repository)
      const staged = await stagedNames(repository)
      await repository.git.text(['reset', '--quiet', '--mixed', '--no-recurse-submodules'])
      const structured = { files: staged.slice(0, maxListed), total: staged.length }
      return result(staged.length === 0 ? 'Nothing was staged.' : `Unstaged: ${listText(staged)}`, structured)
    },
  }),
  repositoryTool(workspace, {
    name: 'git_commit',
    title: 'Commit',
    description:
      'Records the staged changes in a new commit. Hooks of the repository do not run, and nothing is signed.',
    hints: writes(false, false),
    input: { message: z.string().min(1).max(100_000).describe('The message: a subject, an empty line, a body') },
    output: z.object({ commit: z.string(), branch: z.string().nullable(), stat: statSchema }),
    async run(repository, { message }) {
      needWorkTree(repository)
      const git = await repository.author()
      if (message.trim() === '') throw new ToolError('message: expected some text')
      await git
        .text(['commit', '--quiet', '--no-verify', '--no-gpg-sign', '--cleanup=whitespace', '--file=-'], {
          input: message,
        })
        .catch(explainCommit)
      const commit = (await git.text(['rev-parse', '--verify', 'HEAD'])).trim()
      const branch = (await git.text(['symbolic-ref', '--quiet', '--short', 'HEAD'], { accept: [0, 1] })).trim() || null
      const args = [
        'diff-tree',
        '--root',
        '--no-commit-id',
        '--numstat',
        '-r',
        '-z',
        '--no-ext-diff',
        '--no-textconv',
        'HEAD',
      ]
      const stat = parseNumstat(await git.text(args))
      return result([`Committed ${commit}${branch === null ? '' : ` on ${branch}`}`, ...statText(stat)], {
        commit,
        branch,
        stat,
      })
    },
  }),
]

function explainCommit(error: Error): never {
  if (/identity unknown|tell me who you are|no email was given/i.test(error.message)) {
    throw new ToolError('There is no author: the user sets user.name and user.email with git config.')
  }
  // Git lists changes on standard output in this case, and says nothing else.
  if (/failed with exit code 1$/.test(error.message)) {
    throw new ToolError('There is nothing to commit: no changes are staged. git_add stages files.')
  }
  throw error
}

/** A content filter of the repository is not run, so what it would have made must not be replaced by raw contents. */
async function refuseFiltered(repository: Repository, where: readonly string[]): Promise<void> {
  const args = ['ls-files', '-z', '--modified', '--others', '--exclude-standard', '--', ...where]
  const paths = await repository.git.text(args)
  const attributes = await repository.git.text(['check-attr', '-z', '--stdin', 'filter'], { input: paths })
  const fields = attributes.split('\0')
  const filtered: string[] = []
  for (let index = 0; index + 2 < fields.length; index += 3) {
    if (!['unspecified', 'unset', 'set'].includes(fields[index + 2]!))
      filtered.push(`${fields[index]} (${fields[index + 2]})`)
  }
  if (filtered.length === 0) return
  throw new ToolError(
    `These files go through a content filter, which this server does not run: ${listText(filtered)}. Stage them with git itself.`,
  )
}

/** Mode, object and stage of the index entries by path. */
async function stagedEntries({ git }: Repository, where: readonly string[]): Promise<Map<string, string>> {
  const entries = (await git.text(['ls-files', '--stage', '-z', '--', ...where]))
    .split('\0')
    .filter((line) => line !== '')
  return new Map(entries.map((entry) => [entry.slice(entry.indexOf('\t') + 1), entry.slice(0, entry.indexOf('\t'))]))
}

const changedKeys = (before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] => [
  ...[...after.keys()].filter((path) => before.get(path) !== after.get(path)),
  ...[...before.keys()].filter((path) => !after.has(path)),
]

async function submodulePaths({ git }: Repository): Promise<string[]> {
  const entries = (await git.text(['ls-files', '--stage', '-z']))
    .split('\0')
    .filter((line) => line.startsWith('160000 '))
  return entries.map((entry) => entry.slice(entry.indexOf('\t') + 1))
}

async function stagedNames({ git }: Repository): Promise<string[]> {
  const args = [
    'diff',
    '--cached',
    '--name-only',
    '-z',
    '--no-ext-diff',
    '--no-textconv',
    '--ignore-submodules=dirty',
    '--no-renames',
  ]
  return (await git.text(args)).split('\0').filter((name) => name !== '')
}

const listText = (names: readonly string[]): string =>
  names.length <= 20 ? names.join(', ') : `${names.slice(0, 20).join(', ')} and ${names.length - 20} more`
