import { connect } from '@tenon/sdk/client'
import { extension } from '@tenon/sdk/extension'
import { serveHttp } from '@tenon/sdk/node'
import { createServer } from '@tenon/sdk/server'
import { testClient } from '@tenon/sdk/testing'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { z } from 'zod'

const search = extension({
  id: 'com.example/search',
  methods: {
    'search/query': {
      params: z.object({ text: z.string(), limit: z.number().int().default(2) }),
      result: z.object({ hits: z.array(z.string()) }),
    },
    'search/forget': {},
  },
})

const words = ['tenon', 'tent', 'tense']

const server = (answer: unknown = undefined) =>
  createServer({
    name: 'dictionary',
    version: '1.0.0',
    onError: () => {},
    extensions: [
      search.serve(
        {
          'search/query': ({ text, limit }) =>
            (answer as { hits: string[] }) ?? { hits: words.filter((word) => word.startsWith(text)).slice(0, limit) },
          'search/forget': (params) => ({ ...params }),
        },
        { settings: { languages: ['en'] } },
      ),
    ],
  })

describe('an extension', () => {
  for (const revision of ['2025-11-25', '2026-07-28'] as const) {
    test(`is declared, answered and typed in ${revision}`, async () => {
      await using client = await testClient(server(), { revision, extensions: [search.use()] })
      const used = client.extension(search)
      expect(used.settings).toEqual({ languages: ['en'] })
      const result = await used.request('search/query', { text: 'ten' })
      expectTypeOf(result).toEqualTypeOf<{ hits: string[] }>()
      expect(result).toEqual({ hits: ['tenon', 'tent'] })
      expect(await used.request('search/forget', { a: 1 })).toEqual({ a: 1 })
    })

    // [ver.ext.fallback-or-reject]
    test(`is refused to a client that did not declare it, in ${revision}`, async () => {
      await using client = await testClient(server(), { revision })
      expect(() => client.extension(search)).toThrow(/com\.example\/search: give it to connect/)
      const refused = client.request('search/query', { text: 'ten' })
      await expect(refused).rejects.toMatchObject(
        revision === '2026-07-28'
          ? { code: -32021, data: { requiredCapabilities: { extensions: { 'com.example/search': {} } } } }
          : { code: -32601, message: expect.stringContaining('the client did not declare') },
      )
    })

    // [ver.ext.validate-extension-data]
    test(`checks params and results on both sides in ${revision}`, async () => {
      await using client = await testClient(server({ hits: [1] }), {
        revision,
        extensions: [search.use()],
      })
      const used = client.extension(search)
      await expect(used.request('search/query', { text: 1 } as never)).rejects.toMatchObject({
        code: 'invalid_argument',
        message: expect.stringContaining('params.text'),
      })
      await expect(client.request('search/query', { text: 1 })).rejects.toMatchObject({ code: -32602 })
      // The server's own fault: the peer gets no details.
      await expect(used.request('search/query', { text: 'a' })).rejects.toMatchObject({ code: -32603 })
    })
  }

  test('that the server lacks is unsupported before anything is sent', async () => {
    await using client = await testClient(createServer({ name: 'plain', version: '1' }), { extensions: [search.use()] })
    const used = client.extension(search)
    expect(used.settings).toBeUndefined()
    await expect(used.request('search/query', { text: 'a' })).rejects.toMatchObject({ code: 'unsupported' })
  })

  test('of a mounted server is offered too', async () => {
    const outer = createServer({ name: 'outer', version: '1' })
    outer.mount(server())
    await using client = await testClient(outer, { extensions: [search.use()] })
    expect(await client.extension(search).request('search/query', { text: 'tense' })).toEqual({ hits: ['tense'] })
  })

  test('works over HTTP, and a client that need not declare it does not', async () => {
    const clock = extension({
      id: 'com.example/clock',
      declaredBy: 'server',
      methods: { 'clock/zone': { result: z.object({ zone: z.string() }) } },
    })
    await using http = await serveHttp(
      createServer({
        name: 'clock',
        version: '1',
        extensions: [clock.serve({ 'clock/zone': () => ({ zone: 'UTC' }) })],
      }),
      { port: 0 },
    )
    await using client = await connect(http.url)
    expect(await client.extension(clock).request('clock/zone', {})).toEqual({ zone: 'UTC' })
  })

  test('has a name with a prefix, methods of its own, and a handler for each', () => {
    expect(() => extension({ id: 'search' })).toThrow(/expected a name with a prefix/)
    expect(() => extension({ id: 'a.b/c', methods: { 'tools/call': {} } })).toThrow(/a method of the protocol itself/)
    expect(() => search.serve({} as never)).toThrow(/expected a handler for search\/query/)
    const served = search.serve({ 'search/query': () => ({ hits: [] }), 'search/forget': () => ({}) })
    expect(() => createServer({ name: 'a', version: '1', extensions: [served, served] })).toThrow(/served twice/)
    expect(() => createServer({ name: 'a', version: '1', extensions: [search as never] })).toThrow(/\.serve\(\)/)
  })
})
