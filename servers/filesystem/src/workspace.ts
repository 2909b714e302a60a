import { pathToFileURL } from 'node:url'
import { type RequestContext, ToolResult, text } from '@tenon/sdk/server'
import type { LiveSettings } from '@tenon/server-kit'
import { Guard } from './access/guard.ts'
import { type Session, SessionFolders } from './access/session-folders.ts'
import type { FilesystemSettings } from './settings.ts'
import { Journal } from './store/journal.ts'
import { PathLocks } from './store/path-locks.ts'

/** Everything that the tools of one server share. */
export class Workspace {
  readonly folders: SessionFolders
  readonly locks: PathLocks = new PathLocks()
  readonly journal: Journal
  readonly #settings: LiveSettings<FilesystemSettings>

  constructor(settings: LiveSettings<FilesystemSettings>, warn: (problem: string) => void) {
    this.#settings = settings
    this.folders = new SessionFolders(settings, warn)
    this.journal = new Journal(() => settings.current.undoMemory)
  }

  get settings(): FilesystemSettings {
    return this.#settings.current
  }

  /** What a client may touch, asked anew for every request. */
  async guardFor(ctx: RequestContext<Session>): Promise<Guard> {
    return new Guard(await this.folders.of(ctx), this.settings)
  }
}

/** Changes belong to the one who is authenticated; without authentication there is one user. */
export const ownerOf = ({ auth }: RequestContext<Session>): string => auth?.principal ?? ''

/** A result with its text as structured content too, as clients of this kind of server expect it, and more beside it. */
export const answer = (content: string, more: object = {}, ...notes: string[]): ToolResult =>
  new ToolResult({ content: [text(content), ...notes.map((note) => text(note))], structured: { content, ...more } })

export const uriOf = (path: string): string => pathToFileURL(path).href
