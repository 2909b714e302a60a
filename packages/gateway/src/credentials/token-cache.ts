import { McpError } from '@tenon/sdk/client'
import type { IssuedToken } from './token-requests.ts'

interface Entry {
  token: IssuedToken | undefined
  /** ms since 1970: then it is obtained again. */
  renewAt: number
  /** The access token that the upstream refused. */
  refused: string | undefined
  work: Promise<IssuedToken> | undefined
}

const maxEntries = 10_000
/** A token of unknown life is obtained again after this time. */
const unknownLifeMs = 5 * 60_000

/** Tokens by key. However many callers wait for a key, one token is obtained; nothing is shared between keys. */
export class TokenCache {
  /** The one that was used last comes last. */
  readonly #entries = new Map<string, Entry>()
  readonly #now: () => number
  readonly #maxLifeMs: number

  constructor(now: () => number = Date.now, maxLifeMs: number = Number.POSITIVE_INFINITY) {
    this.#now = now
    this.#maxLifeMs = maxLifeMs
  }

  /** `obtain` gets the access token that the upstream refused, if it did. */
  async get(
    key: string,
    obtain: (refused: string | undefined) => Promise<IssuedToken>,
    signal: AbortSignal,
  ): Promise<IssuedToken> {
    const entry = this.#entryOf(key)
    if (entry.token !== undefined && entry.renewAt > this.#now()) return entry.token
    entry.work ??= this.#obtain(entry, obtain).finally(() => {
      entry.work = undefined
    })
    return waitFor(entry.work, signal)
  }

  /** The upstream refused a token: the next `get` obtains another one, unless that has happened already. */
  refused(key: string, accessToken: string | undefined): void {
    const entry = this.#entries.get(key)
    if (entry?.token === undefined || (accessToken !== undefined && accessToken !== entry.token.accessToken)) return
    entry.refused = entry.token.accessToken
    entry.token = undefined
  }

  forget(key: string): void {
    this.#entries.delete(key)
  }

  async #obtain(entry: Entry, obtain: (refused: string | undefined) => Promise<IssuedToken>): Promise<IssuedToken> {
    const token = await obtain(entry.refused)
    const now = this.#now()
    const lifeMs = token.expiresAt === undefined ? unknownLifeMs : token.expiresAt - now
    // A little before the end, so that no request is on its way with a token that ends meanwhile.
    entry.renewAt = now + Math.min(lifeMs - Math.min(30_000, lifeMs / 10), this.#maxLifeMs)
    entry.token = token
    entry.refused = undefined
    return token
  }

  #entryOf(key: string): Entry {
    const entry = this.#entries.get(key) ?? { token: undefined, renewAt: 0, refused: undefined, work: undefined }
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    if (this.#entries.size > maxEntries) this.#entries.delete(this.#entries.keys().next().value!)
    return entry
  }
}

/** The work goes on for the others, and its requests have time limits of their own. */
function waitFor<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = (): void => reject(new McpError('cancelled', 'Nobody waits for the credentials any more'))
    signal.addEventListener('abort', leave, { once: true })
    if (signal.aborted) leave()
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave))
  })
}
