import { createHash } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { type LintSnapshot, readLintSnapshot } from '@tenon/host/lint'
import { replaceFile } from '@tenon/sdk/auth'

const maxCharacters = 8 * 1024 * 1024

/** The definitions of a server: those of the last visit, and those that are stored for the next one. */
interface Seen {
  before: LintSnapshot
  stored: LintSnapshot
}

/** The definitions of servers at the last visit, in a file for each server; without a folder those of this run. */
export class SeenDefinitions {
  readonly #folder: string | undefined
  readonly #seen = new Map<string, Promise<Seen>>()
  /** One write after the other. */
  #writing: Promise<void> = Promise.resolve()
  #closed = false

  constructor(folder: string | undefined) {
    this.#folder = folder && join(folder, 'seen')
  }

  /** The definitions that changes are told from. The current ones are those of the next visit. */
  async since(server: string, current: LintSnapshot): Promise<LintSnapshot> {
    const known = this.#seen.get(server)
    const seen = known ?? this.#begin(server, current)
    if (known === undefined) this.#seen.set(server, seen)
    const found = await seen
    if (!isDeepStrictEqual(found.stored, current)) {
      found.stored = current
      await this.#write(server, current)
    }
    return found.before
  }

  /** A person has looked at the current definitions. */
  async accept(server: string, current: LintSnapshot): Promise<void> {
    this.#seen.set(server, Promise.resolve({ before: current, stored: current }))
    await this.#write(server, current)
  }

  async #begin(server: string, current: LintSnapshot): Promise<Seen> {
    const stored = await this.#read(server)
    if (stored !== undefined) return { before: stored, stored }
    await this.#write(server, current)
    return { before: current, stored: current }
  }

  /** Ids come from files that anybody may have edited, so none is part of a path as it is. */
  #path(server: string): string | undefined {
    return this.#folder && join(this.#folder, `${createHash('sha256').update(server).digest('hex').slice(0, 32)}.json`)
  }

  async #read(server: string): Promise<LintSnapshot | undefined> {
    const path = this.#path(server)
    try {
      return path === undefined ? undefined : readLintSnapshot(JSON.parse(await readFile(path, 'utf8')))
    } catch {
      // Missing, or damaged: this visit is the first one.
      return undefined
    }
  }

  /** Resolves when everything is written; nothing is after that. */
  close(): Promise<void> {
    this.#closed = true
    return this.#writing
  }

  /** A folder that cannot be written to costs the comparison with the next visit, and nothing else. */
  #write(server: string, snapshot: LintSnapshot): Promise<void> {
    const path = this.#path(server)
    const text = JSON.stringify(snapshot)
    if (path === undefined || this.#folder === undefined || this.#closed || text.length > maxCharacters)
      return this.#writing
    const folder = this.#folder
    this.#writing = this.#writing
      .then(() => mkdir(folder, { recursive: true, mode: 0o700 }))
      .then(() => replaceFile(path, text))
      .catch(() => {})
    return this.#writing
  }
}
