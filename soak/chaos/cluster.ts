import { join } from 'node:path'
import { RoundRobin } from '../../scripts/balanced/round-robin.ts'
import type { Random } from '../lib/random.ts'
import { Place, type PlaceOptions } from './place.ts'
import { RedisPair } from './redis-pair.ts'

const servers = ['server 0', 'server 1', 'server 2', 'server 3']
const workers = ['worker 0', 'worker 1']

/** Redis, four servers behind a balancer, and workers. */
export class Cluster {
  readonly redis: RedisPair
  readonly places: readonly Place[]
  readonly ledger: string
  #balancer: RoundRobin | undefined

  private constructor(redis: RedisPair, ledger: string) {
    this.redis = redis
    this.ledger = ledger
    const common = { redis: `redis://127.0.0.1:${redis.port}`, ledger, host: '127.0.0.1', within: [] }
    const of = (kind: PlaceOptions['kind']) => (name: string) => new Place({ ...common, kind, name })
    this.places = [...servers.map(of('serve')), ...workers.map(of('work'))]
  }

  static async start(folder: string): Promise<Cluster> {
    const cluster = new Cluster(await RedisPair.start(), join(folder, 'ledger'))
    try {
      await Promise.all(cluster.places.map((place) => place.start()))
      cluster.#balancer = await RoundRobin.start(cluster.#of('serve').map(({ url }) => url))
      return cluster
    } catch (error) {
      await cluster.stop()
      throw error
    }
  }

  get url(): string {
    return this.#balancer!.url
  }

  /** Kills a process and starts another in its place. */
  async replace(kind: 'serve' | 'work', random: Random): Promise<void> {
    const place = random.pick(this.#of(kind))
    await place.kill()
    await place.start()
  }

  #of(kind: 'serve' | 'work'): Place[] {
    return this.places.filter(({ options }) => options.kind === kind)
  }

  async stop(): Promise<void> {
    await this.#balancer?.close()
    for (const place of this.places) await place.kill()
    await this.redis.stop()
  }
}
