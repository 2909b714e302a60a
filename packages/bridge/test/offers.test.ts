/** A bridge with `offers`: a hidden name is missing in lists, and using it is like using an unknown one. */
import { type Client, connect, type JsonObject, type Revision } from '@tenon/sdk/client'
import type { BackendRequest } from '@tenon/sdk/relay'
import { createServer, prompt, resource, resourceTemplate, tool } from '@tenon/sdk/server'
import { describe, expect, onTestFinished, test } from 'vitest'
import { bridge, type OfferFilter } from '../src/bridge.ts'
import { filterOffers } from '../src/offers.ts'

const called: string[] = []
const note = (name: string) =>
  tool({
    name,
    run: () => {
      called.push(name)
      return name
    },
  })

const far = createServer({
  name: 'far',
  version: '1.0.0',
  tools: [note('open'), note('secret')],
  prompts: [
    prompt({
      name: 'open',
      run: () => 'open',
    }),
    prompt({ name: 'secret', run: () => 'secret' }),
  ],
  resources: [
    resource({ uri: 'note:///open', name: 'open', read: () => 'open' }),
    resource({ uri: 'note:///secret', name: 'secret', read: () => 'secret' }),
    resourceTemplate({ uriTemplate: 'open:///{id}', name: 'open', read: () => 'open' }),
    resourceTemplate({ uriTemplate: 'secret:///{id}', name: 'secret', read: () => 'secret' }),
  ],
})

const isOffered: OfferFilter = ({ name }) => !name.includes('secret')

async function guarded(revision: Revision): Promise<Client> {
  const link = bridge({ target: far }, { offers: isOffered })
  onTestFinished(() => link.close())
  const client = await connect(link.server, { revisions: [revision], cache: false })
  onTestFinished(() => client.close())
  return client
}

const all = async <Item>(items: AsyncIterable<Item>): Promise<Item[]> => {
  const found: Item[] = []
  for await (const item of items) found.push(item)
  return found
}

const errorOf = (request: Promise<unknown>): Promise<unknown> =>
  request.then(
    (result) => ({ result }),
    ({ code, message, data }) => ({ code, message, data }),
  )

describe.each<Revision>(['2025-06-18', '2026-07-28'])('in %s', (revision) => {
  test('lists lack hidden names, and the others work', async () => {
    const client = await guarded(revision)
    expect((await all(client.tools())).map(({ name }) => name)).toEqual(['open'])
    expect((await all(client.prompts())).map(({ name }) => name)).toEqual(['open'])
    expect((await all(client.resources())).map(({ uri }) => uri)).toEqual(['note:///open'])
    expect((await all(client.resourceTemplates())).map(({ uriTemplate }) => uriTemplate)).toEqual(['open:///{id}'])
    expect((await client.callTool('open')).text).toBe('open')
    expect((await client.readResource('note:///open')).contents).toMatchObject([{ text: 'open' }])
  })

  test('a request for a hidden name gets the error of an unknown one, and does not reach the server', async () => {
    const client = await guarded(revision)
    const direct = await connect(far, { revisions: [revision] })
    onTestFinished(() => direct.close())
    called.length = 0
    const same = async (method: string, params: (name: string) => { [member: string]: unknown }): Promise<void> => {
      const hidden = await errorOf(client.request(method, params('secret') as never))
      const unknown = await errorOf(direct.request(method, params('nothing') as never))
      expect(JSON.parse(JSON.stringify(hidden).replaceAll('secret', 'nothing'))).toEqual(unknown)
    }
    await same('tools/call', (name) => ({ name, arguments: {} }))
    await same('prompts/get', (name) => ({ name }))
    await same('resources/read', (name) => ({ uri: `note:///${name}` }))
    expect(called).toEqual([])
  })

  test('a method of an extension is refused', async () => {
    const client = await guarded(revision)
    await expect(client.request('com.example/call', { name: 'open' })).rejects.toMatchObject({ code: -32601 })
  })

  test('a hidden resource cannot be watched', async () => {
    const client = await guarded(revision)
    await expect(client.watch('note:///secret', () => {})).rejects.toThrow()
  })
})

describe('requests that no client of ours sends', () => {
  const passed: string[] = []
  const handlers = filterOffers(
    {
      introduce: () => ({ capabilities: {} }),
      answer: async ({ method }) => {
        passed.push(method)
        return { tools: [{ name: 'open' }, { name: 'secret' }, { name: ['open'] }, {}, null] } as unknown as JsonObject
      },
      listen: async (_request, filter, tell) => {
        tell('notifications/resources/updated', { uri: 'note:///open/secret' })
        tell('notifications/resources/updated', { uri: 'note:///open' })
        return { honoured: filter, stop: () => {} }
      },
    },
    isOffered,
  )
  const ask = (method: string, params: object) => handlers.answer({ method, params } as unknown as BackendRequest)

  test.each([
    ['a name that becomes a string in the server', 'tools/call', { name: ['open'] }],
    ['no name', 'prompts/get', {}],
    ['a reference to a hidden prompt', 'completion/complete', { ref: { type: 'ref/prompt', name: 'secret' } }],
    [
      'a reference to a hidden template',
      'completion/complete',
      { ref: { type: 'ref/resource', uri: 'secret:///{id}' } },
    ],
    ['no reference', 'completion/complete', { ref: null }],
    ['a subscription to a hidden resource', 'resources/subscribe', { uri: 'note:///secret' }],
  ])('%s is refused', async (_name, method, params) => {
    passed.length = 0
    await expect(ask(method, params)).rejects.toMatchObject({ name: 'RpcError' })
    expect(passed).toEqual([])
  })

  test('items without a name are left out of a list', async () => {
    expect(await ask('tools/list', {})).toEqual({ tools: [{ name: 'open' }] })
  })

  test('a subscription lacks hidden resources, and news about resources below an open one', async () => {
    const told: unknown[] = []
    const filter = { resourceSubscriptions: ['note:///open', 'note:///secret'] }
    const { honoured } = await handlers.listen({} as BackendRequest, filter, (_method, { uri }) => told.push(uri))
    expect(honoured).toEqual({ resourceSubscriptions: ['note:///open'] })
    expect(told).toEqual(['note:///open'])
  })
})
