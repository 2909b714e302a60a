import { afterEach, describe, expect, test } from 'vitest'
import type { HttpOptions } from '../options.ts'
import { adapters } from '../tests/adapters.suite.ts'
import { EventReader, initializeRequest, post, type Served, testServer } from '../tests/http.suite.ts'

describe.each(adapters)('HTTP+SSE over %s', (_name, serve) => {
  let served: Served
  const start = async (options: HttpOptions = {}): Promise<void> => {
    served = await serve(testServer().server, options)
  }
  afterEach(() => served.close())

  const listen = async (headers: { [name: string]: string } = {}): Promise<{ events: EventReader; path: string }> => {
    const response = await served.fetch('/sse', { headers: { accept: 'text/event-stream', ...headers } })
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    const events = new EventReader(response)
    const first = await events.next()
    expect(first!.event).toBe('endpoint')
    return { events, path: first!.data! }
  }

  // [httpsse.endpoints.two] [httpsse.endpoint-event] [httpsse.message-events] [httpsse.compat.server-keeps-endpoints]
  test('the first event names the address for messages, and answers come as events', async () => {
    await start()
    const { events, path } = await listen()
    expect(path).toMatch(/^\/sse\?sessionId=[\x21-\x7e]{32,}$/)
    const accepted = await served.fetch(path, post(initializeRequest('2024-11-05')))
    expect(accepted.status).toBe(202)
    const answer = await events.next()
    expect(answer).toMatchObject({ event: 'message' })
    expect(JSON.parse(answer!.data!)).toMatchObject({ id: 0, result: { protocolVersion: '2024-11-05' } })
    await served.fetch(path, post({ jsonrpc: '2.0', method: 'notifications/initialized' }))
    const params = { name: 'progress', arguments: {}, _meta: { progressToken: 1 } }
    await served.fetch(path, post({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }))
    expect(await events.message()).toMatchObject({ method: 'notifications/progress' })
    expect(await events.message()).toMatchObject({ method: 'notifications/progress' })
    expect(await events.message()).toMatchObject({ id: 1, result: {} })
    await events.cancel()
  })

  test('a list that is kept comes as a whole event, every time', async () => {
    await start()
    const { events, path } = await listen()
    await served.fetch(path, post(initializeRequest('2024-11-05')))
    await events.next()
    for (const id of [1, 'ü']) {
      await served.fetch(path, post({ jsonrpc: '2.0', id, method: 'tools/list' }))
      const { event, data } = (await events.next())!
      expect(event).toBe('message')
      expect(JSON.parse(data!)).toMatchObject({ id, result: { tools: expect.arrayContaining([expect.anything()]) } })
    }
    await events.cancel()
  })

  test('a stream that was closed takes no messages', async () => {
    await start()
    const { events, path } = await listen()
    await events.cancel()
    await expect.poll(async () => (await served.fetch(path, post(initializeRequest()))).status).toBe(404)
  })

  test('unknown sessions 404, nonsense 400, other methods 405', async () => {
    await start()
    const { events, path } = await listen()
    expect((await served.fetch('/sse', post(initializeRequest()))).status).toBe(404)
    expect((await served.fetch('/sse?sessionId=x', post(initializeRequest()))).status).toBe(404)
    expect((await served.fetch(path, post('{'))).status).toBe(400)
    expect((await served.fetch(path, post('{}'))).status).toBe(400)
    const deleted = await served.fetch(path, { method: 'DELETE' })
    expect(deleted.status).toBe(405)
    expect(deleted.headers.get('allow')).toBe('GET, POST')
    await events.cancel()
  })

  test('somebody else cannot send into a stream', async () => {
    await start({ auth: (request) => ({ principal: request.header('authorization') ?? 'nobody' }) })
    const { events, path } = await listen({ authorization: 'ada' })
    expect((await served.fetch(path, post(initializeRequest(), { authorization: 'eve' }))).status).toBe(404)
    expect((await served.fetch(path, post(initializeRequest(), { authorization: 'ada' }))).status).toBe(202)
    await events.cancel()
  })

  test('it can be switched off, and moved', async () => {
    await start({ sse: false })
    expect((await served.fetch('/sse', { headers: { accept: 'text/event-stream' } })).status).toBe(404)
    await served.close()
    await start({ sse: '/old' })
    const response = await served.fetch('/old', { headers: { accept: 'text/event-stream' } })
    expect(response.status).toBe(200)
    await response.body!.cancel()
  })
})
