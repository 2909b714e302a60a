import { withinMs } from '../internal/timers.ts'
import type { Channel } from '../jsonrpc/channel.ts'
import type { ConnectionInfo } from '../server/caller.ts'
import type { AnyServer, ServerConnection } from '../server/server.ts'

/** A channel that its host can end gently. */
export interface HostedChannel extends Channel {
  /** Takes nothing in any more, as if the other side had ended its half: what is in work can still be answered. */
  stopReceiving(): void
}

interface Hosted {
  channel: HostedChannel
  connection: ServerConnection
  done: Promise<void>
}

/** The clients that a listening server has. */
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

  /** Lets what is in work finish, as long as the limit allows, and ends every connection. */
  async close(limitMs: number): Promise<void> {
    const open = [...this.#open]
    for (const { channel } of open) channel.stopReceiving()
    await withinMs(limitMs, Promise.all(open.map(({ done }) => done)))
    await Promise.all([...this.#open].map(({ connection }) => connection.close()))
  }
}
