import {
  type ChangeKind,
  type Client,
  type ConnectOptions,
  connect,
  type InputContext,
  type ServerDescription,
} from '@tenon/sdk/client'
import { ListReader } from '../catalogue/list-reader.ts'
import { type ListKind, noLists, type ServerLists } from '../catalogue/server-lists.ts'
import { longestTimerMs } from '../check-limits.ts'
import { HostError } from '../host-error.ts'
import type { CallInfo } from '../questions/types.ts'
import { canonicalJson } from '../trust/canonical-json.ts'
import { sha256 } from '../trust/definitions.ts'
import { type ResolvedTarget, resolveTarget } from './resolve-target.ts'
import type { ServerConfig } from './server-config.ts'
import { StderrTail } from './stderr-tail.ts'
import type { ServerState } from './supervisor.ts'
import { Supervisor } from './supervisor.ts'

/** A server of a host, as it is shown. */
export interface ServerStatus {
  /** The name in the configuration. */
  readonly name: string
  readonly state: ServerState
  /** Why it is not ready, if it failed. */
  readonly error: Error | undefined
  /** The last 64 KiB of its standard error. */
  readonly stderr: string
  readonly trusted: boolean
  /** Its description of itself, as it was when it last answered. */
  readonly description: ServerDescription | undefined
}

/** The parts of the host that a server needs. */
export interface ServerHooks {
  /** Fails unless the entry may be started. */
  approve(server: HostServer, resolved: ResolvedTarget): Promise<void>
  /** The callbacks for questions of this server. */
  answers(server: HostServer): ConnectOptions
  stateChanged(server: HostServer): void
  /** Lists were read; the first time before the server is ready. */
  listsChanged(server: HostServer): Promise<void>
  wrote(server: HostServer, text: string): void
  problem(server: HostServer, message: string): void
}

/** One server: its process or connection, its lists and its standard error. */
export class HostServer implements ServerStatus {
  readonly name: string
  readonly config: ServerConfig
  lists: ServerLists = noLists
  /** The hash of the resolved entry, once it was resolved. */
  origin: string | undefined
  description: ServerDescription | undefined
  /** The calls in flight. */
  readonly calls: Set<CallInfo> = new Set()
  readonly #hooks: ServerHooks
  readonly #supervisor: Supervisor
  readonly #stderr = new StderrTail()

  constructor(name: string, config: ServerConfig, hooks: ServerHooks) {
    this.name = name
    this.config = config
    this.#hooks = hooks
    this.#supervisor = new Supervisor(name, config.restart ?? {}, {
      open: (signal) => this.#open(signal),
      changed: () => hooks.stateChanged(this),
    })
  }

  get state(): ServerState {
    return this.#supervisor.state
  }

  get error(): Error | undefined {
    return this.#supervisor.error
  }

  get stderr(): string {
    return this.#stderr.text
  }

  get trusted(): boolean {
    return this.config.trusted === true
  }

  /** Fires when the server is stopped for good. */
  get stopped(): AbortSignal {
    return this.#supervisor.stopped
  }

  /** The connection, if there is one. */
  get client(): Client | undefined {
    return this.#supervisor.client
  }

  connected(signal?: AbortSignal): Promise<Client> {
    return this.#supervisor.connected(signal)
  }

  /** The call that led to a question: the only one in flight, where the protocol does not tell. */
  callOf({ origin }: InputContext): CallInfo | undefined {
    if (this.calls.has(origin as CallInfo)) return origin as CallInfo
    if (this.calls.size !== 1) return undefined
    const [call] = this.calls
    return call
  }

  stop(): Promise<void> {
    return this.#supervisor.stop()
  }

  async #open(stop: AbortSignal): Promise<Client> {
    const resolved = await resolveTarget(this.name, this.config)
    this.origin = resolved.identity && sha256(canonicalJson(resolved.identity))
    await this.#hooks.approve(this, resolved)
    const { startTimeoutMs = 60_000 } = this.config
    const late = new AbortController()
    const timer = setTimeout(
      () => late.abort(new HostError('unavailable', `not ready after ${startTimeoutMs} ms`)),
      Math.min(startTimeoutMs, longestTimerMs),
    )
    try {
      return await this.#connect(resolved, AbortSignal.any([stop, late.signal]))
    } catch (error) {
      throw late.signal.aborted ? late.signal.reason : error
    } finally {
      clearTimeout(timer)
    }
  }

  async #connect({ target, options }: ResolvedTarget, signal: AbortSignal): Promise<Client> {
    const isProcess = typeof target === 'object' && 'command' in target
    const stderr = (text: string): void => {
      this.#stderr.add(text)
      this.#hooks.wrote(this, text)
    }
    const client: Client = await connect(isProcess ? { ...target, stderr } : target, {
      ...options,
      ...this.#connectOptions(),
      signal,
    })
    const abandon = (): void => void client.close()
    signal.addEventListener('abort', abandon)
    try {
      this.description = client.server
      await this.#readLists(client)
      signal.throwIfAborted()
      return client
    } catch (error) {
      await client.close()
      throw error
    } finally {
      signal.removeEventListener('abort', abandon)
    }
  }

  #connectOptions(): ConnectOptions {
    const { auth, timeoutMs, maxTotalMs, prefer, connect: more = {} } = this.config
    return {
      ...more,
      limits: { maxQuestionsPerMinute: 60, ...more.limits },
      ...(auth && { auth }),
      ...(timeoutMs !== undefined && { timeoutMs }),
      ...(maxTotalMs !== undefined && { maxTotalMs }),
      ...(prefer && { prefer }),
      ...this.#hooks.answers(this),
    }
  }

  /** Listens for changes before it reads, so that none is missed in between. */
  async #readLists(client: Client): Promise<void> {
    const { capabilities } = client.server
    const gone = new AbortController()
    void client.closed.then((reason) => gone.abort(reason))
    this.lists = noLists
    let isFirst = true
    const readers = listGroups.map(([group, kinds]) => {
      const reader = new ListReader({
        client,
        kinds,
        signal: gone.signal,
        report: (message) => this.#hooks.problem(this, message),
        take: (lists) => {
          this.lists = { ...this.lists, ...lists }
        },
        changed: async () => {
          if (!isFirst) await this.#hooks.listsChanged(this)
        },
      })
      if (capabilities[group]?.listChanged) client.onChange(group, () => reader.changed())
      return reader
    })
    await Promise.all(readers.map((reader) => reader.first()))
    isFirst = false
    await this.#hooks.listsChanged(this)
  }
}

/** The lists by the announcement of their changes. */
const listGroups: readonly (readonly [ChangeKind, readonly ListKind[]])[] = [
  ['tools', ['tools']],
  ['resources', ['resources', 'templates']],
  ['prompts', ['prompts']],
]
