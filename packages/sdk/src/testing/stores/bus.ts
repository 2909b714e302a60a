import type { MaybePromise } from '../../internal/maybe-promise.ts'
import type { Bus } from '../../server/subscriptions/bus.ts'
import { checks, comesTo, type StoreCheck, same } from './check.ts'

/** The rules of a bus. The two that `make` returns are one, and may be the same object. */
export const busChecks = (make: () => MaybePromise<[Bus, Bus]>): StoreCheck[] =>
  checks({
    'a message reaches everybody who listens to its topic, in order': async () => {
      const [bus, other] = await make()
      const heard: string[] = []
      const late: string[] = []
      await bus.subscribe('a', (message) => heard.push(message))
      await other.subscribe('a', (message) => late.push(message))
      await bus.subscribe('b', (message) => heard.push(`wrong ${message}`))
      const said = ['x', 'é\n𝄞 two words']
      for (const message of said) await bus.publish('a', message)
      await comesTo(() => [heard, late], [said, said])
      const more = Array.from({ length: 250 }, (_, index) => `${index}`)
      await Promise.all(more.map((message) => other.publish('a', message)))
      await comesTo(
        () => [heard, late],
        [
          [...said, ...more],
          [...said, ...more],
        ],
      )
    },
    'a listener that stopped hears nothing, and the others still do': async () => {
      const [bus] = await make()
      const heard: string[] = []
      const listener = (message: string): void => void heard.push(message)
      const stop = await bus.subscribe('a', listener)
      await bus.subscribe('a', listener)
      stop()
      stop()
      await bus.publish('a', 'x')
      await bus.publish('a', 'y')
      await comesTo(() => heard, ['x', 'y'])
    },
    'nobody has to listen': async () => {
      const [bus] = await make()
      same(await bus.publish('nobody', 'x'), undefined)
    },
  })
