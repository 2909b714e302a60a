import type { MaybePromise } from '../../internal/maybe-promise.ts'
import type { SpentStates } from '../../server/stateless/spent-states.ts'
import { checks, type StoreCheck, same } from './check.ts'

/** The rules of a memory of used states. The two that `make` returns are one, and may be the same object. */
export const spentStatesChecks = (make: () => MaybePromise<[SpentStates, SpentStates]>): StoreCheck[] =>
  checks({
    'a state is good for one of two processes': async () => {
      const [one, two] = await make()
      const until = Date.now() + 60_000
      const spent = await Promise.all([one.spend('a', until), two.spend('a', until)])
      same(spent.sort(), [false, true])
      same(await one.spend('b', until), true)
    },
    'a state that was released can be used once more': async () => {
      const [one, two] = await make()
      const until = Date.now() + 60_000
      await one.spend('a', until)
      await two.release('a')
      same([await one.spend('a', until), await two.spend('a', until)], [true, false])
    },
    'ids are ids, whatever they look like': async () => {
      const [one, two] = await make()
      const until = Date.now() + 60_000
      for (const id of ['__proto__', 'constructor', '*', 'a:b', 'a b', 'x'.repeat(9_000)]) {
        same([await one.spend(id, until), await two.spend(id, until)], [true, false])
      }
    },
  })
