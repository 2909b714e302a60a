import { type AuthInfo, isSameAuth } from '../jsonrpc/auth-info.ts'

type Report = (error: unknown) => void

/** The user contexts that were made for one token, by the server that made them. */
export interface ContextSet {
  readonly auth: AuthInfo | undefined
  readonly made: Map<object, unknown>
  users: number
}

/** Sets that nobody uses at the moment: a session has the token in use and its successor, rarely more. */
const maxUnused = 3

/**
 * The user contexts of a session, one set for each of its latest tokens: a context may hold data that its token allows, so no
 * request with another token may find it.
 */
export class UserContexts {
  /** The one that was used last comes last. */
  #sets: ContextSet[] = []
  #ended = false

  /** The set for a token. Its user calls `leave` when it is done. */
  use(auth: AuthInfo | undefined): ContextSet {
    const known = this.#sets.find((set) => isSameAuth(set.auth, auth))
    const set = known ?? { auth, made: new Map(), users: 0 }
    set.users++
    this.#sets = [...this.#sets.filter((other) => other !== set), set]
    return set
  }

  /** Contexts of earlier tokens end when the last request that uses them does. */
  leave(set: ContextSet, report: Report): void {
    set.users--
    const unused = this.#sets.filter(({ users }) => users === 0)
    const ending = this.#ended ? unused : unused.slice(0, -maxUnused)
    if (ending.length === 0) return
    this.#sets = this.#sets.filter((one) => !ending.includes(one))
    for (const one of ending) disposeAll(one, report)
  }

  /** Ends all of them. A request that is still being answered may make one more, which ends with the request. */
  dispose(report: Report): void {
    this.#ended = true
    for (const set of this.#sets) disposeAll(set, report)
    this.#sets = []
  }
}

function disposeAll({ made }: ContextSet, report: Report): void {
  for (const context of made.values()) void disposeOf(context).catch(report)
  made.clear()
}

async function disposeOf(made: unknown): Promise<void> {
  const context = (await made) as Partial<AsyncDisposable & Disposable> | null | undefined
  if (typeof context !== 'object' || context === null) return
  await (context[Symbol.asyncDispose]?.() ?? context[Symbol.dispose]?.())
}
