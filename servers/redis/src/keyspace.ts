import { ToolError } from '@tenon/sdk/server'
import type { LiveSettings } from '@tenon/server-kit'
import { escapeGlob } from './glob.ts'
import type { RedisSettings } from './redis-settings.ts'

/** The keys that the operator allows: those with one of the prefixes, or all. Keys are compared as bytes. */
export class Keyspace {
  readonly #settings: LiveSettings<Pick<RedisSettings, 'prefix'>>

  constructor(settings: LiveSettings<Pick<RedisSettings, 'prefix'>>) {
    this.#settings = settings
  }

  get prefixes(): readonly string[] {
    return this.#settings.current.prefix
  }

  allows(key: Buffer): boolean {
    return this.prefixes.length === 0 || this.prefixes.some((prefix) => startsWith(key, Buffer.from(prefix)))
  }

  check(key: Buffer): void {
    if (this.allows(key)) return
    const allowed = this.prefixes.map((prefix) => JSON.stringify(prefix)).join(', ')
    throw new ToolError(`This server may only use keys that begin with ${allowed}.`)
  }

  /** The pattern for SCAN. It spares the transport of other keys; the reader of the answer still asks `allows`. */
  narrow(pattern: string): string {
    const [only, ...more] = this.prefixes
    return pattern === '*' && only !== undefined && more.length === 0 ? `${escapeGlob(only)}*` : pattern
  }
}

const startsWith = (key: Buffer, prefix: Buffer): boolean => key.subarray(0, prefix.length).equals(prefix)
