import { isRpcError, type JsonObject } from '@tenon/sdk/client'
import type { GatewayCaller } from '../model.ts'

/** A request that was answered, as operators see it: neither its arguments nor its result. */
export interface TrafficEntry {
  /** ISO 8601: the beginning. */
  readonly time: string
  readonly caller: string
  readonly server: string
  readonly upstream: string
  readonly method: string
  /** The name or URI, as the upstream has it. */
  readonly name?: string
  /** `ok`, `tool_error`, `failure`, or the code of an error. */
  readonly status: string
  readonly ms: number
}

interface Seen {
  readonly caller: GatewayCaller
  readonly server: string
  readonly upstream: string
  readonly method: string
  readonly params: JsonObject
}

const maxNameChars = 200
const maxCallers = 200

/** The requests that pass, for those who watch. Nobody pays while nobody does. */
export class Traffic {
  readonly #watching = new Set<(entry: TrafficEntry) => void>()
  /** The least recent first. */
  readonly #callers = new Map<string, GatewayCaller>()

  get isWatched(): boolean {
    return this.#watching.size > 0
  }

  /** Those who called while somebody watched, the latest first. */
  get callers(): readonly GatewayCaller[] {
    return [...this.#callers.values()].reverse()
  }

  watch(listener: (entry: TrafficEntry) => void): () => void {
    // Each has a place of its own, also if the same function watches twice.
    const tell = (entry: TrafficEntry): void => listener(entry)
    this.#watching.add(tell)
    return () => void this.#watching.delete(tell)
  }

  note(seen: Seen, answered: Promise<unknown>): void {
    const { caller, server, upstream, method, params } = seen
    const [time, began] = [new Date().toISOString(), performance.now()]
    this.#callers.delete(caller.id)
    this.#callers.set(caller.id, caller)
    if (this.#callers.size > maxCallers) this.#callers.delete(this.#callers.keys().next().value!)
    const name = params.name ?? params.uri
    const about = {
      time,
      caller: caller.id,
      server,
      upstream,
      method,
      ...(typeof name === 'string' && { name: name.slice(0, maxNameChars) }),
    }
    const tell = (status: string): void => {
      const entry = { ...about, status, ms: Math.round(performance.now() - began) }
      for (const listener of this.#watching) listener(entry)
    }
    answered.then(
      (result) => tell((result as JsonObject | undefined)?.isError === true ? 'tool_error' : 'ok'),
      (error: unknown) => tell(isRpcError(error) ? String(error.code) : 'failure'),
    )
  }
}
