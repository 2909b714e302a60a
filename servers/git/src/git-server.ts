import type { Server } from '@tenon/sdk/server'
import { type CommonSettings, createReferenceServer, fixedSettings, type LiveSettings, Misuse } from '@tenon/server-kit'
import { defaultGitSettings, type GitSettings } from './git-settings.ts'
import { icon } from './icon.ts'
import { prompts } from './prompts.ts'
import { Workspace } from './repositories/workspace.ts'
import { fileResource } from './resources.ts'
import { findGit } from './safe-git/find-git.ts'
import { branchTools } from './tools/branches.ts'
import { changeTools } from './tools/changes.ts'
import { diffTools } from './tools/diff.ts'
import { fileTools } from './tools/files.ts'
import { listTools } from './tools/lists.ts'
import { logTool } from './tools/log.ts'
import { networkTools } from './tools/network.ts'
import { showTool } from './tools/show.ts'
import { stashTools } from './tools/stash.ts'
import { statusTool } from './tools/status.ts'
import { version } from './version.ts'

export type { GitSettings } from './git-settings.ts'

export type GitServerSettings = GitSettings & Pick<CommonSettings, 'readOnly' | 'confirm'>

/** A server for Git repositories, and the release of what it keeps on disk. */
export interface GitServer {
  readonly server: Server
  close(): Promise<void>
}

/** A server for Git repositories; one definition for any number of clients. */
export const createGitServer = (options: Partial<GitServerSettings> = {}): GitServer =>
  createGitServerWith(fixedSettings({ ...defaultGitSettings, readOnly: false, confirm: false, ...options }))

/** The same with settings that may change while it serves. */
export function createGitServerWith(settings: LiveSettings<GitServerSettings>): GitServer {
  const program = findGit()
  if (program === undefined) throw new Misuse('git is not installed, or not in PATH')
  const workspace = new Workspace(program, settings)
  const server = createReferenceServer(
    {
      name: 'git',
      version,
      title: 'Git',
      description: 'Git repositories: history, changes, branches, files at revisions',
      icons: [icon],
      instructions:
        'git_repositories lists the repositories. Long results have pages: call again with next_offset. Hooks, filters and other programs of a repository never run.',
      tools: [
        statusTool(workspace),
        ...diffTools(workspace),
        ...changeTools(workspace),
        logTool(workspace),
        showTool(workspace),
        ...branchTools(workspace),
        ...fileTools(workspace),
        ...listTools(workspace),
        ...stashTools(workspace),
        ...networkTools(workspace),
      ],
      resources: [fileResource(workspace)],
      prompts,
    },
    settings,
  )
  return { server, close: () => workspace.close() }
}
