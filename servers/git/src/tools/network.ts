import { mkdir, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { type RequestContext, type ServerTool, ToolError, tool } from '@tenon/sdk/server'
import { z } from 'zod'
import { protocolsOf } from '../git-settings.ts'
import { checkRefName, refExists } from '../repositories/names.ts'
import { maskedUrl, remotesOf } from '../repositories/remotes.ts'
import { repositoryTool, result, writes } from '../repositories/repository-tool.ts'
import type { Repository, Workspace } from '../repositories/workspace.ts'
import { Git, type RunOptions } from '../safe-git/git.ts'

const networkTimeoutMs = 600_000
const remoteName = z.string().min(1).max(250).default('origin').describe('A remote of git_remotes')

/** The tools that reach other machines. For clients each exists only while the operator allows it. */
export const networkTools = (workspace: Workspace): ServerTool[] => [
  fetchTool(workspace),
  pushTool(workspace),
  cloneTool(workspace),
]

const fetchTool = (workspace: Workspace): ServerTool =>
  repositoryTool(workspace, {
    name: 'git_fetch',
    isAllowed: () => workspace.settings.allowFetch,
    title: 'Fetch',
    description: 'Downloads new commits of a remote. Neither branches nor files change.',
    hints: writes(false, true, true),
    input: { remote: remoteName },
    output: z.object({ updated: z.array(z.string()) }),
    async run(repository, { remote }, ctx) {
      checkRemote(repository, remote)
      const before = await remoteRefs(repository, remote)
      const options = ['--progress', '--no-recurse-submodules', '--no-auto-maintenance', '--no-write-commit-graph']
      await repository.git.text(['fetch', ...options, '--', remote], reporting(workspace, ctx))
      const after = await remoteRefs(repository, remote)
      const updated = [...after].filter(([name, commit]) => before.get(name) !== commit).map(([name]) => name)
      return result(updated.length === 0 ? 'Nothing new.' : `Updated: ${updated.join(', ')}`, { updated })
    },
  })

const pushTool = (workspace: Workspace): ServerTool =>
  repositoryTool(workspace, {
    name: 'git_push',
    isAllowed: () => workspace.settings.allowPush,
    title: 'Push',
    description: 'Uploads a branch to the branch of the same name at a remote. It never overwrites commits there.',
    hints: writes(true, true, true),
    input: { branch: z.string().min(1).max(250), remote: remoteName },
    output: z.object({ branch: z.string(), remote: z.string() }),
    async run(repository, { branch, remote }, ctx) {
      checkRemote(repository, remote)
      await checkRefName(repository.git, branch, 'heads')
      const ref = `refs/heads/${branch}`
      if (!(await refExists(repository.git, ref))) throw new ToolError(`There is no branch ${JSON.stringify(branch)}.`)
      const options = ['--progress', '--no-verify', '--recurse-submodules=no', '--no-signed', '--no-follow-tags']
      await repository.git.text(['push', ...options, '--', remote, `${ref}:${ref}`], reporting(workspace, ctx))
      return result(`Pushed ${branch} to ${remote}.`, { branch, remote })
    },
  })

const cloneTool = (workspace: Workspace): ServerTool =>
  tool({
    name: 'git_clone',
    visible: () => workspace.settings.cloneInto !== undefined,
    title: 'Clone',
    description:
      'Downloads a repository into a new folder, where the operator allows it. Submodules are not downloaded.',
    annotations: writes(false, false, true),
    input: z.object({
      url: z.string().min(1).max(2_000).describe('Address of the repository'),
      folder: z.string().min(1).max(200).optional().describe('Name of the new folder. Default: as in the address'),
    }),
    output: z.object({ path: z.string(), branch: z.string().nullable() }),
    async run({ url, folder }, ctx) {
      const name = folder ?? basename(url.replace(/[/\\]+$/, '')).replace(/\.git$/, '')
      if (!/^[\w][\w.+-]*$/.test(name))
        throw new ToolError(`folder: expected a plain name, got ${JSON.stringify(name)}`)
      if (url.startsWith('-')) throw new ToolError('url: expected an address')
      const cloneInto = workspace.settings.cloneInto!
      const path = join(cloneInto, name)
      return workspace.exclusively(path, async () => {
        if (await stat(path).catch(() => undefined)) throw new ToolError(`${path} exists already.`)
        await mkdir(cloneInto, { recursive: true })
        const branch = await clone(workspace, ctx, url, path)
        return result(`Cloned ${maskedUrl(url)} into ${path}`, { path, branch })
      })
    },
  })

/** Files are checked out in a second step, which shows git no config but ours. */
async function clone(workspace: Workspace, ctx: RequestContext, url: string, path: string): Promise<string | null> {
  const { program, settings } = workspace
  const outside = new Git(
    { program, folder: settings.cloneInto!, variables: {}, timeoutMs: settings.timeout },
    ctx.signal,
  )
  try {
    const options = ['--progress', '--no-checkout', '--template=', '--no-recurse-submodules', '--no-local']
    await outside.text(['clone', ...options, '--', url, path], reporting(workspace, ctx))
    const { git } = await workspace.open(path, ctx)
    const branch = (await git.text(['symbolic-ref', '--quiet', '--short', 'HEAD'], { accept: [0, 1] })).trim()
    const hasCommit = (await git.code(['rev-parse', '--verify', '--quiet', 'HEAD'], [0, 1, 128])) === 0
    if (hasCommit) await git.text(['reset', '--quiet', '--hard', '--no-recurse-submodules'])
    return branch === '' ? null : branch
  } catch (error) {
    await rm(path, { recursive: true, force: true })
    throw error
  }
}

function checkRemote({ shadow }: Repository, name: string): void {
  const names = remotesOf(shadow.entries).map((remote) => remote.name)
  if (!names.includes(name) || name.startsWith('-')) {
    throw new ToolError(`There is no remote ${JSON.stringify(name)}. Known: ${names.join(', ') || 'none'}.`)
  }
}

async function remoteRefs({ git }: Repository, remote: string): Promise<Map<string, string>> {
  const lines = await git.text([
    'for-each-ref',
    '--format=%(refname:short)%00%(objectname)',
    `refs/remotes/${remote}`,
    'refs/tags',
  ])
  return new Map(lines.split('\n').flatMap((line) => (line === '' ? [] : [line.split('\0') as [string, string]])))
}

/** Options of a command that uses the network; its percentages become progress. */
function reporting(workspace: Workspace, ctx: RequestContext): RunOptions {
  let done = 0
  return {
    network: { protocols: protocolsOf(workspace.settings), timeoutMs: networkTimeoutMs },
    onMessage(line) {
      if (/\d+%/.test(line)) void ctx.progress(++done, undefined, line.slice(0, 200))
    },
  }
}
