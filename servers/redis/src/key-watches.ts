import { createHash } from 'node:crypto'
import type { EndWatch } from '@tenon/sdk/server'
import type { ChangeFeed } from './change-feed.ts'
import type { Database } from './database.ts'
import { readKeyContents } from './readers/key-contents.ts'

const maxKeys = 1_000

interface WatchedKey {
  readonly key: Buffer
  /** Subscriptions by URI: one key may have several. */
  readonly uris: Map<string, number>
  /** Digest of the contents, if Redis does not tell of changes and they are looked at from time to time. */
  digest?: string
}

/**
 * Tells of changes to keys that clients subscribe to. Redis tells of them where its keyspace notifications are on; elsewhere
 * the watched keys, and only those, are read from time to time.
 */
export class KeyWatches {
  readonly #database: Database
  readonly #changed: (uri: string) => void
  readonly #feed: ChangeFeed
  readonly #keys = new Map<string, WatchedKey>()
  #timer: NodeJS.Timeout | undefined

  constructor(database: Database, feed: ChangeFeed, changed: (uri: string) => void) {
    this.#database = database
    this.#feed = feed
    this.#changed = changed
    feed.onChange((key) => this.#tell(this.#keys.get(key.toString('latin1'))))
    // Changes of the time without a connection are not known.
    feed.onGap(() => {
      for (const watched of this.#keys.values()) this.#tell(watched)
    })
  }

  /** Begins to watch a key; returns the end of it. Nothing, if it may not be watched. */
  async begin(key: Buffer, uri: string): Promise<EndWatch | undefined> {
    if (!this.#database.keyspace.allows(key)) return undefined
    const name = key.toString('latin1')
    const watched = this.#keys.get(name) ?? { key, uris: new Map<string, number>() }
    if (!this.#keys.has(name)) {
      if (this.#keys.size >= maxKeys) return undefined
      this.#keys.set(name, watched)
      if (!(await this.#feed.follow(key))) await this.#look(watched)
    }
    watched.uris.set(uri, (watched.uris.get(uri) ?? 0) + 1)
    this.#schedule()
    return () => this.#end(name, watched, uri)
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#keys.clear()
    this.#feed.close()
  }

  #end(name: string, watched: WatchedKey, uri: string): void {
    const count = (watched.uris.get(uri) ?? 0) - 1
    if (count > 0) watched.uris.set(uri, count)
    else watched.uris.delete(uri)
    if (watched.uris.size > 0 || this.#keys.get(name) !== watched) return
    this.#keys.delete(name)
    this.#feed.forget(watched.key)
  }

  #tell(watched: WatchedKey | undefined): void {
    if (watched === undefined || !this.#database.keyspace.allows(watched.key)) return
    for (const uri of watched.uris.keys()) this.#changed(uri)
  }

  #schedule(): void {
    const isNeeded = [...this.#keys.values()].some(({ digest }) => digest !== undefined)
    if (this.#timer !== undefined || !isNeeded) return
    const look = (): void => void this.#lookAtAll()
    this.#timer = setTimeout(look, this.#database.settings.pollInterval).unref()
  }

  async #lookAtAll(): Promise<void> {
    for (const watched of [...this.#keys.values()]) {
      const before = watched.digest
      if (before === undefined) continue
      await this.#look(watched)
      if (watched.digest !== before) this.#tell(watched)
    }
    this.#timer = undefined
    this.#schedule()
  }

  /** While Redis cannot be asked the digest stays, so a change is told when it is back. */
  async #look(watched: WatchedKey): Promise<void> {
    try {
      const contents = await readKeyContents(this.#database, watched.key, undefined, neverAborted)
      watched.digest = digestOf(JSON.stringify(contents) ?? 'missing')
    } catch {
      watched.digest ??= 'unknown'
    }
  }
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64')

const neverAborted = new AbortController().signal
