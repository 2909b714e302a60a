import { AsyncLocalStorage } from 'node:async_hooks'
import type { ListKind } from '../catalogue/kinds.ts'

/** One list that is being made: the upstreams that take part, and how long it may be kept. */
export class ListScope {
  readonly kind: ListKind
  readonly listed: Set<string> = new Set()
  /** Those whose items are missing, with the reason. */
  readonly failed: Map<string, string> = new Map()
  readonly #conditions: (() => boolean)[] = []

  constructor(kind: ListKind) {
    this.kind = kind
  }

  /** The list may be kept for as long as all conditions hold. */
  holdsWhile(condition: () => boolean): void {
    this.#conditions.push(condition)
  }

  /** Whether the same list would be made again. */
  holds(): boolean {
    return this.failed.size === 0 && this.#conditions.every((condition) => condition())
  }
}

const scopes = new AsyncLocalStorage<ListScope>()

/** Makes a list, and learns which upstreams took part. The library leaves out those that fail, and goes on. */
export const listing = <T>(scope: ListScope, work: () => Promise<T>): Promise<T> => scopes.run(scope, work)

/** The list that is being made; undefined outside of one. */
export const currentList = (): ListScope | undefined => scopes.getStore()
