/** `subscriptions/listen` over HTTP, on every platform. */
import { afterEach, describe, expect, test } from 'vitest'
import { resource } from '../../server/features/resource.ts'
import { tool } from '../../server/features/tool.ts'
import type { Server } from '../../server/server.ts'
import type { HttpOptions } from '../options.ts'
import { adapters } from '../tests/adapters.suite.ts'
import {
  callToolRequest,
  EventReader,
  type HeaderMap,
  type Served,
  statelessRequest,
  testServer,
} from '../tests/http.suite.ts'

const idKey = 'io.modelcontextprotocol/subscriptionId'
const uri = 'note:///a'
const note = resource({ uri, name: 'note', read: () => 'text' })
const ack = 'notifications/subscriptions/acknowledged'

describe.each(adapters)('subscriptions over %s', (_name, serve) => {
  let served: Served
  let server: Server
  let release: () => void

  const start = async (options: HttpOptions = {}, overrides: object = {}): Promise<void> => {
    const made = testServer({ resources: [note], ...overrides })
    server = made.server as Server
    release = () => made.script.release.give()
    served = await serve(server, options)
  }
  const post = (notifications: object, headers: HeaderMap = {}, id: number | string = 1): Promise<Response> =>
    served.fetch('/mcp', statelessRequest('subscriptions/listen', { notifications }, headers, id))
  const listen = async (notifications: object, id: number | string = 1): Promise<EventReader> => {
    const events = new EventReader(await post(notifications, {}, id))
    expect(await events.message()).toMatchObject({ method: ack, params: { _meta: { [idKey]: id } } })
    return events
  }
  afterEach(() => served.close())

  test.each(['auto', 'json', 'sse'] as const)('with responseMode %s it is a stream of events', async (responseMode) => {
    await start({ responseMode })
    const response = await post({ toolsListChanged: true, resourceSubscriptions: [uri] })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    const events = new EventReader(response)
    expect((await events.message()).params).toEqual({
      notifications: { toolsListChanged: true, resourceSubscriptions: [uri] },
      _meta: { [idKey]: 1 },
    })
    server.resources.changed(uri)
    expect(await events.message()).toMatchObject({ params: { uri, _meta: { [idKey]: 1 } } })
    server.tools.add(tool({ name: 'new', run: () => '' }))
    expect(await events.message()).toMatchObject({
      method: 'notifications/tools/list_changed',
      params: { _meta: { [idKey]: 1 } },
    })
    await events.cancel()
  })

  // [http.sse.request-scoped-not-on-listen]
  test('what belongs to another request is on the stream of that request', async () => {
    await start()
    const events = await listen({ toolsListChanged: true })
    const call = new EventReader(await served.fetch('/mcp', callToolRequest('progress', {}, {}, { progressToken: 1 })))
    expect(JSON.stringify(await call.rest())).not.toContain(idKey)
    server.tools.add(tool({ name: 'new', run: () => '' }))
    expect(await events.message()).toMatchObject({ method: 'notifications/tools/list_changed' })
    await events.cancel()
  })

  test('a client that takes no events is refused', async () => {
    await start()
    const response = await post({}, { accept: 'application/json' })
    expect(response.status).toBe(406)
    expect(await response.json()).toMatchObject({ id: 1, error: { message: /text\/event-stream/ } })
  })

  test('a wrong filter is an error, as JSON or as an event', async () => {
    await start()
    const filter = { resourceSubscriptions: [7] }
    expect(await (await post(filter)).json()).toMatchObject({ id: 1, error: { code: -32602 } })
    const events = new EventReader(await post(filter, { accept: 'text/event-stream' }))
    expect(await events.message()).toMatchObject({ id: 1, error: { code: -32602 } })
    expect(await events.next()).toBeUndefined()
  })

  test('it takes no place of a request in work', async () => {
    await start({ maxInFlight: 1 })
    const first = await listen({ resourceSubscriptions: [uri] })
    const second = await listen({ resourceSubscriptions: [uri] }, 'two')
    expect((await served.fetch('/mcp', callToolRequest('echo'))).status).toBe(200)
    server.resources.changed(uri)
    expect(await first.message()).toMatchObject({ params: { _meta: { [idKey]: 1 } } })
    expect(await second.message()).toMatchObject({ params: { _meta: { [idKey]: 'two' } } })
    await Promise.all([first.cancel(), second.cancel()])
  })

  // [sub.end.client-http]
  test('a client that closes the stream makes room for another', async () => {
    await start({ maxListens: 1 })
    const first = await listen({})
    const refused = await post({})
    expect(refused.status).toBe(503)
    expect(refused.headers.get('retry-after')).toBe('5')
    await first.cancel()
    await expect.poll(async () => (await post({})).status).toBe(200)
  })

  // [sub.end.server-graceful-result] [sub.end.result-carries-id]
  test('close answers it at once, while requests in work have their time', async () => {
    await start()
    const events = await listen({ toolsListChanged: true }, 'l')
    const working = served.fetch('/mcp', callToolRequest('progress_then_wait', {}, {}, { progressToken: 1 }))
    const work = new EventReader(await working)
    await work.message()
    const closing = served.close()
    expect(await events.message()).toMatchObject({
      id: 'l',
      result: { resultType: 'complete', _meta: { [idKey]: 'l' } },
    })
    expect(await events.next()).toBeUndefined()
    release()
    expect(JSON.stringify(await work.rest())).toContain('waited')
    await closing
  })

  test('close does not wait for it', async () => {
    await start({ closeTimeoutMs: 20_000 } as HttpOptions)
    const events = await listen({})
    const began = performance.now()
    await served.close()
    expect(performance.now() - began).toBeLessThan(5_000)
    expect(await events.message()).toMatchObject({ id: 1, result: {} })
  })

  test('comments keep it alive', async () => {
    await start({ keepAliveMs: 20 })
    const events = await listen({ resourceSubscriptions: [uri] })
    const told = events.message()
    await expect.poll(() => events.comments.length).toBeGreaterThan(0)
    server.resources.changed(uri)
    await told
    await events.cancel()
  })

  test('a client that does not read gets the last news once, however many there were', async () => {
    const long = `note:///${'x'.repeat(100_000)}`
    await start({ maxBufferedBytes: 2_000_000 }, { resources: [resource({ uri: long, name: 'n', read: () => '' })] })
    const events = await listen({ resourceSubscriptions: [long] })
    // Far more than may wait: without restraint the stream would be given up.
    for (let i = 0; i < 2_000; i++) {
      server.resources.changed(long)
      await new Promise((resolve) => setImmediate(resolve))
    }
    let count = 0
    const counting = (async () => {
      for (;;) {
        await events.message()
        count++
      }
    })().catch(() => {})
    await expect.poll(() => count).toBeGreaterThan(1)
    const before = count
    server.resources.changed(long)
    await expect.poll(() => count).toBeGreaterThan(before)
    expect(count).toBeLessThan(1_000)
    await served.close()
    await counting
  })

  test('who may read is asked with the authorization of the request', async () => {
    const mine = resource({ uri, name: 'n', read: () => '', visible: ({ auth }) => auth?.principal === 'ada' })
    const auth: HttpOptions['auth'] = (request) => ({ principal: request.header('authorization') ?? 'nobody' })
    await start({ auth }, { resources: [mine] })
    const open = async (authorization: string): Promise<EventReader> =>
      new EventReader(await post({ resourceSubscriptions: [uri] }, { authorization }))
    const [ada, bob] = [await open('ada'), await open('bob')]
    expect((await ada.message()).params).toMatchObject({ notifications: { resourceSubscriptions: [uri] } })
    expect((await bob.message()).params).toEqual({ notifications: {}, _meta: { [idKey]: 1 } })
    server.resources.changed(uri)
    expect(await ada.message()).toMatchObject({ params: { uri } })
    await served.close()
    expect(await bob.message()).toMatchObject({ result: {} })
  })
})
