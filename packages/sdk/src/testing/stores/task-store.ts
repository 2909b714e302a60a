import type { MaybePromise } from '../../internal/maybe-promise.ts'
import { revisions } from '../../model/revision.ts'
import type { TaskRecord, TaskStore } from '../../server/tasks/store/task-store.ts'
import { checks, type StoreCheck, same } from './check.ts'

const record = (more: Partial<TaskRecord> = {}): TaskRecord => ({
  id: 'a1',
  owner: 'user:ada',
  version: 1,
  status: 'working',
  createdAt,
  updatedAt: createdAt,
  ttlMs: 3_600_000,
  pollIntervalMs: 10,
  call: { revision: revisions[0]!, requestId: 1, params: { name: 'x' }, capabilities: {}, transport: 'memory' },
  ...more,
})
/** A store may forget tasks whose time is over. */
const createdAt = Date.now()

const idsOf = (records: readonly TaskRecord[]): string[] => records.map(({ id }) => id).sort()

/** The rules of a task store. `make` opens one that is empty. */
export const taskStoreChecks = (make: () => MaybePromise<TaskStore>): StoreCheck[] =>
  checks({
    'a task is found as it was, by its owner only': async () => {
      const store = await make()
      const memory = { asked: [], steps: [['a', { b: [1, null] }] as [string, unknown]] }
      await store.create(record({ memory }))
      same(await store.get('user:ada', 'a1'), record({ memory }))
      same(await store.get('user:bob', 'a1'), undefined)
      same(await store.get('user:ada', 'a2'), undefined)
    },
    'a record is replaced only by its next version': async () => {
      const store = await make()
      same(await store.replace(record({ version: 2 })), false)
      await store.create(record())
      same(await store.replace(record({ version: 3 })), false)
      same(await store.replace(record({ version: 2, status: 'completed' })), true)
      same(await store.replace(record({ version: 2, status: 'failed' })), false)
      same(await store.get('user:ada', 'a1'), record({ version: 2, status: 'completed' }))
    },
    'of many who write the same version, one does': async () => {
      const store = await make()
      await store.create(record())
      for (let version = 2; version < 12; version++) {
        const writers = Array.from({ length: 8 }, (_, index) => store.replace(record({ version, updatedAt: index })))
        const won = (await Promise.all(writers)).flatMap((done, index) => (done ? [index] : []))
        same(won.length, 1)
        same(await store.get('user:ada', 'a1'), record({ version, updatedAt: won[0]! }))
      }
    },
    'tasks are listed and counted, of one owner or of all': async () => {
      const store = await make()
      same([await store.list(), await store.count()], [[], 0])
      const others = [record({ id: 'a2' }), record({ id: 'b1', owner: 'user:bob' })]
      for (const one of [record(), ...others]) await store.create(one)
      same(idsOf(await store.list('user:ada')), ['a1', 'a2'])
      same(idsOf(await store.list()), ['a1', 'a2', 'b1'])
      same(await Promise.all([store.count('user:ada'), store.count('user:eve'), store.count()]), [2, 0, 3])
    },
    'a task is made where there is room, where the store counts by itself': async () => {
      const store = await make()
      if (store.createWithin === undefined) return
      const create = (more: Partial<TaskRecord>, perOwner?: number) =>
        store.createWithin!(record(more), { perOwner, inAll: 2 })
      same(await create({}, 1), undefined)
      same(await create({ id: 'a2' }, 1), 'perOwner')
      same(await create({ id: 'a2' }), undefined)
      same(await create({ id: 'b1', owner: 'user:bob' }, 1), 'inAll')
      same(idsOf(await store.list()), ['a1', 'a2'])
    },
    'a version at hand is the last that was written, where the store offers one': async () => {
      const store = await make()
      const isLast = (last: TaskRecord | undefined): void => {
        const found = store.recent?.('user:ada', 'a1')
        if (found !== undefined) same(found, last)
      }
      same(store.recent?.('user:ada', 'a1'), undefined)
      await store.create(record())
      isLast(record())
      await store.replace(record({ version: 2, updatedAt: 5 }))
      isLast(record({ version: 2, updatedAt: 5 }))
      same(store.recent?.('user:bob', 'a1'), undefined)
      await store.delete('user:ada', 'a1')
      isLast(undefined)
    },
    'those that work are found, where the store offers that': async () => {
      const store = await make()
      if (store.working === undefined) return
      await store.create(record())
      await store.create(record({ id: 'b1', owner: 'user:bob' }))
      await store.replace(record({ version: 2, status: 'completed' }))
      same(idsOf(await store.working()), ['b1'])
      await store.delete('user:bob', 'b1')
      same(idsOf(await store.working()), [])
    },
    'a task that is deleted is forgotten, and does not come back': async () => {
      const store = await make()
      await store.create(record())
      await store.delete('user:ada', 'a1')
      await store.delete('user:ada', 'a1')
      same(await store.get('user:ada', 'a1'), undefined)
      same(await store.replace(record({ version: 2 })), false)
      same(await store.list(), [])
    },
    'an id that is none is nobody': async () => {
      const store = await make()
      await store.create(record())
      for (const id of ['../a1', 'a/b', '', '.', '..', 'a\0', '__proto__/x', 'x'.repeat(500)]) {
        same(await store.get('user:ada', id), undefined)
      }
    },
    'owners may be called anything': async () => {
      const store = await make()
      for (const owner of ['../..', '__proto__', 'a/b', '\0']) {
        await store.create(record({ owner }))
        same(await store.get(owner, 'a1'), record({ owner }))
      }
      same(await store.count(), 4)
    },
  })
