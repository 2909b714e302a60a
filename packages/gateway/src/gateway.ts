import { isDeepStrictEqual } from 'node:util'
import type { Authenticate } from '@tenon/sdk/node'
import type { Server } from '@tenon/sdk/server'
import type { NamedItem } from './catalogue/naming.ts'
import { type ConfigChange, changesOf } from './config/changes.ts'
import { checkConfig } from './config/check.ts'
import { allServers, type GatewayConfig, type UpstreamConfig } from './config/model.ts'
import type { GatewayParts } from './config/section.ts'
import { callerIn } from './serving/caller.ts'
import { openGatekeeper } from './serving/open-gatekeeper.ts'
import { Traffic } from './serving/traffic.ts'
import { type Catalogue, type ServerContext, VirtualServer } from './serving/virtual-server.ts'
import { type ImportModule, importModule } from './upstreams/module-server.ts'
import { upstreamTarget } from './upstreams/target.ts'
import { RunningUpstream, type UpstreamStatus } from './upstreams/upstream.ts'

/** Something that an operator may want to know. */
export type GatewayEvent =
  | { readonly kind: 'upstream'; readonly status: UpstreamStatus }
  | { readonly kind: 'changed'; readonly changes: readonly ConfigChange[] }
  | { readonly kind: 'error'; readonly error: unknown; readonly during: string }

export interface GatewayOptions extends GatewayParts {
  /** Relative paths of the configuration begin here. Default: the current folder. */
  readonly folder?: string
  /** Loads the modules of upstreams: with a loader for TypeScript, for example. Default: `import`. */
  readonly importModule?: ImportModule
  readonly onEvent?: (event: GatewayEvent) => void
}

/** Many servers behind one. */
export interface Gateway extends AsyncDisposable {
  readonly config: GatewayConfig
  readonly auth: Authenticate | undefined
  /** The parts that are in use. */
  readonly parts: GatewayParts
  /** The names of the virtual servers; `all` is the one at `/mcp`. */
  readonly names: readonly string[]
  /** A virtual server, for `serveStdio`, `connect` and other functions that take a server. */
  server(name?: string): Server | undefined
  /** Everything in a virtual server before rules, asked without the credentials of anybody: for operators. */
  catalogue(name?: string): Promise<Catalogue | undefined>
  /** Where a name of a tool or prompt may lead in a virtual server, also at upstreams that cannot be asked. */
  leadsTo(tool: string, name?: string): readonly NamedItem[]
  /** The requests that pass, for operators. */
  readonly traffic: Traffic
  /** The state of every upstream. */
  status(): UpstreamStatus[]
  /** Asks every upstream whether it is there. */
  check(): Promise<UpstreamStatus[]>
  /**
   * Takes another configuration, and other parts if they are given. Calls under way come to their ends. A configuration that
   * cannot be used changes nothing, and throws.
   */
  apply(config: GatewayConfig, parts?: GatewayParts): readonly ConfigChange[]
  /** Looks at the parts of another configuration before it is taken, until the returned function is called. If `check` throws, nothing changes. */
  beforeChange(check: (parts: GatewayParts) => void): () => void
  /** Calls the listener when another configuration was taken, until the returned function is called. */
  onChange(listener: () => void): () => void
  /** Tells whoever runs the gateway about an error. */
  report(error: unknown, during: string): void
  close(): Promise<void>
}

/**
 * Makes one endpoint of many servers.
 *
 * @example
 * await using gateway = createGateway({ upstreams: { files: { command: 'npx', args: ['my-server'] } } })
 * await serveGateway(gateway, { port: 8080 })
 */
export function createGateway(config: GatewayConfig, options: GatewayOptions = {}): Gateway {
  return new RunningGateway(config, options)
}

class RunningGateway implements Gateway {
  readonly traffic: Traffic = new Traffic()
  readonly #options: GatewayOptions
  readonly #context: ServerContext
  readonly #servers = new Map<string, VirtualServer>()
  readonly #ending = new Set<Promise<unknown>>()
  readonly #listeners = new Set<() => void>()
  readonly #checks = new Set<(parts: GatewayParts) => void>()
  /** Upstreams that the configuration has no more, with calls under way. */
  readonly #retiring = new Set<RunningUpstream>()
  #upstreams: ReadonlyMap<string, RunningUpstream> = new Map()
  #config: GatewayConfig = { upstreams: {} }
  #parts: GatewayParts

