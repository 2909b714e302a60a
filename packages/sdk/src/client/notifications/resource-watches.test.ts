import { expect, test } from 'vitest'
import { cpuTime } from '../../../test/cpu-time.ts'
import { RpcError } from '../../errors.ts'
import { connect } from '../connect.ts'
import { legacyServer, type ScriptedServer } from '../scripted-server.suite.ts'
import { ResourceWatches } from './resource-watches.ts'

const serve = (): ScriptedServer => legacyServer({ 'resources/subscribe': {}, 'resources/unsubscribe': {}, ping: {} })
const subscriptions = ({ methods }: ScriptedServer): string[] =>
  methods.filter((method) => method.includes('subscribe'))

test('watches of one resource share a subscription, which ends with the last of them', async () => {
  const server = serve()
  await using client = await connect(server.open)
  const seen: string[] = []
  const [first, second] = await Promise.all([
    client.watch('file:///a', ({ uri }) => seen.push(`first ${uri}`)),
    client.watch('file:///a', ({ uri }) => seen.push(`second ${uri}`)),
  ])
  server.notify('notifications/resources/updated', { uri: 'file:///a' })
  server.notify('notifications/resources/updated', { uri: 'file:///b' })
  await client.ping()
  expect(seen).toEqual(['first file:///a', 'second file:///a'])

  await Promise.all([first.close(), first.close()])
  server.notify('notifications/resources/updated', { uri: 'file:///a' })
  await client.ping()
  expect(seen).toHaveLength(3)
  expect(subscriptions(server)).toEqual(['resources/subscribe'])

  await second[Symbol.asyncDispose]()
  expect(subscriptions(server)).toEqual(['resources/subscribe', 'resources/unsubscribe'])
})

test('a watch that begins while the last one ends is subscribed again afterwards', async () => {
  const server = serve()
  await using client = await connect(server.open)
  const first = await client.watch('file:///a', () => {})
  const closing = first.close()
  await server.untilMethod('resources/unsubscribe')
  const seen: unknown[] = []
  await Promise.all([closing, client.watch('file:///a', (update) => seen.push(update))])
  server.notify('notifications/resources/updated', { uri: 'file:///a' })
  await client.ping()
  expect(subscriptions(server)).toEqual(['resources/subscribe', 'resources/unsubscribe', 'resources/subscribe'])
  expect(seen).toEqual([{ uri: 'file:///a' }])
})

test('an update of a part reaches the watches of the whole, and of nothing that only looks alike', async () => {
  const server = serve()
  await using client = await connect(server.open)
  const seen: string[] = []
  for (const uri of ['file:///dir', 'file:///dir/', 'file:///di', 'file:///dir/a/b'])
    await client.watch(uri, () => seen.push(uri))
  server.notify('notifications/resources/updated', { uri: 'file:///dir/a' })
  await client.ping()
  expect(seen.sort()).toEqual(['file:///dir', 'file:///dir/'])
})

test('an update of an endless address costs no more than the watches do', async () => {
  const server = serve()
  await using client = await connect(server.open)
  const heard: string[] = []
  await using _ = await client.watch('a://b', ({ uri }) => heard.push(uri))
  const spent = cpuTime()
  for (const uri of [`a://b${'/'.repeat(3_000_000)}`, 'a://b/c', `a://${'b/'.repeat(1_500_000)}`]) {
    server.notify('notifications/resources/updated', { uri })
  }
  await client.ping()
  expect(heard.map(({ length }) => length)).toEqual([3_000_005, 7, 3_000_004])
  expect(spent()).toBeLessThan(1_000)
})

test('a refused subscription fails the watch and leaves no listener', async () => {
  const server = legacyServer({ 'resources/subscribe': new RpcError(-32002, 'Resource not found'), ping: {} })
  await using client = await connect(server.open)
  const seen: unknown[] = []
  await expect(client.watch('file:///a', (update) => seen.push(update))).rejects.toMatchObject({ code: -32002 })
  server.notify('notifications/resources/updated', { uri: 'file:///a' })
  await client.ping()
  expect(seen).toEqual([])
})

test('a watch can be closed after the connection', async () => {
  const client = await connect(serve().open)
  const watch = await client.watch('file:///a', () => {})
  await client.close()
  await watch.close()
})

test('a listener that throws is reported and does not keep others from the update', async () => {
  const errors: Error[] = []
  const server = serve()
  await using client = await connect(server.open, { onError: (error) => errors.push(error) })
  const seen: unknown[] = []
  await client.watch('file:///a', () => {
    throw new Error('my listener')
  })
  await client.watch('file:///a', (update) => seen.push(update))
  server.notify('notifications/resources/updated', { uri: 'file:///a' })
  await client.ping()
  expect(seen).toHaveLength(1)
  expect(errors).toMatchObject([{ message: 'my listener' }])
})

test('a listener hears of a new server when that has agreed to tell: what it reads then, and hears later, is everything', async () => {
  const steps: string[] = []
  const wire = {
    async subscribe(uri: string) {
      await Promise.resolve()
      steps.push(`agreed ${uri}`)
    },
    unsubscribe: async () => {},
    report: ({ message }: Error) => void steps.push(message),
  }
  const watches = new ResourceWatches(wire)
  for (const uri of ['file:///a', 'file:///b']) await watches.add(uri, () => steps.push(`heard ${uri}`))
  steps.length = 0
  await watches.renew(true)
  expect(steps.indexOf('heard file:///a')).toBeGreaterThan(steps.indexOf('agreed file:///a'))
  expect(steps.indexOf('heard file:///b')).toBeGreaterThan(steps.indexOf('agreed file:///b'))
  steps.length = 0
  await watches.renew(false)
  expect(steps.sort()).toEqual(['agreed file:///a', 'agreed file:///b'])
})
