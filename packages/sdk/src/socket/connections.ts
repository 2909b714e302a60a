import { withinMs } from '../internal/timers.ts'
import type { Channel } from '../jsonrpc/channel.ts'
import type { ConnectionInfo } from '../server/caller.ts'
import type { AnyServer, ServerConnection } from '../server/server.ts'

/** A channel that its host can close gracefully. */
export interface HostedChannel extends Channel {
  /** Receives nothing more, as if the peer had ended its half: requests in flight can still be answered. */
  stopReceiving(): void
}

interface Hosted {
  channel: HostedChannel
  connection: ServerConnection
  done: Promise<void>
}

/** The clients of a listening server. */
export class Connections {
  readonly #server: AnyServer
  readonly #open = new Set<Hosted>()

  constructor(server: AnyServer) {
    this.#server = server
  }

  get size(): number {
    return this.#open.size
  }

  serve(channel: HostedChannel, info: ConnectionInfo): void {
    const connection = this.#server.connect(channel, info)
    const done = connection.closed.then(async () => {
      await connection.close()
      this.#open.delete(hosted)
    })
    const hosted: Hosted = { channel, connection, done }
    this.#open.add(hosted)
  }

  /** Lets requests in flight finish, up to the limit, and ends every connection. */
  async close(limitMs: number): Promise<void> {
    const open = [...this.#open]
    for (const { channel } of open) channel.stopReceiving()
    await withinMs(limitMs, Promise.all(open.map(({ done }) => done)))
    await Promise.all([...this.#open].map(({ connection }) => connection.close()))
  }
}
