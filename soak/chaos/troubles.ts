import type { Random } from '../lib/random.ts'
import type { Cluster } from './cluster.ts'

export interface Trouble {
  readonly name: string
  /** Done when its cause is gone; the processes still have to recover. */
  cause(cluster: Cluster, random: Random): Promise<void>
}

/** Each way to harm the cluster. */
export const troubles: readonly Trouble[] = [
  { name: 'a server is killed', cause: (cluster, random) => cluster.replace('serve', random) },
  { name: 'a worker is killed', cause: (cluster, random) => cluster.replace('work', random) },
  { name: 'Redis is restarted', cause: ({ redis }, random) => redis.restart(random.between(0, 1_500)) },
  { name: 'Redis sleeps', cause: ({ redis }, random) => redis.sleep(random.between(5, 45) / 10) },
  { name: 'Redis fails over', cause: ({ redis }) => redis.failOver() },
  { name: 'Redis is cut off', cause: ({ redis }, random) => redis.cutOff(random.between(500, 4_500)) },
  {
    name: 'a server is started while Redis is away',
    cause: async (cluster, random) => {
      await Promise.all([cluster.redis.restart(3_000), cluster.replace('serve', random)])
    },
  },
]
