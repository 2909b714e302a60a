import type { JsonObject } from '@tenon/sdk/client'
import { hasSession, lastingList } from '@tenon/sdk/relay'
import type { Caller } from '@tenon/sdk/server'
import type { GatewayCaller } from '../model.ts'

interface KeptList {
  readonly result: JsonObject
  readonly chars: number
  holds(): boolean
}

/** The most text of all kept lists together. */
const maxChars = 32 * 1024 * 1024

/**
 * The lists of one virtual server, as their callers see them. A list is made again as soon as anything that it was made of may
 * have changed; until then the same object is sent, which the library writes once.
 */
export class KeptLists {
  /** The least recently used first. */
  readonly #lists = new Map<string, KeptList>()
  readonly #connections = new WeakMap<object, number>()
  #connectionCount = 0
  #chars = 0

  /** Names the list that a caller asks for. */
  keyOf(method: string, { cursor }: JsonObject, from: Caller, caller: GatewayCaller): string {
    return JSON.stringify([method, cursor, this.#connectionOf(from), from.auth?.principal, caller])
  }

  get(key: string): JsonObject | undefined {
    const known = this.#lists.get(key)
    if (known === undefined) return undefined
    this.#lists.delete(key)
    if (known.holds()) {
      this.#lists.set(key, known)
      return known.result
    }
    this.#chars -= known.chars
    return undefined
  }

  add(key: string, result: JsonObject, holds: () => boolean): void {
    if (!holds()) return
    const chars = key.length + JSON.stringify(result).length
    this.#remove(key)
    this.#lists.set(key, { result: lastingList(result), chars, holds })
    this.#chars += chars
    for (const oldest of this.#lists.keys()) {
      if (this.#chars <= maxChars) return
      this.#remove(oldest)
    }
  }

  #remove(key: string): void {
    this.#chars -= this.#lists.get(key)?.chars ?? 0
    this.#lists.delete(key)
  }

  /** Upstreams may give each connection another list. */
  #connectionOf(caller: Caller): number {
    const { connection } = caller
    // A request over HTTP without a session belongs to its caller only.
    if (connection.transport === 'http' && !hasSession(caller)) return 0
    const known = this.#connections.get(connection) ?? ++this.#connectionCount
    this.#connections.set(connection, known)
    return known
  }
}
