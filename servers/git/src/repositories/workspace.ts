import { realpath } from 'node:fs/promises'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type RequestContext, ToolError } from '@tenon/sdk/server'
import type { LiveSettings } from '@tenon/server-kit'
import type { GitSettings } from '../git-settings.ts'
import { Git } from '../safe-git/git.ts'
import { type Shadow, Shadows } from '../safe-git/shadow.ts'
import { identityVariables } from './identity.ts'
import { locateRepository, type RepositoryPlace } from './repository.ts'

/** A repository, opened for one request. */
export interface Repository extends RepositoryPlace {
  readonly git: Git
  readonly shadow: Shadow
  /** Git with the author of commits, for commands that write them. */
  author(): Promise<Git>
}

/** The repositories that clients may use, and git for them. */
export class Workspace {
  readonly #settings: LiveSettings<GitSettings>
  readonly #shadows: Shadows
  readonly #writing = new Map<string, Promise<unknown>>()
  readonly program: string

  constructor(program: string, settings: LiveSettings<GitSettings>) {
    this.program = program
    this.#settings = settings
    this.#shadows = new Shadows(program)
  }

  get settings(): GitSettings {
    return this.#settings.current
  }

  /** The allowed folders: those of the operator, or the client's roots if there are none. */
  async allowed(ctx: RequestContext): Promise<string[]> {
    const { repository, cloneInto } = this.settings
    const own = cloneInto === undefined ? repository : [...repository, cloneInto]
    const given = own.length > 0 ? own : await rootsOf(ctx)
    const real = await Promise.all(given.map((folder) => realpath(folder).catch(() => [])))
    return real.flat()
  }

  /** Opens the repository at a path. Without a path: the only one. */
  async open(path: string | undefined, ctx: RequestContext): Promise<Repository> {
    const allowed = await this.allowed(ctx)
    if (allowed.length === 0) {
      throw new ToolError(
        'No repository is allowed. The operator starts this server with --repository FOLDER, or the client offers roots.',
      )
    }
    if (path === undefined && allowed.length > 1) {
      throw new ToolError(`repo_path: expected one of ${allowed.map((folder) => JSON.stringify(folder)).join(', ')}`)
    }
    const place = await locateRepository(path ?? allowed[0]!, allowed)
    const shadow = await this.#shadows.of(place)
    const variables = {
      GIT_DIR: place.gitDir,
      GIT_COMMON_DIR: shadow.folder,
      ...(place.workTree !== undefined && { GIT_WORK_TREE: place.workTree }),
    }
    const folder = place.workTree ?? place.gitDir
    const base = { program: this.program, folder, timeoutMs: this.settings.timeout }
    const author = async (): Promise<Git> => {
      const identity = await identityVariables(this.program, shadow.entries)
      return new Git({ ...base, variables: { ...variables, ...identity } }, ctx.signal)
    }
    return { ...place, shadow, author, git: new Git({ ...base, variables }, ctx.signal) }
  }

  /** The repositories that have a name in resource URIs. */
  async named(ctx: RequestContext): Promise<Map<string, string>> {
    return new Map((await this.allowed(ctx)).map((folder) => [basename(folder), folder]))
  }

  /** Runs changes of one repository one after the other. */
  async exclusively<T>(key: string, change: () => Promise<T>): Promise<T> {
    const before = this.#writing.get(key)
    const run = (async () => {
      await before?.catch(() => {})
      return change()
    })()
    this.#writing.set(key, run)
    try {
      return await run
    } finally {
      if (this.#writing.get(key) === run) this.#writing.delete(key)
    }
  }

  close(): Promise<void> {
    return this.#shadows.close()
  }
}

async function rootsOf(ctx: RequestContext): Promise<string[]> {
  if (ctx.caller.capabilities.roots === undefined) return []
  const roots = await ctx.roots()
  return roots.flatMap(({ uri }) => (uri.startsWith('file:') ? [fileURLToPath(uri)] : []))
}
