import { ToolError } from '@tenon/sdk/server'
import type { LiveSettings } from '@tenon/server-kit'
import { type Argument, type CommandName, isWrite, keysOf, type Reply } from './commands.ts'
import { Connection } from './connection.ts'
import { Keyspace } from './keyspace.ts'
import type { RedisSettings } from './redis-settings.ts'

/** A command with its arguments. */
export type Command = readonly [name: CommandName, ...args: Argument[]]

/** Redis behind the rules of the operator: every command passes here, and every key of it is checked. */
export class Database {
  readonly keyspace: Keyspace
  readonly #settings: LiveSettings<RedisSettings>
  readonly #connection: Connection

  constructor(settings: LiveSettings<RedisSettings>) {
    this.#settings = settings
    this.keyspace = new Keyspace(settings)
    this.#connection = new Connection(settings)
  }

  get settings(): RedisSettings {
    return this.#settings.current
  }

  async send(...[name, ...args]: Command): Promise<Reply> {
    this.#check(name, args)
    return this.#connection.call(name, args)
  }

  /** Sends commands together. If one fails, so does the whole; the others may have run. */
  async sendAll<const C extends readonly Command[]>(list: C): Promise<{ [K in keyof C]: Reply }> {
    for (const [name, ...args] of list) this.#check(name, args)
    return (await Promise.all(list.map(([name, ...args]) => this.#connection.call(name, args)))) as {
      [K in keyof C]: Reply
    }
  }

  close(): Promise<void> {
    return this.#connection.close()
  }

  #check(name: CommandName, args: readonly Argument[]): void {
    if (isWrite(name) && this.settings.readOnly) throw new ToolError('This server only reads (--read-only).')
    for (const key of keysOf(name, args)) this.keyspace.check(toBytes(key))
  }
}

const toBytes = (key: Argument): Buffer => (Buffer.isBuffer(key) ? key : Buffer.from(String(key)))
