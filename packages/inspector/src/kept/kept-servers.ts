import { type SecretPlace, secretPlace } from '@tenon/host/store'
import { RequestProblem } from '../problem.ts'
import type { KeptView, ServerSpec, ServerView } from '../protocol.ts'
import { isObject } from '../read-params.ts'
import { fromRaw, isKeepable, type KeepableSpec, type KeptEntry, toRaw } from './entry.ts'
import { BrokenList, KeptFile, type RawEntry } from './kept-file.ts'
import { findSecrets, forgetSecrets, keepSecrets, type WithSecrets } from './server-secrets.ts'
import { WatchedSecrets } from './watched-secrets.ts'

/** A server that was kept by an earlier run. */
export interface Restored extends KeptEntry, WithSecrets {
  spec: KeepableSpec
}

/** The members of a server view that say how it is kept. */
type About = Pick<ServerView, 'kept' | 'atStart' | 'missing'>

/** How many servers a workbench can have. */
export const maxServers = 100

/**
 * The servers that outlive the workbench: the list in a file, their secrets in the store of secrets. Failures to write are
 * shown, and the servers go on without being kept.
 */
export class KeptServers {
  /** Called when the view has changed. */
  onChange: () => void = () => {}
  readonly secrets: WatchedSecrets | undefined
  readonly #file: KeptFile | undefined
  readonly #kept = new Map<string, { atStart: boolean }>()
  readonly #missing = new Map<string, string[]>()
  /** Servers whose secrets come from the store: the page has never seen them. */
  readonly #restored = new Set<string>()
  #problem: string | undefined
  #isBroken = false
  #unusable: string[] = []
  /** One change after the other. */
  #last: Promise<unknown> = Promise.resolve()

  private constructor(folder?: string, secrets?: WatchedSecrets) {
    this.secrets = secrets
    if (folder !== undefined && secrets !== undefined) this.#file = new KeptFile(folder, secrets.lock)
  }

  /** Keeps nothing, and knows of nothing. */
  static none(): KeptServers {
    return new KeptServers()
  }

  /** Opens the list in a folder. If that cannot be used, nothing is kept, and the view says why. */
  static async open(folder: string): Promise<KeptServers> {
    try {
      return new KeptServers(folder, new WatchedSecrets(await secretPlace(folder)))
    } catch (error) {
      const kept = new KeptServers()
      kept.#problem = `${folder} cannot be used: ${(error as Error).message}`
      return kept
    }
  }

