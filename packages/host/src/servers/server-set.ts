import type { ConnectOptions } from '@tenon/sdk/client'
import type { Catalogue, CatalogueTool } from '../catalogue/catalogue.ts'
import { mayBeOf, modelName } from '../catalogue/model-name.ts'
import type { HostListeners, HostProblem } from '../events.ts'
import { HostError, messageOf } from '../host-error.ts'
import type { DefinitionChange } from '../trust/definitions.ts'
import type { TrustKeeper } from '../trust/trust-keeper.ts'
import { HostServer, type ServerHooks } from './host-server.ts'
import { unlessAborted } from './pause.ts'
import type { ServerConfig } from './server-config.ts'

interface ServerSetParts {
  readonly catalogue: Catalogue
  readonly trust: TrustKeeper
  readonly listeners: HostListeners
  /** The callbacks for questions of a server. */
  questions(server: HostServer): ConnectOptions
}

/** Definitions of a server that wait for approval. */
interface Withheld {
  readonly changes: readonly DefinitionChange[]
  /** Resolves when the catalogue is as the answer wants it; undefined if nobody is asked. */
  readonly settled: Promise<unknown> | undefined
}

/** The servers of a host: brings their approved definitions into the catalogue. */
export class ServerSet {
  readonly servers: Map<string, HostServer> = new Map()
  readonly #parts: ServerSetParts
  readonly #problems = new Map<string, HostProblem>()
  readonly #withheld = new Map<string, Withheld>()
  readonly #instructions = new Map<string, string>()
  #closing: Promise<void> | undefined

  constructor(parts: ServerSetParts) {
    this.#parts = parts
  }

  get problems(): HostProblem[] {
    return [...this.#problems.values()]
  }

  /** The approved instructions, by server. */
  get instructions(): ReadonlyMap<string, string> {
    return this.#instructions
  }

  get(name: string): HostServer {
    this.assertOpen()
    const server = this.servers.get(name)
    if (server === undefined) throw new HostError('not_found', `There is no server ${JSON.stringify(name)}`)
    return server
  }

  add(configs: Iterable<readonly [string, ServerConfig]>): void {
    for (const [name, config] of configs) {
      const server = new HostServer(name, config, this.#hooks)
      this.servers.set(name, server)
      if (config.start !== 'lazy') server.connected().catch(() => {})
    }
    this.#namesChanged()
  }

  async remove(name: string): Promise<void> {
    const server = this.get(name)
    this.servers.delete(name)
    this.#withheld.delete(name)
    this.#instructions.delete(name)
    for (const [key, problem] of this.#problems) if (problem.server === name) this.#problems.delete(key)
    this.#parts.catalogue.delete(name)
    this.#namesChanged()
    this.#parts.listeners.emit({ type: 'catalogue', server: name })
    await server.stop()
  }

  close(): Promise<void> {
    this.#closing ??= Promise.all([...this.servers.values()].map((server) => server.stop())).then(() => {})
    return this.#closing
  }

  assertOpen(): void {
    if (this.#closing !== undefined) throw new HostError('closed', 'The host was closed')
  }

  /** A tool that is not in the catalogue: starts the servers that may have it, and waits for a pending approval. */
  async findTool(name: string, signal: AbortSignal | undefined): Promise<CatalogueTool> {
    this.assertOpen()
    const { catalogue } = this.#parts
    const candidates = [...this.servers.values()].filter((server) => mayBeOf(server.name, name))
    let failure: unknown
    for (const server of candidates.filter(({ client }) => client === undefined)) {
      await server.connected(signal).catch((error: unknown) => {
        failure = error
      })
    }
    for (const server of candidates) await this.#settled(server, signal)
    const tool = catalogue.tools.get(name)
    if (tool !== undefined) return tool
    const of = candidates.find((server) => this.#isWithheld(server, name))
    if (of !== undefined) {
      throw new HostError(
        'untrusted',
        `The tool ${name} was changed by its server and is not used before it is approved`,
      )
    }
    if (failure !== undefined) throw failure
    throw new HostError('not_found', `There is no tool ${JSON.stringify(name)}`)
  }

  async #settled({ name }: HostServer, signal: AbortSignal | undefined): Promise<void> {
    const settled = this.#withheld.get(name)?.settled
    if (settled !== undefined) await unlessAborted(settled, signal)
  }

  #isWithheld({ name: server }: HostServer, name: string): boolean {
    const changes = this.#withheld.get(server)?.changes ?? []
    return changes.some((change) => change.kind === 'tool' && modelName(server, change.name) === name)
  }

  readonly #hooks: ServerHooks = {
    approve: (server, resolved) => this.#parts.trust.approveEntry(server, resolved),
    answers: (server) => this.#parts.questions(server),
    stateChanged: (server) => {
      const { name, state, error } = server
      this.#parts.listeners.emit({ type: 'state', server: name, state, ...(error && { error }) })
    },
    listsChanged: (server) => this.#review(server),
    wrote: (server, text) => this.#parts.listeners.emit({ type: 'stderr', server: server.name, text }),
    problem: ({ name }, message) => this.#problem({ code: 'list', server: name, message: `${name}: ${message}` }),
  }

  /** Takes over the definitions that are approved. Those that changed follow when somebody has approved them. */
  async #review(server: HostServer): Promise<void> {
    const { name, config, lists } = server
    const { trust, catalogue, listeners } = this.#parts
    const reviewed = await trust.review(server, lists, server.description?.instructions)
    if (this.servers.get(name) !== server || server.lists !== lists) return
    const { withheld, answer, instructions } = reviewed
    if (instructions === undefined) this.#instructions.delete(name)
    else this.#instructions.set(name, instructions)
    const filter = config.tools ?? ('entry' in config ? config.entry.tools : undefined)
    catalogue.set(name, reviewed.lists, filter)
    // The question is not waited for: a server starts, and a list is followed, without the person.
    const settled = answer
      ?.then((approved) => (approved ? this.#review(server) : undefined))
      .catch((error: unknown) =>
        this.#problem({ code: 'changed', server: name, message: `${name}: ${messageOf(error)}` }),
      )
    this.#note(name, withheld, settled)
    listeners.emit({ type: 'catalogue', server: name })
  }

  #note(server: string, changes: readonly DefinitionChange[], settled: Promise<unknown> | undefined): void {
    if (changes.length === 0) {
      this.#withheld.delete(server)
      this.#problems.delete(keyOfProblem({ code: 'changed', server }))
      return
    }
    this.#withheld.set(server, { changes, settled })
    const names = changes.map(({ kind, name }) => `${kind} ${name}`.trim())
    const message = `${server}: not used before it is approved, because it changed: ${names.slice(0, 10).join(', ')}`
    this.#problem({ code: 'changed', server, message })
  }

  #problem(problem: HostProblem): void {
    this.#problems.set(keyOfProblem(problem), problem)
    this.#parts.listeners.emit({ type: 'problem', problem })
  }

  #namesChanged(): void {
    const { catalogue } = this.#parts
    catalogue.servers = [...this.servers.keys()]
    for (const [key, { code }] of this.#problems) if (code === 'look_alike') this.#problems.delete(key)
    for (const [server, twin] of catalogue.lookAlikes) {
      const message = `The name of the server ${JSON.stringify(server)} looks like ${JSON.stringify(twin)}`
      this.#problem({ code: 'look_alike', server, message })
    }
  }
}

const keyOfProblem = ({ code, server }: Pick<HostProblem, 'code' | 'server'>): string => JSON.stringify([code, server])
