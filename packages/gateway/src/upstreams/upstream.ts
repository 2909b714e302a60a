import { type Bridge, type BridgeEvent, bridge } from '@tenon/bridge'
import type { UpstreamConfig } from '../config/model.ts'
import type { GatewayItem } from '../model.ts'
import { Breaker, type UpstreamState } from './breaker.ts'
import { failureReason, resting } from './failure.ts'
import { offeredBy } from './offered.ts'
import { probe } from './probe.ts'
import type { UpstreamTarget } from './target.ts'

/** An upstream as operators see it. */
export interface UpstreamStatus {
  readonly name: string
  readonly state: UpstreamState
  /** Its name and revision, once it was reached. */
  readonly server?: string
  readonly revision?: string
  /** The last failure, in words for operators. */
  readonly problem?: string
  /** Requests under way. */
  readonly inFlight: number
}

interface UpstreamHooks {
  changed(status: UpstreamStatus): void
  report(error: unknown, during: string): void
}

/** The longest wait for requests that are under way when an upstream leaves the configuration. */
const drainMs = 60_000

/** Operators look at several pages in a row: for so long they get what was offered before. */
const offeredMs = 10_000

/** An upstream in use: its bridge, and what is known about its health. */
export class RunningUpstream {
  readonly name: string
  readonly config: UpstreamConfig
  readonly bridge: Bridge
  readonly #target: UpstreamTarget
  readonly #hooks: UpstreamHooks
  readonly #breaker: Breaker
  readonly #idle = new Set<() => void>()
  #checks: ReturnType<typeof setInterval> | undefined
  #inFlight = 0
  #failures = 0
  #server: string | undefined
  #revision: string | undefined
  #problem: string | undefined
  #offered: { readonly items: Promise<GatewayItem[]>; readonly at: number } | undefined

  constructor(name: string, config: UpstreamConfig, target: UpstreamTarget, hooks: UpstreamHooks) {
    this.name = name
    this.config = config
    this.#target = target
    this.#hooks = hooks
    this.#breaker = new Breaker(config.breaker ?? {}, () => hooks.changed(this.status))
    const { maxConnections, health } = config
    this.bridge = bridge(target.source, {
      name,
      ...(maxConnections !== undefined && { maxConnections }),
      onEvent: (event) => this.#happened(event),
      onError: (error) => hooks.report(error, `upstream ${name}`),
    })
    if (health !== undefined) {
      this.#checks = setInterval(() => void this.check(), health.everyMs)
      this.#checks.unref()
    }
  }

  get status(): UpstreamStatus {
    const server = this.#server
    const revision = this.#revision
    const problem = this.#breaker.state === 'up' ? undefined : this.#problem
    return {
      name: this.name,
      state: this.#breaker.state,
      ...(server !== undefined && { server }),
      ...(revision !== undefined && { revision }),
      ...(problem !== undefined && { problem }),
      inFlight: this.#inFlight,
    }
  }

  /** Whether the last that was heard of it is good. */
  get isUp(): boolean {
    return this.#breaker.state === 'up'
  }

  /**
   * Does work at the upstream, unless it is resting. Work of the gateway itself, such as a list, shows whether the upstream
   * can be used. A call that fails does not: a caller could let calls fail, and nobody else could use the upstream.
   */
  async use<T>(work: () => Promise<T>, { decides = false }: { decides?: boolean } = {}): Promise<T> {
    const waitMs = this.#breaker.wait()
    if (waitMs > 0) throw resting(this.name, waitMs)
    const before = this.#failures
    const late = decides ? this.#afterPatience(() => this.#fail(`no answer within ${this.#patienceMs} ms`)) : undefined
    try {
      const result = await work()
      this.#breaker.succeeded()
      return result
    } catch (error) {
      const isNew = this.#failures === before && decides && failureReason(error) !== undefined
      if (isNew) this.#fail(messageOf(error))
      else this.#breaker.undecided()
      throw error
    } finally {
      clearTimeout(late)
    }
  }

  /** Counts a request until it is answered: `idle` waits for it. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#inFlight++
    try {
      return await work()
    } finally {
      this.#inFlight--
      if (this.#inFlight === 0) for (const resolve of this.#idle) resolve()
    }
  }

  /** Asks whether it is there. */
  async check(): Promise<UpstreamStatus> {
    try {
      await probe(await this.#target.forProbe(), this.config.timeoutMs)
      this.#breaker.succeeded()
    } catch (error) {
      this.#fail(messageOf(error))
    }
    return this.status
  }

  /** Everything that it offers, for operators: asked by the gateway itself, on a connection of its own. */
  offered(): Promise<GatewayItem[]> {
    const now = performance.now()
    if (this.#offered === undefined || now - this.#offered.at > offeredMs) {
      const read = async (): Promise<GatewayItem[]> =>
        offeredBy(this.name, await this.#target.forProbe(), this.config.timeoutMs)
      this.#offered = { items: read(), at: now }
    }
    return this.#offered.items
  }

  /** Resolves when no request is under way, or after a while. */
  async idle(): Promise<void> {
    if (this.#inFlight > 0) await this.#drained()
  }

  /** Closes when the requests that are under way have ended. */
  async retire(): Promise<void> {
    clearInterval(this.#checks)
    await this.idle()
    await this.close()
  }

  async close(): Promise<void> {
    clearInterval(this.#checks)
    await this.bridge.close()
    await this.#target.close?.()
  }

  #drained(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, drainMs)
      timer.unref()
      this.#idle.add(() => {
        clearTimeout(timer)
        resolve()
      })
    })
  }

  #happened(event: BridgeEvent): void {
    if (event.kind === 'opened') {
      this.#server = event.server
      this.#revision = event.revision
    } else if (event.kind === 'failed') {
      // Wrong credentials of one caller say nothing about the upstream.
      if (failureReason(event.error) !== undefined) this.#fail(messageOf(event.error))
      this.#hooks.report(event.error, `upstream ${this.name}`)
    } else if (event.kind === 'lost') this.#hooks.report(event.reason, `upstream ${this.name}`)
  }

  /** The upstream cannot be used: it was not reached, or did not answer. */
  #fail(problem: string): void {
    this.#problem = problem
    this.#failures++
    this.#breaker.failed()
  }

  get #patienceMs(): number {
    return this.config.timeoutMs ?? 10_000
  }

  #afterPatience(late: () => void): ReturnType<typeof setTimeout> {
    const timer = setTimeout(late, this.#patienceMs)
    timer.unref()
    return timer
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
