import type { Lock } from '../../auth/client/stores/store.ts'
import type { MaybePromise } from '../../internal/maybe-promise.ts'
import { checks, type StoreCheck, same } from './check.ts'

/** The rules of a lock. The two that `make` returns are one, and may be the same object. */
export const lockChecks = (make: () => MaybePromise<[Lock, Lock]>): StoreCheck[] =>
  checks({
    'one holder of a key is in at a time, and everybody gets in': async () => {
      const [one, two] = await make()
      let [inside, most, done] = [0, 0, 0]
      const work = async (): Promise<void> => {
        most = Math.max(most, ++inside)
        await new Promise((resolve) => setTimeout(resolve, 1))
        inside--
        done++
      }
      await Promise.all(Array.from({ length: 8 }, (_, index) => [one, two][index % 2]!.hold('a', work)))
      same([most, done], [1, 8])
    },
    'different keys do not wait for each other, and the result of the work is returned': async () => {
      const [one, two] = await make()
      same(await one.hold('a', () => two.hold('b', async () => 'done')), 'done')
    },
    'work that fails lets the next one in': async () => {
      const [one, two] = await make()
      const failed = one.hold('a', () => Promise.reject(new Error('no')))
      same(await failed.catch((error: Error) => error.message), 'no')
      same(await two.hold('a', async () => 'in'), 'in')
    },
    'somebody who waits can stop': async () => {
      const [one, two] = await make()
      const stop = new AbortController()
      await one.hold('a', async () => {
        const waiting = two.hold('a', async () => 'in', stop.signal)
        stop.abort()
        same(await waiting.catch((error: { code?: string }) => error.code), 'cancelled')
      })
    },
  })
