import { memoryStore } from '@tenon/sdk/auth'
import { expect, test } from 'vitest'
import { OwnStore } from './own-store.ts'

test('what is given up is gone from the store, and what others keep there stays', async () => {
  const store = memoryStore()
  await store.set('of somebody else', '1')
  const own = new OwnStore(store)
  await own.set('token', '2')
  await own.giveUp()
  expect(await store.get('token')).toBeUndefined()
  expect(await store.get('of somebody else')).toBe('1')
})

test('what was kept by an earlier process is not found after it was given up, and what comes later is', async () => {
  const store = memoryStore()
  await store.set('registration', 'of before')
  const own = new OwnStore(store)
  await own.giveUp()
  expect(await own.get('registration')).toBeUndefined()
  expect(await store.get('registration')).toBeUndefined()
  await own.set('registration', 'new')
  expect(await own.get('registration')).toBe('new')
})
