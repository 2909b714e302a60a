import { type Client, isMcpError } from '@tenon/sdk/client'
import { HostError, isHostError, messageOf } from '../host-error.ts'
import { pause, unlessAborted } from './pause.ts'
import type { RestartSettings } from './server-config.ts'

/**
 * - `idle`: nothing needed it yet
 * - `starting`: being connected to, and its lists read
 * - `ready`: answers
 * - `waiting`: ended or failed, and is started again after a pause
 * - `failed`: not tried any more, except by a call
 * - `stopped`: removed, or the host was closed
 */
export type ServerState = 'idle' | 'starting' | 'ready' | 'waiting' | 'failed' | 'stopped'

interface SupervisorHooks {
  /** Connects, and does everything that must be done before the first call. */
  open(signal: AbortSignal): Promise<Client>
  changed(state: ServerState): void
}

const defaults: Required<RestartSettings> = {
  maxAttempts: 5,
  backoffMs: 250,
  maxBackoffMs: 30_000,
  stableMs: 30_000,
}

/** Errors that time does not heal: only a call, which has someone to see them, tries again. */
const lasting: ReadonlySet<string> = new Set(['unauthorized', 'negotiation', 'invalid_argument', 'untrusted', 'denied'])

const isLasting = (error: unknown): boolean => (isMcpError(error) || isHostError(error)) && lasting.has(error.code)

/** Starts one server when it is needed, and again after a growing pause when it ends by itself. */
export class Supervisor {
  state: ServerState = 'idle'
  /** The reason of the last failure, until the server is ready again. */
  error: Error | undefined
  client: Client | undefined
  readonly #name: string
  readonly #hooks: SupervisorHooks
  readonly #restart: Required<RestartSettings>
  readonly #stop = new AbortController()
  #attempt: Promise<Client> | undefined
  #failures = 0
  #since = 0
  #retryAt = 0

  constructor(name: string, restart: RestartSettings, hooks: SupervisorHooks) {
    this.#name = name
    this.#hooks = hooks
    this.#restart = { ...defaults, ...restart }
  }

  /** Fires when the server is stopped for good. */
  get stopped(): AbortSignal {
    return this.#stop.signal
  }

  /** The connection; starts the server if it does not run. Fails with the next attempt that fails. */
  async connected(signal?: AbortSignal): Promise<Client> {
    if (this.client !== undefined) return this.client
    if (this.state === 'stopped') throw new HostError('closed', `Server ${this.#name} was stopped`)
    if (this.state === 'failed' && performance.now() < this.#retryAt) throw this.#unavailable()
    this.#attempt ??= this.#begin(0)
    return unlessAborted(this.#attempt, signal)
  }

  async stop(): Promise<void> {
    if (this.state === 'stopped') return
    this.#set('stopped')
    this.#stop.abort(new HostError('closed', `Server ${this.#name} was stopped`))
    const { client } = this
    this.client = undefined
    await client?.close()
    // An attempt in work closes its own connection when it notices; nothing may outlive this call.
    await this.#attempt?.catch(() => {})
  }

  #begin(pauseMs: number): Promise<Client> {
    const attempt = this.#run(pauseMs)
    attempt.catch(() => {})
    return attempt
  }

  async #run(pauseMs: number): Promise<Client> {
    const { signal } = this.#stop
    if (pauseMs > 0) {
      this.#set('waiting')
      await pause(pauseMs, signal)
      signal.throwIfAborted()
    }
    this.#set('starting')
    try {
      const client = await this.#hooks.open(signal)
      if (signal.aborted) await client.close()
      signal.throwIfAborted()
      this.#use(client)
      return client
    } catch (error) {
      this.#attempt = undefined
      if (!signal.aborted) this.#failed(error)
      throw signal.aborted ? signal.reason : this.#unavailable()
    }
  }

  #use(client: Client): void {
    this.#attempt = undefined
    this.client = client
    this.error = undefined
    this.#since = performance.now()
    this.#set('ready')
    void client.closed.then((reason) => this.#lost(client, reason))
  }

  #lost(client: Client, reason: Error): void {
    if (client !== this.client || this.#stop.signal.aborted) return
    this.client = undefined
    if (performance.now() - this.#since >= this.#restart.stableMs) this.#failures = 0
    this.#failed(reason)
  }

  #failed(error: unknown): void {
    this.error = error instanceof Error ? error : new Error(messageOf(error))
    const failures = ++this.#failures
    const { maxAttempts, backoffMs, maxBackoffMs } = this.#restart
    const pauseMs = Math.min(maxBackoffMs, backoffMs * 2 ** Math.min(failures - 1, 20))
    if (isLasting(error) || failures >= maxAttempts) {
      this.#retryAt = performance.now() + (isLasting(error) ? 0 : pauseMs)
      this.#set('failed')
    } else this.#attempt = this.#begin(pauseMs)
  }

  #unavailable(): Error {
    const { error } = this
    if (isHostError(error)) return error
    return new HostError('unavailable', `Server ${this.#name} is not available: ${error?.message}`, { cause: error })
  }

  #set(state: ServerState): void {
    if (this.state === 'stopped' || this.state === state) return
    this.state = state
    this.#hooks.changed(state)
  }
}
