import { connect, createServer, type Server, type Socket } from 'node:net'

/** A proxy in front of a server that cuts connections on request. */
export class CuttingProxy {
  readonly #listener: Server
  readonly #sockets = new Set<Socket>()

  private constructor(listener: Server) {
    this.#listener = listener
  }

  static async open(target: () => number): Promise<CuttingProxy> {
    const listener = createServer()
    const proxy = new CuttingProxy(listener)
    listener.on('connection', (near) => proxy.#join(near, connect(target(), '127.0.0.1')))
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
    return proxy
  }

  get port(): number {
    return (this.#listener.address() as { port: number }).port
  }

  get connections(): number {
    return this.#sockets.size
  }

  #join(near: Socket, far: Socket): void {
    const ends: [Socket, Socket][] = [
      [near, far],
      [far, near],
    ]
    for (const [one, other] of ends) {
      one.setNoDelay()
      one.on('error', () => other.destroy())
      one.on('close', () => {
        other.destroy()
        this.#sockets.delete(near)
      })
      one.pipe(other)
    }
    this.#sockets.add(near)
  }

  /** Cuts one connection, with a FIN or with a RST, at any moment. False if there is none. */
  cut(at: number, hard: boolean): boolean {
    const socket = [...this.#sockets][Math.floor(at * this.#sockets.size)]
    if (socket === undefined) return false
    if (hard) socket.resetAndDestroy()
    else socket.destroy()
    return true
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    await new Promise((resolve) => this.#listener.close(resolve))
  }
}
