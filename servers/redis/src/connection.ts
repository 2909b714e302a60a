import { ToolError } from '@tenon/sdk/server'
import { type LiveSettings, Misuse } from '@tenon/server-kit'
import { type Address, addressOf } from './address.ts'
import type { Argument, CommandName, Reply } from './commands.ts'
import { OpenConnection } from './open-connection.ts'
import type { RedisSettings } from './redis-settings.ts'

/** The connection to Redis: made when a call needs it, and made again after it was lost or the address changed. */
export class Connection {
  readonly #settings: LiveSettings<RedisSettings>
  #current: Promise<OpenConnection> | undefined

  constructor(settings: LiveSettings<RedisSettings>) {
    this.#settings = settings
    settings.onChange((now, before) => {
      if (connectionIdentity(now) !== connectionIdentity(before)) void this.close()
    })
  }

  async call(name: CommandName, args: readonly Argument[]): Promise<Reply> {
    const current = this.#current ?? this.#open()
    const connection = await current
    if (connection.isUsable) return connection.call(name, args)
    // It was lost, and nothing was sent: the call takes the next one.
    if (this.#current === current) this.#current = undefined
    return (await (this.#current ?? this.#open())).call(name, args)
  }

  async close(): Promise<void> {
    const closing = this.#current
    this.#current = undefined
    const connection = await closing?.catch(() => undefined)
    await connection?.close()
  }

  #open(): Promise<OpenConnection> {
    const forget = (): void => {
      if (this.#current === opening) this.#current = undefined
    }
    const { timeout } = this.#settings.current
    const opening = Promise.resolve(this.#settings.current)
      .then(currentAddress)
      .then((address) => OpenConnection.open(address, timeout, forget))
    opening.catch(forget)
    this.#current = opening
    return opening
  }
}

/** The settings that a connection depends on. */
export const connectionIdentity = ({
  redis,
  username,
  password,
  passwordFile,
  database,
  tlsCa,
}: RedisSettings): string => JSON.stringify([redis, username, password, passwordFile, database, tlsCa])

/** A config file that changed may hold a wrong address: callers hear of it. */
export function currentAddress(settings: RedisSettings): Address {
  try {
    return addressOf(settings)
  } catch (error) {
    if (error instanceof Misuse) throw new ToolError(`The settings of this server are wrong: ${error.message}`)
    throw error
  }
}
