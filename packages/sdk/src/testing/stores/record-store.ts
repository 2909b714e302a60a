import type { RecordStore } from '../../auth/record-store.ts'
import type { MaybePromise } from '../../internal/maybe-promise.ts'
import { checks, type StoreCheck, same } from './check.ts'

const hostile = ['__proto__', 'constructor', '*', 'a:b', 'a}b{c', '', 'x'.repeat(9_000)]

/** The rules of a store of records. The two that `make` returns are one, and may be the same object. */
export const recordStoreChecks = (make: () => MaybePromise<[RecordStore, RecordStore]>): StoreCheck[] => {
  const until = Date.now() + 60_000
  return checks({
    'a record is found as it was, by its kind and id only': async () => {
      const [one, two] = await make()
      const text = '{"a":"é\u2028\\n𝄞\\u0000"}'
      same(await one.add('code', 'a', text, until), true)
      same((await two.get('code', 'a'))?.text, text)
      same([await two.get('grant', 'a'), await two.get('code', 'b')], [undefined, undefined])
    },
    'of many who add a record, one does': async () => {
      const [one, two] = await make()
      const added = Array.from({ length: 20 }, (_, index) => [one, two][index % 2]!.add('used', 'a', `${index}`, until))
      const won = (await Promise.all(added)).flatMap((done, index) => (done ? [`${index}`] : []))
      same(won, [(await one.get('used', 'a'))?.text])
    },
    'of many who replace or remove a version, one does': async () => {
      const [one, two] = await make()
      await one.set('grant', 'a', '1', until)
      const { version } = (await two.get('grant', 'a'))!
      const replaced = Array.from({ length: 9 }, (_, index) =>
        [one, two][index % 2]!.replace('grant', 'a', `${index}`, until, version),
      )
      const changed = await Promise.all([...replaced, one.delete('grant', 'a', version)])
      same(changed.filter(Boolean).length, 1)
      same(await two.delete('grant', 'a', version), false)
    },
    'a version does not come back': async () => {
      const [one, two] = await make()
      await one.set('grant', 'a', 'same', until)
      const { version } = (await one.get('grant', 'a'))!
      await two.delete('grant', 'a')
      same(await one.replace('grant', 'a', 'new', until, version), false)
      await two.set('grant', 'a', 'same', until)
      same(await one.replace('grant', 'a', 'new', until, version), false)
      same((await one.get('grant', 'a'))?.text, 'same')
    },
    'a record is kept over another, and removed once': async () => {
      const [one, two] = await make()
      await one.set('code', 'a', '1', until)
      await two.set('code', 'a', '2', until)
      same((await one.get('code', 'a'))?.text, '2')
      same([await two.delete('code', 'a'), await one.delete('code', 'a')], [true, false])
      same(await one.get('code', 'a'), undefined)
    },
    'ids are ids, whatever they look like': async () => {
      const [one, two] = await make()
      for (const id of hostile) {
        same(await two.get('code', id), undefined)
        same(await one.add('code', id, JSON.stringify(id), until), true)
      }
      for (const id of hostile) same((await two.get('code', id))?.text, JSON.stringify(id))
    },
  })
}
