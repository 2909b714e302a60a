import { memoryStore } from '@tenon/sdk/auth'
import { expect, test } from 'vitest'
import { WatchedSecrets } from './watched-secrets.ts'

const place = () => ({
  store: memoryStore(),
  lock: { hold: <T>(_key: string, work: () => Promise<T>) => work() },
  clear: async () => {},
  where: 'file' as const,
  file: '/nowhere',
})

test('the end waits for a token that is being renewed, and for the changes that follow from it', async () => {
  const secrets = new WatchedSecrets(place())
  let answer = (_token: string): void => {}
  const asked = new Promise<string>((resolve) => {
    answer = resolve
  })
  const renewing = secrets.lock.hold('token', async () => secrets.store.set('token', await asked))
  const steps: string[] = []
  const ended = secrets.settled(60_000).then(async () => steps.push(`ended with ${await secrets.store.get('token')}`))
  await Promise.resolve()
  steps.push('answered')
  answer('new')
  await renewing
  await ended
  expect(steps).toEqual(['answered', 'ended with new'])
})

test('it waits no longer than it may for somebody who never answers', async () => {
  const secrets = new WatchedSecrets(place())
  void secrets.lock.hold('token', () => new Promise(() => {}))
  await secrets.settled(1)
})
