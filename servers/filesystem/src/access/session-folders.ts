import { fileURLToPath } from 'node:url'
import type { Caller, RequestContext, Root } from '@tenon/sdk/server'
import type { LiveSettings } from '@tenon/server-kit'
import type { FilesystemSettings } from '../settings.ts'
import { type AllowedFolder, AllowedFolders, findFolders } from './allowed-folders.ts'

/** Kept for a client: its folders, once they were asked for. */
export interface Session {
  folders?: { readonly found: AllowedFolders; readonly version: number }
}

const maxRoots = 100

/**
 * The folders of each client: those of the settings, or the client's roots. A client that started this server may say
 * where it works; one that reaches it over the network may only choose among the folders of the settings.
 */
export class SessionFolders {
  readonly #settings: LiveSettings<FilesystemSettings>
  readonly #warn: (problem: string) => void
  readonly #versions = new WeakMap<object, number>()
  #configured: { readonly paths: readonly string[]; readonly found: Promise<AllowedFolder[]> } | undefined
  #changes = 0

  constructor(settings: LiveSettings<FilesystemSettings>, warn: (problem: string) => void) {
    this.#settings = settings
    this.#warn = warn
    settings.onChange(() => {
      this.#changes++
    })
  }

  /** The folders of the settings that exist. */
  get configured(): Promise<AllowedFolder[]> {
    const { folders } = this.#settings.current
    if (this.#configured?.paths !== folders) {
      this.#configured = { paths: folders, found: findFolders(folders, this.#warn) }
    }
    return this.#configured!.found
  }

  async of(ctx: RequestContext<Session>): Promise<AllowedFolders> {
    const version = this.#versionOf(ctx.caller)
    const known = ctx.context.folders
    if (known?.version === version) return known.found
    const found = await this.#find(ctx)
    ctx.context.folders = { found, version }
    return found
  }

  /** The folders of a client as far as they are known without asking it. */
  async known(session: Session, caller: Caller): Promise<AllowedFolders> {
    const { folders } = session
    return folders?.version === this.#versionOf(caller) ? folders.found : new AllowedFolders(await this.configured)
  }

  /** Forgets the roots of a client; its next request asks for the new ones. */
  rootsChanged(caller: Caller): void {
    this.#versions.set(caller.connection, (this.#versions.get(caller.connection) ?? 0) + 1)
  }

  #versionOf(caller: Caller): number {
    return this.#changes + (this.#versions.get(caller.connection) ?? 0)
  }

  async #find(ctx: RequestContext<Session>): Promise<AllowedFolders> {
    const { roots } = this.#settings.current
    const isAsked = roots !== 'ignore' && ctx.caller.capabilities.roots !== undefined
    const given = isAsked ? await ctx.roots({ key: 'roots' }) : []
    const configured = await this.configured
    const wanted = await findFolders(given.slice(0, maxRoots).flatMap(pathOf), this.#warn)
    const mayReplace = roots === 'replace' && isLocal(ctx.caller)
    const limits = new AllowedFolders(configured)
    const usable = mayReplace ? wanted : wanted.filter(({ real }) => limits.contains(real))
    return usable.length > 0 ? new AllowedFolders(usable) : limits
  }
}

/** A client at the other end of a pipe started this server; one that came over a network did not. */
const isLocal = ({ connection }: Caller): boolean => ['stdio', 'memory'].includes(connection.transport)

function pathOf({ uri }: Root): string[] {
  try {
    return [fileURLToPath(uri)]
  } catch {
    return []
  }
}