  get view(): KeptView {
    const { where, file } = this.secrets ?? { where: 'memory', file: undefined }
    return {
      keeps: this.#file !== undefined,
      ...(this.#file && { path: this.#file.path }),
      ...(this.#problem !== undefined && { problem: this.#problem, ...(this.#isBroken && { broken: true }) }),
      unusable: this.#unusable,
      secrets: { where, ...(file !== undefined && { path: file }) },
    }
  }

  about(id: string): About {
    const kept = this.#kept.get(id)
    const missing = this.#missing.get(id)
    return { ...(kept && { kept: true, ...(kept.atStart && { atStart: true }) }), ...(missing && { missing }) }
  }

  isKept(id: string): boolean {
    return this.#kept.has(id)
  }

  /** Whether the page has to ask before it may see the secrets of a server. */
  isRestored(id: string): boolean {
    return this.#restored.has(id)
  }

  /** The entries of the list, up to the limit. */
  async restore(room: number = maxServers): Promise<Restored[]> {
    if (this.#file === undefined) return []
    let entries: unknown[] = []
    try {
      entries = await this.#file.read()
    } catch (error) {
      this.#failed(error, 'read')
    }
    const restored: Restored[] = []
    for (const [index, raw] of entries.entries()) {
      const server = await this.#restoreOne(raw, index)
      if (server === undefined) continue
      if (restored.length >= room) {
        this.#cannotUse(`There is room for ${maxServers} servers: those from servers[${index}] on are not shown`)
        break
      }
      restored.push(server)
      this.#kept.set(server.id, { atStart: server.atStart })
      this.#restored.add(server.id)
      if (server.missing.length > 0) this.#missing.set(server.id, server.missing)
    }
    return restored
  }

  #cannotUse(why: string): void {
    this.#unusable = [...this.#unusable, why]
  }

  async #restoreOne(raw: unknown, index: number): Promise<Restored | undefined> {
    try {
      const { needs, isTelling, ...entry } = fromRaw(raw)
      if (this.#kept.has(entry.id)) throw new RequestProblem('another server has the same id')
      const nothing = { spec: entry.spec, missing: needs, isAgreed: false }
      const found = await findSecrets(this.secrets!.store, entry.id, entry.spec, needs).catch((error: Error) => {
        this.#cannotUse(`The secrets of ${entry.spec.name} cannot be read: ${error.message}`)
        return nothing
      })
      const restored = { ...entry, ...found }
      if (isTelling) await this.#hide(restored).catch(() => {})
      return restored
    } catch (error) {
      const name = isObject(raw) && typeof raw.name === 'string' ? ` (${raw.name.slice(0, 100)})` : ''
      this.#cannotUse(`servers[${index}]${name}: ${(error as Error).message}`)
      return undefined
    }
  }

  /** Moves secrets in a URL of the list into the store: an earlier version, or a person, wrote them there. */
  #hide(entry: Restored): Promise<void> {
    return this.#change(async (file, store) => {
      await keepSecrets(store, entry.id, entry.spec, entry)
      await file.change((entries) => withEntry(entries, entry, entry.missing))
    })
  }

  /** Keeps a server with its secrets, or its changes. Missing secrets stay missing. */
  async keep(id: string, spec: ServerSpec, isAgreed: boolean, missing: string[] = []): Promise<void> {
    if (!isKeepable(spec)) throw new RequestProblem('A recording is gone when the workbench ends')
    await this.#change(async (file, store) => {
      const entry = { id, spec, atStart: spec.kind === 'url' && this.#kept.get(id)?.atStart === true }
      // Secrets first: an entry without its secrets is worse than secrets without an entry.
      await keepSecrets(store, id, spec, { isAgreed, missing })
      await file.change((entries) => withEntry(entries, entry, missing))
      this.#kept.set(id, { atStart: entry.atStart })
      if (missing.length > 0) this.#missing.set(id, missing)
      else this.#missing.delete(id)
      this.#restored.delete(id)
    })
  }

  /** Changes the entry of a kept server, without its secrets. */
  async rewrite(id: string, spec: ServerSpec, atStart: boolean = this.#kept.get(id)?.atStart === true): Promise<void> {
    if (!this.#kept.has(id) || !isKeepable(spec)) return
    await this.#change(async (file) => {
      await file.change((entries) => withEntry(entries, { id, spec, atStart }, this.#missing.get(id)))
      this.#kept.set(id, { atStart })
    })
  }

  async forget(id: string): Promise<void> {
    this.#missing.delete(id)
    if (!this.#kept.has(id)) return
    await this.#change(async (file, store) => {
      await file.change((entries) => entries.filter((raw) => idOf(raw) !== id))
      this.#kept.delete(id)
      this.#restored.delete(id)
      await forgetSecrets(store, id)
    })
  }

  /** Puts the kept servers into this order; those of other workbenches stay where they are. */
  async order(ids: readonly string[]): Promise<void> {
    const wanted = ids.filter((id) => this.#kept.has(id))
    if (wanted.length < 2) return
    await this.#change((file) => file.change((entries) => inOrder(entries, wanted)))
  }

  async clearSecrets(): Promise<void> {
    const done = this.#last.then(() => this.secrets?.clear())
    this.#last = done.catch(() => {})
    await done
  }

  /** These are not known any more, and have to be given again. */
  lost(id: string, names: string[]): void {
    this.#missing.set(id, names)
    this.onChange()
  }

  /** The person has entered the missing secrets, or does without. */
  found(id: string): void {
    this.#missing.delete(id)
    this.#restored.delete(id)
  }

  async startAnew(): Promise<string> {
    if (this.#file === undefined || !this.#isBroken) throw new RequestProblem('The list is not broken')
    const aside = await this.#file.setAside()
    this.#isBroken = false
    this.#problem = undefined
    this.onChange()
    return aside
  }

  #change(work: (file: KeptFile, store: SecretPlace['store']) => Promise<void>): Promise<void> {
    const { secrets } = this
    const file = this.#file
    if (file === undefined || secrets === undefined) {
      return Promise.reject(new RequestProblem('This workbench keeps nothing', 'Start it without --fresh.'))
    }
    const done = this.#last.then(async () => {
      try {
        await work(file, secrets.store)
        this.#isBroken = false
        this.#problem = undefined
      } catch (error) {
        this.#failed(error, 'changed')
        throw new RequestProblem(this.#problem!, 'Until then servers are not kept.')
      } finally {
        this.onChange()
      }
    })
    this.#last = done.catch(() => {})
    return done
  }

  #failed(error: unknown, what: 'read' | 'changed'): void {
    this.#isBroken = error instanceof BrokenList
    this.#problem = `${this.#file!.path} cannot be ${what}: ${(error as Error).message}`
  }
}

const idOf = (raw: unknown): unknown => (isObject(raw) ? raw.id : undefined)

function withEntry(entries: unknown[], entry: KeptEntry, missing: readonly string[] = []): unknown[] {
  const at = entries.findIndex((raw) => idOf(raw) === entry.id)
  if (at === -1) return [...entries, toRaw(entry, missing)]
  return entries.with(at, toRaw(entry, missing, entries[at] as RawEntry))
}

function inOrder(entries: unknown[], wanted: readonly string[]): unknown[] {
  const known = new Map(entries.map((raw) => [idOf(raw), raw]))
  const moved = wanted.filter((id) => known.has(id))
  const places = new Set<unknown>(moved)
  let next = 0
  return entries.map((raw) => (places.has(idOf(raw)) ? known.get(moved[next++]) : raw))
}
