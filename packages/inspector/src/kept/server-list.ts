import type { Implementation, Revision } from '@tenon/sdk/client'
import { freeName } from '../free-name.ts'
import { RequestProblem } from '../problem.ts'
import type { ServerSpec, ServerView } from '../protocol.ts'
import type { ManagedServer } from '../servers/managed-server.ts'
import type { Workbench } from '../workbench.ts'
import { secretNames, withoutValues } from './secret-names.ts'

const maxRemoved = 20
const maxName = 100

/** Whether a name is the wanted one, perhaps with a number. */
const isNumbered = (name: string, wanted: string): boolean =>
  name.startsWith(wanted) && /^(?: \d+)?$/.test(name.slice(wanted.length))

/** A server as it was, and where. */
interface Removed {
  spec: ServerSpec
  at: number
  about: Pick<ServerView, 'kept' | 'atStart' | 'missing'>
}

/** Changes of the list of servers by a person; the kept list follows. */
export class ServerList {
  readonly #bench: Workbench
  /** Those that were removed last, to be brought back. */
  readonly #removed = new Map<string, Removed>()
  /** Servers that were added in the page, and have not connected yet. */
  readonly #untried = new Set<string>()
  #later: Promise<unknown> = Promise.resolve()

  constructor(bench: Workbench) {
    this.#bench = bench
  }

  /** Adds a server of the page, and keeps it if that is possible. A failure to keep it is shown, and stops nothing. */
  async add(spec: ServerSpec): Promise<ManagedServer> {
    const server = this.#bench.add(spec)
    this.#untried.add(server.id)
    await this.#keepIfPossible(server)
    return server
  }

  /** Work that nobody waits for but the end of the workbench: nothing is written after it. */
  later(work: Promise<void>): void {
    this.#later = Promise.allSettled([this.#later, work])
  }

  get settled(): Promise<unknown> {
    return this.#later
  }

