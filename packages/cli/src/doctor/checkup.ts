import type { Client, TrafficEvent } from '@tenon/sdk/client'
import type { CommandCall } from '../command.ts'
import { type Explained, explain } from '../explain.ts'
import { openTarget } from '../server/connect.ts'
import type { connectionOptions } from '../server/options.ts'
import { silentCall } from '../server/silent-call.ts'
import type { ResolvedTarget } from '../server/target.ts'

type Call = CommandCall<typeof connectionOptions>

/** The request that a server answered first: it tells whether there is a session. */
type Greeting = 'initialize' | 'server/discover'

/** How long one check may take, unless `--timeout` says otherwise. */
const patienceMs = 30_000
const mostRefused = 1_000

/** The connection that the checks of one server share, and everything that was noticed on it. */
export class Checkup {
  readonly resolved: ResolvedTarget
  /** The lists of the server, once they were read. */
  readonly found = new Map<string, object[]>()
  /** The request that was answered. */
  greeting: Greeting | undefined
  /** Lines of the server that are no messages. */
  readonly refused: string[] = []
  /** How many of them a check has seen. */
  judgedLines = 0
  readonly #call: Call
  readonly #asked = new Map<unknown, Greeting>()
  #opening: Promise<Client | Explained> | undefined

  constructor(call: Call, resolved: ResolvedTarget) {
    this.#call = call
    this.resolved = resolved
  }

  get signal(): AbortSignal {
    return this.#call.signal
  }

  get timeoutMs(): number {
    return this.#call.options.timeout ?? patienceMs
  }

  /** Connects, once: the client, or why there is none. */
  open(): Promise<Client | Explained> {
    this.#opening ??= this.#open()
    return this.#opening
  }

  /** The client of a connection that was made. */
  async client(): Promise<Client> {
    const opened = await this.open()
    if ('exitCode' in opened) throw new Error(opened.message)
    return opened
  }

  async close(): Promise<void> {
    const opened = await this.#opening
    if (opened !== undefined && 'close' in opened) await opened.close()
  }

  async #open(): Promise<Client | Explained> {
    try {
      const call = silentCall(this.#call, [], this.#call.signal)
      const { client } = await openTarget(call, this.resolved, {
        onMessage: (event) => this.#heard(event),
        timeoutMs: this.timeoutMs,
        cache: false,
      })
      Object.assign(this.#call.envelope, call.envelope)
      return client
    } catch (thrown) {
      this.#call.signal.throwIfAborted()
      return explain(thrown)
    }
  }

  #heard(event: TrafficEvent): void {
    const { from, payload } = event
    if (from === 'server' && event.refusal) this.#refuse(event.input?.start ?? event.refusal.message)
    const { id, method, result } = (payload ?? {}) as { id?: unknown; method?: unknown; result?: unknown }
    if (from === 'client' && (method === 'initialize' || method === 'server/discover')) this.#asked.set(id, method)
    if (from === 'server' && result !== undefined) this.greeting ??= this.#asked.get(id)
  }

  /** A program may print without end. */
  #refuse(line: string): void {
    if (this.refused.length < mostRefused) this.refused.push(line)
  }
}
