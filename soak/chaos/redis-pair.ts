import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { Redis } from 'ioredis'
import { startRedis, type TestRedis } from '../../scripts/test-redis.ts'

const persistent = ['--appendonly', 'yes', '--appendfsync', 'everysec', '--enable-debug-command', 'yes']

/** A primary and its replica behind one address, which leads to the primary. */
export class RedisPair {
  #primary: TestRedis
  #replica: TestRedis
  readonly #door: Server
  readonly #sockets = new Set<Socket>()
  #isCutOff = false

  private constructor(primary: TestRedis, replica: TestRedis) {
    this.#primary = primary
    this.#replica = replica
    this.#door = createServer((near) => this.#join(near))
  }

  static async start(): Promise<RedisPair> {
    const [primary, replica] = [
      await startRedis({ tcp: true, args: persistent }),
      await startRedis({ tcp: true, args: persistent }),
    ]
    const pair = new RedisPair(primary, replica)
    pair.#door.listen(0, '0.0.0.0')
    await once(pair.#door, 'listening')
    await pair.#follow()
    return pair
  }

  get port(): number {
    return (this.#door.address() as AddressInfo).port
  }

  /** Killed, and started again with the data of its disk. */
  async restart(awayMs: number): Promise<void> {
    await this.#primary.kill()
    await pause(awayMs)
    await this.#primary.restart()
  }

  /** Answers nothing for a while. */
  async sleep(seconds: number): Promise<void> {
    await ask(this.#primary, (redis) => redis.call('DEBUG', 'SLEEP', String(seconds)))
  }

  /** The replica takes over. For a moment clients still reach the old primary, which is READONLY then. */
  async failOver(): Promise<void> {
    await ask(this.#primary, async (redis) => {
      while (!String(await redis.info('replication')).includes('state=online')) await pause(20)
      await redis.call('FAILOVER', 'TO', '127.0.0.1', String(this.#replica.port))
      while (!String(await redis.info('replication')).includes('role:slave')) await pause(20)
    })
    await pause(200)
    ;[this.#primary, this.#replica] = [this.#replica, this.#primary]
    for (const socket of this.#sockets) socket.destroy()
    await this.#follow()
  }

  /** Bytes vanish on the way, and connections stay open. */
  async cutOff(ms: number): Promise<void> {
    this.#isCutOff = true
    await pause(ms)
    this.#isCutOff = false
    // Bytes are missing in these connections.
    for (const socket of this.#sockets) socket.destroy()
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    this.#door.close()
    await this.#primary.stop()
    await this.#replica.stop()
  }

  async #follow(): Promise<void> {
    const { port } = this.#primary
    await ask(this.#replica, async (redis) => {
      await redis.replicaof('127.0.0.1', port!)
      while (!String(await redis.info('replication')).includes('master_link_status:up')) await pause(20)
    })
  }

  #join(near: Socket): void {
    const far = connect(this.#primary.port!, '127.0.0.1')
    this.#sockets.add(near)
    const ways: [Socket, Socket][] = [
      [near, far],
      [far, near],
    ]
    for (const [from, to] of ways) {
      from.setNoDelay()
      from.on('data', (chunk: Buffer) => {
        if (!this.#isCutOff) to.write(chunk)
      })
      from.on('error', () => {})
      from.on('close', () => {
        to.destroy()
        this.#sockets.delete(near)
      })
    }
  }
}

async function ask<T>({ socket }: TestRedis, use: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis(socket)
  redis.on('error', () => {})
  try {
    return await use(redis)
  } finally {
    redis.disconnect()
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