  /** A server has connected: it takes the name that it says, if nobody gave it one. */
  async connected(id: string, says: Implementation | undefined): Promise<void> {
    const server = this.#bench.servers.find((known) => known.id === id)
    if (server === undefined) return
    const renamed = this.#takeName(server, (says?.title ?? says?.name ?? '').trim().slice(0, maxName))
    const isNew = this.#untried.delete(id)
    if (isNew && !this.#bench.kept.isKept(id)) await this.#keepIfPossible(server)
    // A failure to write is shown with the list, and stops nothing.
    for (const { id: one, spec } of renamed) await this.#bench.kept.rewrite(one, spec).catch(() => {})
  }

  /** One that was added and has never connected is not kept until it does: a mistyped one is not there the next time. */
  async failed(id: string): Promise<void> {
    const server = this.#bench.servers.find((known) => known.id === id)
    if (server === undefined || !this.#untried.has(id) || !this.#bench.kept.isKept(id)) return
    await this.#bench.kept.forget(id).catch(() => {})
    server.tell()
  }

  /** The servers that have another name now. Those that are alike are numbered in their order, whichever connects first. */
  #takeName(server: ManagedServer, wanted: string): ManagedServer[] {
    const { name, autoName } = server.spec
    if (!autoName || wanted === '' || isNumbered(name, wanted)) return []
    const isAlike = ({ spec }: ManagedServer): boolean => spec.autoName === true && isNumbered(spec.name, wanted)
    const alike = this.#bench.servers.filter((one) => one === server || isAlike(one))
    const taken = new Set(this.#bench.servers.filter((one) => !alike.includes(one)).map(({ spec }) => spec.name))
    const renamed = alike.filter((one) => {
      const free = freeName(wanted, taken)
      taken.add(free)
      if (one.spec.name === free) return false
      one.rename(free, { isFound: true })
      return true
    })
    this.#bench.timeline.forgetQueries()
    return renamed
  }

  async keep(server: ManagedServer): Promise<void> {
    const { kept, trust } = this.#bench
    await kept.keep(server.id, server.spec, trust.allows(server.spec), kept.about(server.id).missing)
    await this.#keepOrder()
  }

  async #keepIfPossible(server: ManagedServer): Promise<void> {
    if (server.spec.kind === 'session' || !this.#bench.kept.view.keeps) return
    await this.keep(server).catch(() => {})
    server.tell()
  }

  /** Another specification for a server: its missing secrets have been entered. */
  async update(server: ManagedServer, spec: ServerSpec): Promise<void> {
    const { kept } = this.#bench
    kept.found(server.id)
    await server.update(spec)
    if (kept.isKept(server.id)) await this.#keepIfPossible(server)
  }

  /** The person has agreed to start the program of a server. */
  async agreed(server: ManagedServer): Promise<void> {
    if (this.#bench.kept.isKept(server.id)) await this.#keepIfPossible(server)
  }

  async rename(server: ManagedServer, name: string): Promise<void> {
    server.rename(name)
    this.#bench.timeline.forgetQueries()
    await this.#bench.kept.rewrite(server.id, server.spec)
  }

  async move(server: ManagedServer, by: 1 | -1): Promise<void> {
    const ids = this.#bench.servers.map(({ id }) => id)
    const from = ids.indexOf(server.id)
    const to = from + by
    if (to < 0 || to >= ids.length) return
    ids.splice(from, 1)
    ids.splice(to, 0, server.id)
    this.#bench.order(ids)
    await this.#keepOrder()
  }

  /** Right below the first one. It is kept if that one is. `null` asks for the newest revision. */
  async duplicate(server: ManagedServer, revision: Revision | null | undefined): Promise<ManagedServer> {
    const { revision: before, name, ...rest } = server.spec
    const wanted = revision === undefined ? before : (revision ?? undefined)
    const plain = name.replace(/ \((?:newest|\d{4}-\d\d-\d\d)\)(?: \d+)?$/, '')
    const taken = new Set(this.#bench.servers.map(({ spec }) => spec.name))
    const title = revision === undefined ? name : `${plain} (${revision ?? 'newest'})`
    const spec = { ...rest, name: freeName(title, taken), ...(wanted && { revision: wanted }) } as ServerSpec
    const at = this.#bench.servers.indexOf(server) + 1
    const { atStart: _, ...about } = this.#bench.kept.about(server.id)
    return this.#addAt({ spec, at, about })
  }

  async remove(server: ManagedServer): Promise<void> {
    const { kept } = this.#bench
    const at = this.#bench.servers.indexOf(server)
    this.#untried.delete(server.id)
    this.#removed.set(server.id, { spec: server.spec, at, about: kept.about(server.id) })
    if (this.#removed.size > maxRemoved) this.#removed.delete(this.#removed.keys().next().value!)
    await this.#bench.remove(server.id)
    await kept.forget(server.id)
  }

  async restore(id: string): Promise<ManagedServer> {
    const removed = this.#removed.get(id)
    if (removed === undefined) throw new RequestProblem('This server cannot be brought back any more')
    this.#removed.delete(id)
    return this.#addAt(removed)
  }

  async #addAt({ spec, at, about }: Removed): Promise<ManagedServer> {
    const { kept } = this.#bench
    const ids = this.#bench.servers.map(({ id }) => id)
    const server = this.#bench.add(spec)
    ids.splice(at, 0, server.id)
    this.#bench.order(ids)
    if (about.missing !== undefined) kept.lost(server.id, about.missing)
    if (about.kept) await this.#keepIfPossible(server)
    if (about.atStart) await kept.rewrite(server.id, server.spec, true)
    server.tell()
    return server
  }

  #keepOrder(): Promise<void> {
    return this.#bench.kept.order(this.#bench.servers.map(({ id }) => id))
  }

  /** Forgets everything secret, in the store and in this process. Servers that had secrets have to be given them again. */
  async forgetSecrets(): Promise<void> {
    const { kept, servers, model, playground } = this.#bench
    // First of all: if a later step fails, nothing is kept.
    await kept.clearSecrets()
    this.#removed.clear()
    for (const server of servers) {
      if (server.spec.kind === 'url') await server.signOut()
      const names = secretNames(server.spec)
      if (names.length === 0) continue
      await server.update(withoutValues(server.spec))
      kept.lost(server.id, names)
      server.tell()
    }
    await model.forgetKey()
    await playground.forgetKeys()
    kept.onChange()
  }
}
