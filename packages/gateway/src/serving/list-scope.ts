import { AsyncLocalStorage } from 'node:async_hooks'

/** The upstreams of one list, with the reason of those whose items are missing. */
export class ListScope {
  readonly listed: Set<string> = new Set()
  readonly failed: Map<string, string> = new Map()
}

const scopes = new AsyncLocalStorage<ListScope>()

/** Makes a list, and learns which upstreams took part. The library leaves out those that fail, and goes on. */
export async function listing<T>(work: () => Promise<T>): Promise<{ result: T; scope: ListScope }> {
  const scope = new ListScope()
  return { result: await scopes.run(scope, work), scope }
}

/** The list that is being made; undefined outside of one. */
export const currentList = (): ListScope | undefined => scopes.getStore()
