import type { SessionState, SessionStore, SharedSessionStore } from '../../http-server/stores/stores.ts'
import type { MaybePromise } from '../../internal/maybe-promise.ts'
import { checks, type StoreCheck, same } from './check.ts'

const record = { id: 'a', principal: 'ada', initialize: { capabilities: { roots: {} } } }

/** The rules of a session store. `make` opens one that is empty. */
export const sessionStoreChecks = (make: () => MaybePromise<SessionStore>): StoreCheck[] =>
  checks({
    'a session that was added is found, as it was': async () => {
      const store = await make()
      await store.add(record)
      same(await store.get('a'), record)
      same(await store.get('b'), undefined)
    },
    'a session without a principal is not one with an empty principal': async () => {
      const store = await make()
      await store.add({ ...record, principal: undefined })
      await store.add({ ...record, id: 'b', principal: '' })
      same((await store.get('a'))?.principal, undefined)
      same((await store.get('b'))?.principal, '')
    },
    'a session that was removed is gone, and can be removed once': async () => {
      const store = await make()
      await store.add(record)
      same(await store.remove('a'), true)
      same(await store.remove('a'), false)
      same(await store.get('a'), undefined)
    },
    'ids are ids, whatever they look like': async () => {
      const store = await make()
      for (const id of ['__proto__', 'constructor', '*', 'a:b', 'a b']) {
        same(await store.get(id), undefined)
        await store.add({ ...record, id })
        same((await store.get(id))?.id, id)
      }
    },
  })

/** The rules of a session store that several processes use: the two stores that `make` returns are one. */
export const sharedSessionStoreChecks = (
  make: () => MaybePromise<[SharedSessionStore, SharedSessionStore]>,
): StoreCheck[] => {
  const counted = { id: 'a', principal: 'ada', initialize: {}, changes: 3 }
  return checks({
    'a change is seen by the other process, once': async () => {
      const [one, two] = await make()
      await one.add(counted)
      same(await two.use('a', 0), 'unchanged')
      same(await one.change('a', { logLevel: 'debug' }), 1)
      same(await two.use('a', 0), { version: 1, logLevel: 'debug', subscriptions: [], heard: 0, changes: 3 })
      same(await two.use('a', 1), 'unchanged')
    },
    'changes of two processes at once are all kept': async () => {
      const [one, two] = await make()
      await one.add(counted)
      const uris = Array.from({ length: 20 }, (_, index) => `note://${index}`)
      await Promise.all(uris.map((subscribe, index) => [one, two][index % 2]!.change('a', { subscribe })))
      await Promise.all([
        one.change('a', { unsubscribe: 'note://0' }),
        two.change('a', { subscribe: 'note://1' }),
        two.change('a', { heard: 7, changes: 9 }),
      ])
      const { version, heard, changes, subscriptions } = (await one.use('a', 0)) as SessionState
      same({ version, heard, changes }, { version: 23, heard: 7, changes: 9 })
      same([...subscriptions].sort(), uris.slice(1).sort())
    },
    'a session that ended in one process has ended in the other': async () => {
      const [one, two] = await make()
      await one.add(counted)
      await two.remove('a')
      same(await one.use('a', 0), 'ended')
      same(await one.change('a', { logLevel: 'info' }), undefined)
      same(await two.use('unknown', 0), 'ended')
    },
  })
}