  constructor(config: GatewayConfig, options: GatewayOptions) {
    this.#options = options
    this.#parts = options
    this.#context = {
      gatekeeper: () => this.#parts.gatekeeper ?? openGatekeeper,
      callerOf: (auth) => (this.#parts.callerOf ?? callerIn)(auth),
      report: (error, during) => this.report(error, during),
      traffic: this.traffic,
      stateKeys: () => this.#parts.shared?.stateKeys,
    }
    this.#use(config, options)
  }

  get parts(): GatewayParts {
    return this.#parts
  }

  get auth(): Authenticate | undefined {
    return this.#parts.auth
  }

  get config(): GatewayConfig {
    return this.#config
  }

  get names(): readonly string[] {
    return [...this.#servers.keys()]
  }

  server(name: string = allServers): Server | undefined {
    return this.#servers.get(name)?.server
  }

  async catalogue(name: string = allServers): Promise<Catalogue | undefined> {
    return this.#servers.get(name)?.catalogue()
  }

  leadsTo(tool: string, name: string = allServers): readonly NamedItem[] {
    return this.#servers.get(name)?.leadsTo(tool) ?? []
  }

  status(): UpstreamStatus[] {
    return [...this.#upstreams.values()].map(({ status }) => status)
  }

  check(): Promise<UpstreamStatus[]> {
    return Promise.all([...this.#upstreams.values()].map((upstream) => upstream.check()))
  }

  apply(config: GatewayConfig, parts: GatewayParts = this.#parts): readonly ConfigChange[] {
    for (const check of this.#checks) check(parts)
    const changes = changesOf(this.#config, config)
    const before = this.#parts
    const busy = [...this.#upstreams.values()]
    this.#use(config, parts)
    if (before !== parts) this.#track(Promise.all(busy.map((upstream) => upstream.idle())).then(() => before.close?.()))
    if (changes.length > 0) this.#emit({ kind: 'changed', changes })
    for (const listener of [...this.#listeners]) listener()
    return changes
  }

  beforeChange(check: (parts: GatewayParts) => void): () => void {
    this.#checks.add(check)
    return () => void this.#checks.delete(check)
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  report(error: unknown, during: string): void {
    this.#emit({ kind: 'error', error, during })
  }

  async close(): Promise<void> {
    await Promise.all([...this.#upstreams.values(), ...this.#retiring].map((upstream) => upstream.close()))
    await Promise.all(this.#ending)
    await this.#parts.close?.()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  #use(config: GatewayConfig, parts: GatewayParts): void {
    checkConfig(config)
    const before = this.#upstreams
    // Upstreams for everybody alike are reached in another way than those that act for their callers.
    const actsAlike = (this.#parts.credentials === undefined) === (parts.credentials === undefined)
    // Sessions of elsewhere are of no use, nor is state that was sealed with other keys.
    const sharesAlike = this.#parts.shared === parts.shared
    this.#parts = parts
    const upstreams = new Map(
      Object.entries(config.upstreams).map(([name, settings]) => {
        const known = before.get(name)
        const same = actsAlike && known !== undefined && isDeepStrictEqual(known.config, settings)
        return [name, same ? known : this.#start(name, settings)]
      }),
    )
    const servers = { [allServers]: {}, ...config.servers }
    for (const name of this.#servers.keys()) if (!Object.hasOwn(servers, name)) this.#servers.delete(name)
    for (const [name, settings] of Object.entries(servers)) {
      const known = sharesAlike ? this.#servers.get(name) : undefined
      const server = known ?? new VirtualServer(name, settings, this.#context)
      this.#servers.set(name, server)
      server.apply(settings, upstreams)
    }
    this.#upstreams = upstreams
    this.#config = config
    for (const [name, upstream] of before) if (upstreams.get(name) !== upstream) this.#retire(upstream)
  }

  #start(name: string, config: UpstreamConfig): RunningUpstream {
    const { folder = process.cwd(), importModule: load = importModule } = this.#options
    const credentials = this.#parts.credentials && (() => this.#parts.credentials!)
    const context = { folder, importModule: load, credentials, callerOf: this.#context.callerOf }
    return new RunningUpstream(name, config, upstreamTarget(name, config, context), {
      changed: (status) => this.#emit({ kind: 'upstream', status }),
      report: this.#context.report,
    })
  }

  #retire(upstream: RunningUpstream): void {
    this.#retiring.add(upstream)
    this.#track(upstream.retire().finally(() => this.#retiring.delete(upstream)))
  }

  /** A listener that throws does not disturb the gateway. */
  #emit(event: GatewayEvent): void {
    try {
      this.#options.onEvent?.(event)
    } catch {
      // There is nobody else to tell.
    }
  }

  #track(ending: Promise<unknown>): void {
    const settled = ending.catch(() => {}).finally(() => this.#ending.delete(settled))
    this.#ending.add(settled)
  }
}
