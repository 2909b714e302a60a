import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { devNull, tmpdir } from 'node:os'
import { join } from 'node:path'
import { ToolError } from '@tenon/sdk/server'
import type { RepositoryPlace } from '../repositories/repository.ts'
import { Git } from './git.ts'
import { type ConfigEntry, configText, safeEntries } from './safe-config.ts'

/** Parts of the common folder that git may see. The config and the hooks of the repository are not among them. */
const linkedParts = ['HEAD', 'objects', 'refs', 'packed-refs', 'reftable', 'logs', 'info', 'shallow', 'worktrees']

const maxConfigBytes = 1_000_000

export interface Shadow {
  /** For `GIT_COMMON_DIR`. Its last part is `.git`, so that the list of worktrees begins with the folder above it. */
  readonly folder: string
  readonly entries: readonly ConfigEntry[]
}

/**
 * Makes common folders for git, as git does for linked worktrees: links to the data of a repository, and a config
 * file of our own. Git never reads the config of the repository, so nothing in it can run or lead elsewhere.
 */
export class Shadows {
  readonly #program: string
  readonly #made = new Map<string, { stamp: string; shadow: Promise<Shadow> }>()
  #home: Promise<string> | undefined

  constructor(program: string) {
    this.#program = program
  }

  /** The shadow of a repository, made again when its config file changed. */
  async of(place: RepositoryPlace): Promise<Shadow> {
    const file = join(place.commonDir, 'config')
    const facts = await stat(file).catch(() => undefined)
    if (facts !== undefined && (!facts.isFile() || facts.size > maxConfigBytes)) {
      throw new ToolError(`${file}: expected a file of at most ${maxConfigBytes} bytes`)
    }
    const stamp = facts === undefined ? 'none' : `${facts.mtimeMs} ${facts.size} ${facts.ino}`
    const made = this.#made.get(place.gitDir)
    if (made?.stamp === stamp) return made.shadow
    const shadow = this.#make(place, facts === undefined ? undefined : file, stamp)
    this.#made.set(place.gitDir, { stamp, shadow })
    shadow.catch(() => this.#made.delete(place.gitDir))
    return shadow
  }

  async #make(place: RepositoryPlace, file: string | undefined, stamp: string): Promise<Shadow> {
    this.#home ??= mkdtemp(join(tmpdir(), 'tenon-git-'))
    const home = await this.#home
    const entries = file === undefined ? [] : await this.#readConfig(home, file)
    const id = createHash('sha256').update(`${place.gitDir}\0${stamp}`).digest('hex').slice(0, 16)
    const folder = join(home, id, '.git')
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder, { recursive: true })
    // A part that does not exist yet is created by git through its link.
    for (const part of linkedParts) await symlink(join(place.commonDir, part), join(folder, part))
    await writeFile(join(folder, 'config'), configText(entries, place.workTree === undefined))
    return { folder, entries }
  }

  /** Git only parses the file here: it is given no repository, and does not follow includes. */
  async #readConfig(folder: string, file: string): Promise<ConfigEntry[]> {
    const git = new Git({ program: this.#program, folder, variables: { GIT_DIR: devNull }, timeoutMs: 10_000 })
    return safeEntries(await git.text(['config', '--file', file, '--no-includes', '--list', '-z']))
  }

  async close(): Promise<void> {
    const home = await this.#home?.catch(() => undefined)
    if (home !== undefined) await rm(home, { recursive: true, force: true })
  }
}
