import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Other machines can never reach it, because its commands can start programs. */
export const listen = (server: Server, port: number, host: '127.0.0.1' | '::1' = '127.0.0.1'): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host, port, exclusive: true }, () => {
      server.off('error', reject)
      resolve((server.address() as AddressInfo).port)
    })
  })

const maxTries = 20

/**
 * Listens on one port of both addresses that `localhost` stands for: browsers ask either of them first, and another program
 * could answer on the one that is free.
 */
export async function listenOnLocalhost(create: () => Server): Promise<{ port: number; servers: Server[] }> {
  for (let tries = 1; ; tries++) {
    const first = create()
    const port = await listen(first, 0)
    const second = create()
    try {
      await listen(second, port, '::1')
      return { port, servers: [first, second] }
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      // A machine without IPv6 has no such address.
      if (code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT') return { port, servers: [first] }
      first.close()
      if (code !== 'EADDRINUSE' || tries === maxTries) throw error
    }
  }
}
