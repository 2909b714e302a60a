import type { MaybePromise } from '../../internal/maybe-promise.ts'
import type { RateStore } from '../../server/definition/rate-limit.ts'
import { checks, type StoreCheck, same } from './check.ts'

const rate = { perMinute: 0.001, burst: 3 }
const waits = (answers: readonly number[]): boolean[] => answers.map((ms) => ms > 0)

/** The rules of a counter of uses. The two that `make` returns are one, and may be the same object. */
export const rateStoreChecks = (make: () => MaybePromise<[RateStore, RateStore]>): StoreCheck[] =>
  checks({
    'uses of two processes are counted together, and one that has to wait takes nothing': async () => {
      const [one, two] = await make()
      const uses: number[] = []
      for (const store of [one, two, one, two, one]) uses.push(await store.take('tools/call a', rate))
      same(waits(uses), [false, false, false, true, true])
    },
    'each key has its own uses, whatever it looks like': async () => {
      const [one, two] = await make()
      for (const key of ['a', 'b', '__proto__', 'constructor', '*', 'a:b', '', 'x'.repeat(9_000)]) {
        const uses = [await one.take(key, { ...rate, burst: 1 }), await two.take(key, { ...rate, burst: 1 })]
        same(waits(uses), [false, true])
      }
    },
    'of uses at once, no more than the burst are let through': async () => {
      const [one, two] = await make()
      const uses = await Promise.all(Array.from({ length: 20 }, (_, index) => [one, two][index % 2]!.take('a', rate)))
      same(waits(uses).filter((waited) => !waited).length, 3)
    },
    'a use comes back with time': async () => {
      const [one] = await make()
      const quick = { perMinute: 60_000, burst: 1 }
      for (let use = 0; use < 3; use++) {
        let waitMs = await one.take('a', quick)
        while (waitMs > 0) {
          await new Promise((resolve) => setTimeout(resolve, waitMs))
          waitMs = await one.take('a', quick)
        }
      }
    },
  })
