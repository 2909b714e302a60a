import { connect } from '@tenon/sdk/client'
import { CuttingProxy } from './cutting-proxy.ts'
import type { Footprint } from './footprint.ts'
import { ServerProcess } from './process.ts'
import type { Random } from './random.ts'

/** Every server process, each behind a proxy that can cut its connections. */
export class Fleet {
  readonly #servers = new Map<string, { server: ServerProcess; proxy: CuttingProxy }>()

  static async start(names: readonly string[]): Promise<Fleet> {
    const fleet = new Fleet()
    for (const name of names) {
      const server = new ServerProcess(name.replace('-victim', ''))
      await server.start()
      fleet.#servers.set(name, { server, proxy: await CuttingProxy.open(() => server.port) })
    }
    return fleet
  }

  portOf(names: readonly string[], random: Random): number {
    return names.length === 0 ? 0 : this.#servers.get(random.pick(names))!.proxy.port
  }

  /** The port of a server itself. */
  directPort(name: string): number | undefined {
    return this.#servers.get(name)?.server.port
  }

  /** The one that is never killed shows the leftovers of load. */
  get victims(): string[] {
    return [...this.#servers.keys()].filter((name) => name !== 'http')
  }

  restart(name: string): Promise<void> {
    return this.#servers.get(name)!.server.restart()
  }

  /** Cuts a connection somewhere. */
  cut(random: Random): boolean {
    const proxies = [...this.#servers.values()].map(({ proxy }) => proxy).filter(({ connections }) => connections > 0)
    return proxies.length > 0 && random.pick(proxies).cut(random.next(), random.chance(0.5))
  }

  /** The footprint of the server that was never killed, without clients. */
  async survivor(): Promise<Footprint | undefined> {
    const port = this.directPort('http')
    if (port === undefined) return undefined
    const patience = { probeTimeoutMs: 60_000, timeoutMs: 60_000 }
    await using client = await connect(`http://127.0.0.1:${port}/mcp`, { revisions: ['2026-07-28'], ...patience })
    // The second time counts: the first one also compiles the measuring code.
    await client.callTool('stats')
    return JSON.parse((await client.callTool('stats')).text) as Footprint
  }

  get complaints(): string[] {
    return [...this.#servers].flatMap(([name, { server }]) =>
      server.complaints === '' ? [] : [`the ${name} server wrote: ${server.complaints}`],
    )
  }

  async stop(): Promise<void> {
    for (const { server, proxy } of this.#servers.values()) {
      await proxy.close()
      await server.kill()
    }
  }
}
