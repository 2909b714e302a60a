import type { Server } from '@tenon/sdk/server'
import { createReferenceServer, fixedSettings, type LiveSettings } from '@tenon/server-kit'
import type { Session } from './access/session-folders.ts'
import { FileWatches } from './file-watches.ts'
import { icon } from './icon.ts'
import { fileResources } from './resources.ts'
import { defaults, type FilesystemSettings } from './settings.ts'
import { editingTools } from './tools/editing.ts'
import { historyTools } from './tools/history.ts'
import { listingTools } from './tools/listing.ts'
import { readingTools } from './tools/reading.ts'
import { searchingTools } from './tools/searching.ts'
import { writingTools } from './tools/writing.ts'
import { version } from './version.ts'
import { Workspace } from './workspace.ts'

export type { Session } from './access/session-folders.ts'
export type { FilesystemSettings } from './settings.ts'

/** The options of the operator. */
export type FilesystemOptions = Partial<FilesystemSettings>

/**
 * Makes a server for files.
 *
 * @example
 * const server = createFilesystemServer({ folders: ['/home/me/project'] })
 */
export const createFilesystemServer = (options: FilesystemOptions = {}): Server<Session> =>
  serveFiles(fixedSettings({ ...defaults, ...options })).server

/** Makes a server whose settings may change. */
export function serveFiles(
  settings: LiveSettings<FilesystemSettings>,
  warn: (problem: string) => void = () => {},
): { server: Server<Session>; workspace: Workspace; close: () => void } {
  const workspace = new Workspace(settings, warn)
  const watches = new FileWatches((uri) => server.resources.changed(uri))
  const server: Server<Session> = createReferenceServer<Session>(
    {
      name: 'filesystem',
      version,
      title: 'Filesystem',
      description: 'Reads, writes, edits and searches files in the folders that it is allowed to use',
      icons: [icon],
      instructions,
      context: () => ({}),
      tools: [
        ...readingTools(workspace),
        ...writingTools(workspace),
        ...editingTools(workspace),
        ...listingTools(workspace),
        ...searchingTools(workspace),
        ...historyTools(workspace),
      ],
      resources: fileResources(workspace, watches),
      onRootsChanged: (_roots, caller) => workspace.folders.rootsChanged(caller),
    },
    settings,
  )
  return { server, workspace, close: () => watches.close() }
}

const instructions =
  'Files are reached by absolute paths in the allowed folders (list_allowed_directories), or by paths relative to the first ' +
  'of them. Find with glob_files and grep_files before reading. Change with edit_file, edit_lines or apply_patch rather than ' +
  'write_file, and pass the hash of your last read as ifMatch. undo_changes takes changes back.'
