/** `subscriptions/listen` on a channel, message by message. */
import { describe, expect, test } from 'vitest'
import { transcriptProblems } from '../../../test/transcript-problems.ts'
import {
  createServer,
  prompt,
  resource,
  resourceTemplate,
  type Server,
  type ServerOptions,
  tool,
} from '../../server.ts'
import { memoryPair, openWire, type Wire } from '../../testing.ts'

type Json = { [member: string]: unknown }
type Message = Json & { id?: unknown; method?: string; params?: Json; result?: Json; error?: Json }

const idKey = 'io.modelcontextprotocol/subscriptionId'
const _meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
}
const note = (uri: string, more: object = {}) => resource({ uri, name: uri, read: () => '', ...more })
const named = (name: string, more: object = {}) => tool({ name, run: () => name, ...more })
const make = (more: Partial<ServerOptions> = {}): Server =>
  createServer({
    name: 'news',
    version: '1',
    tools: [named('first')],
    resources: [note('note:///a'), note('note:///b')],
    ...more,
  })

const listen = (wire: Wire, id: unknown, notifications: unknown): void =>
  wire.send({ jsonrpc: '2.0', id, method: 'subscriptions/listen', params: { _meta, notifications } })
const next = async (wire: Wire): Promise<Message> => (await wire.next()) as never as Message
const acknowledged = async (wire: Wire, id: unknown, notifications: unknown): Promise<Message> => {
  listen(wire, id, notifications)
  return next(wire)
}
const update = (id: unknown, uri: string): Json => ({
  jsonrpc: '2.0',
  method: 'notifications/resources/updated',
  params: { uri, _meta: { [idKey]: id } },
})
/** Everything that was on its way has arrived. */
const settled = () => new Promise<void>((resolve) => setTimeout(resolve, 5))

describe('the acknowledgement', () => {
  test('comes first, with the part of the filter that is honoured [sub.ack.first] [sub.ack.honoured-subset]', async () => {
    const server = make()
    await using wire = openWire(server)
    const asked = {
      toolsListChanged: true,
      promptsListChanged: true,
      resourcesListChanged: false,
      resourceSubscriptions: ['note:///a', 'note:///none', 'note:///a'],
    }
    expect(await acknowledged(wire, 'l1', asked)).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/subscriptions/acknowledged',
      params: {
        notifications: { toolsListChanged: true, resourceSubscriptions: ['note:///a'] },
        _meta: { [idKey]: 'l1' },
      },
    })
    server.resources.changed('note:///a')
    expect(await next(wire)).toEqual(update('l1', 'note:///a'))
    expect(transcriptProblems('2026-07-28', wire.transcript)).toEqual([])
  })

  // [tools.list-changed-subscribed]
  test('comes before news of what happens while the filter is looked at [sub.ack.nothing-before]', async () => {
    let decide!: (visible: boolean) => void
    const decision = new Promise<boolean>((resolve) => {
      decide = resolve
    })
    const server = make({ resources: [note('note:///a', { visible: () => decision })] })
    await using wire = openWire(server)
    listen(wire, 1, { toolsListChanged: true, resourceSubscriptions: ['note:///a'] })
    await settled()
    server.tools.add(named('second'))
    await settled()
    expect(wire.waiting).toEqual([])
    decide(true)
    expect(await next(wire)).toMatchObject({ method: 'notifications/subscriptions/acknowledged' })
    server.tools.add(named('third'))
    expect(await next(wire)).toMatchObject({ method: 'notifications/tools/list_changed' })
  })

  test('does not hold up the news of another subscription [sub.ack.interleaving-stdio]', async () => {
    let decide!: (visible: boolean) => void
    const decision = new Promise<boolean>((resolve) => {
      decide = resolve
    })
    const server = make({ resources: [note('note:///a'), note('note:///b', { visible: () => decision })] })
    await using wire = openWire(server)
    await acknowledged(wire, 1, { resourceSubscriptions: ['note:///a'] })
    listen(wire, 2, { resourceSubscriptions: ['note:///a', 'note:///b'] })
    server.resources.changed('note:///a')
    expect(await next(wire)).toEqual(update(1, 'note:///a'))
    decide(true)
    expect(await next(wire)).toMatchObject({ params: { _meta: { [idKey]: 2 } } })
    await settled()
    expect(wire.waiting).toEqual([])
  })

  test('an empty filter is acknowledged, and nothing follows [sub.listen.filter]', async () => {
    const server = make()
    await using wire = openWire(server)
    expect((await acknowledged(wire, 1, {})).params).toEqual({ notifications: {}, _meta: { [idKey]: 1 } })
    server.tools.add(named('second'))
    server.resources.changed('note:///a')
    await settled()
    expect(wire.waiting).toEqual([])
  })
})

describe('what is told', () => {
  // [res.updated-on-listen] [prompts.list-changed-subscribed]
  test('is only what was asked for [sub.listen.only-requested] [sub.listen.omitted-means-no]', async () => {
    const server = make({ prompts: [prompt({ name: 'p', run: () => 'p' })] })
    await using wire = openWire(server)
    await acknowledged(wire, 1, { promptsListChanged: true, resourceSubscriptions: ['note:///b'] })
    server.tools.add(named('second'))
    server.resources.add(note('note:///c'))
    server.resources.changed('note:///a')
    server.prompts.add(prompt({ name: 'q', run: () => 'q' }))
    server.resources.changed('note:///b')
    expect([(await next(wire)).method, (await next(wire)).method].sort()).toEqual([
      'notifications/prompts/list_changed',
      'notifications/resources/updated',
    ])
    await settled()
    expect(wire.waiting).toEqual([])
  })

  test('carries the id of its request, with its type [sub.id.on-every-notification] [sub.id.value] [sub.concurrent]', async () => {
    const server = make()
    await using wire = openWire(server)
    await acknowledged(wire, 7, { resourceSubscriptions: ['note:///a'] })
    await acknowledged(wire, '7', { resourceSubscriptions: ['note:///a', 'note:///b'] })
    server.resources.changed('note:///a')
    expect([await next(wire), await next(wire)]).toEqual([update(7, 'note:///a'), update('7', 'note:///a')])
    server.resources.changed('note:///b')
    expect(await next(wire)).toEqual(update('7', 'note:///b'))
    await settled()
    expect(wire.waiting).toEqual([])
    expect(transcriptProblems('2026-07-28', wire.transcript)).toEqual([])
  })

  test('many changes at once are one piece of news', async () => {
    const server = make()
    await using wire = openWire(server)
    await acknowledged(wire, 1, { toolsListChanged: true, resourceSubscriptions: ['note:///a'] })
    for (const name of ['a', 'b', 'c']) server.tools.add(named(name))
    for (let i = 0; i < 100; i++) server.resources.changed('note:///a')
    await settled()
    expect(wire.waiting).toHaveLength(2)
  })

  test('leaves out what the caller may not see, at the time of the news', async () => {
    let visible = true
    const server = make({ resources: [note('note:///a', { visible: () => visible })] })
    server.tools.add(named('hidden', { visible: () => false }))
    await using wire = openWire(server)
    await acknowledged(wire, 1, { toolsListChanged: true, resourceSubscriptions: ['note:///a'] })
    visible = false
    server.resources.changed('note:///a')
    server.tools.remove('hidden')
    await settled()
    expect(wire.waiting).toEqual([])
    const { params } = await acknowledged(wire, 2, { resourceSubscriptions: ['note:///a'] })
    expect(params!.notifications).toEqual({})
  })

  test('reaches through mounts and templates', async () => {
    const family = resourceTemplate({ uriTemplate: 'day:///{n}', name: 'day', read: () => '' })
    const inner = make({ name: 'inner', resources: [family] })
    const server = make({ resources: [] })
    server.mount(inner, { prefix: 'in_' })
    await using wire = openWire(server)
    await acknowledged(wire, 1, { toolsListChanged: true, resourceSubscriptions: ['day:///1'] })
    inner.resources.changed('day:///1')
    expect(await next(wire)).toEqual(update(1, 'day:///1'))
    inner.tools.remove('first')
    expect(await next(wire)).toMatchObject({ method: 'notifications/tools/list_changed' })
  })

  test('news on progress of a request carry no id of a subscription [sub.id.absent-elsewhere]', async () => {
    const counting = tool({
      name: 'count',
      run: async (_input, ctx) => {
        await ctx.progress(1)
        return 'ok'
      },
    })
    const server = make({ tools: [counting] })
    await using wire = openWire(server)
    await acknowledged(wire, 1, { toolsListChanged: true })
    const params = { name: 'count', _meta: { ..._meta, progressToken: 'p' } }
    wire.send({ jsonrpc: '2.0', id: 2, method: 'tools/call', params })
    const progress = await next(wire)
    expect(progress).toMatchObject({ method: 'notifications/progress' })
    expect(JSON.stringify(progress)).not.toContain(idKey)
  })
})

describe('the end', () => {
  test('a cancelled one is silent, and its id can be used again [sub.end.client-stdio]', async () => {
    const server = make()
    await using wire = openWire(server)
    await acknowledged(wire, 1, { resourceSubscriptions: ['note:///a'] })
    wire.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } })
    await settled()
    server.resources.changed('note:///a')
    await settled()
    expect(wire.waiting).toEqual([])
    expect(await acknowledged(wire, 1, {})).toMatchObject({ method: 'notifications/subscriptions/acknowledged' })
  })

  test('a server that closes answers each of them [sub.end.server-graceful-result] [sub.end.result-carries-id]', async () => {
    const server = make()
    const [near, far] = memoryPair()
    const connection = server.connect(far)
    await using wire = openWire(near)
    await acknowledged(wire, 'one', {})
    await acknowledged(wire, 2, { toolsListChanged: true })
    await connection.close()
    const serverInfo = { 'io.modelcontextprotocol/serverInfo': { name: 'news', version: '1' } }
    expect([await next(wire), await next(wire)]).toEqual(
      ['one', 2].map((id) => ({
        jsonrpc: '2.0',
        id,
        result: { resultType: 'complete', _meta: { [idKey]: id, ...serverInfo } },
      })),
    )
    // [cancel.server-listen-teardown]
    expect([await next(wire), await next(wire)]).toMatchObject(
      ['one', 2].map((requestId) => ({ method: 'notifications/cancelled', params: { requestId } })),
    )
    await wire.closed
    expect(transcriptProblems('2026-07-28', wire.transcript)).toEqual([])
  })

  test('nothing is left in the server of a client that is gone', async () => {
    const disposed: string[] = []
    const server = make({
      context: () => ({ [Symbol.dispose]: () => void disposed.push('context') }),
      resources: [note('note:///a', { visible: () => true })],
    })
    const wire = openWire(server)
    await acknowledged(wire, 1, { resourceSubscriptions: ['note:///a'] })
    expect(disposed).toEqual([])
    await wire.close()
    await settled()
    expect(disposed).toEqual(['context'])
    server.resources.changed('note:///a')
  })
})

describe('hostile filters', () => {
  const refused: [unknown, RegExp][] = [
    [undefined, /params\.notifications: expected an object/],
    [[], /params\.notifications: expected an object/],
    [{ toolsListChanged: 'yes' }, /toolsListChanged: expected a boolean, got string/],
    [{ resourceSubscriptions: 'note:///a' }, /resourceSubscriptions: expected an array/],
    [{ resourceSubscriptions: ['note:///a', 7] }, /resourceSubscriptions\[1\]: expected a string/],
    [{ resourceSubscriptions: Array(100_000).fill('note:///a') }, /expected at most 1000 URIs, got 100000/],
  ]
  test.each(refused)('%j is refused', async (filter, problem) => {
    await using wire = openWire(make())
    expect(await acknowledged(wire, 1, filter)).toMatchObject({
      id: 1,
      error: { code: -32602, message: expect.stringMatching(problem) },
    })
  })

  test('names that only look like fields are nothing', async () => {
    const server = make()
    await using wire = openWire(server)
    const filter = JSON.parse('{"__proto__":{"toolsListChanged":true},"constructor":true,"other":["x"]}')
    expect((await acknowledged(wire, 1, filter)).params).toEqual({ notifications: {}, _meta: { [idKey]: 1 } })
    server.tools.add(named('second'))
    await settled()
    expect(wire.waiting).toEqual([])
  })

  test('as many as the limits say are open at once, and URIs in each of them', async () => {
    await using wire = openWire(make({ limits: { maxListens: 2, maxSubscriptions: 1 } }))
    await acknowledged(wire, 1, {})
    await acknowledged(wire, 2, {})
    expect(await acknowledged(wire, 3, {})).toMatchObject({
      id: 3,
      error: { code: -32603, message: 'Too many open subscriptions (the limit is 2)', data: { limit: 2 } },
    })
    wire.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } })
    const uris = ['note:///a', 'note:///b']
    expect(await acknowledged(wire, 4, { resourceSubscriptions: uris })).toMatchObject({ error: { code: -32602 } })
    expect(await acknowledged(wire, 5, {})).toMatchObject({ method: 'notifications/subscriptions/acknowledged' })
  })

  test('those that are open take no place of a request in work', async () => {
    const waiting = tool({ name: 'wait', run: () => new Promise<string>(() => {}) })
    await using wire = openWire(make({ tools: [waiting], limits: { maxIncoming: 1, maxListens: 2 } }))
    await acknowledged(wire, 1, {})
    await acknowledged(wire, 2, {})
    const call = (id: number, method: string): void =>
      wire.send({ jsonrpc: '2.0', id, method, params: { _meta, name: 'wait' } })
    call(3, 'tools/list')
    expect(await next(wire)).toMatchObject({ id: 3, result: {} })
    call(4, 'tools/call')
    call(5, 'tools/list')
    expect(await next(wire)).toMatchObject({ id: 5, error: { message: expect.stringMatching(/the limit is 1/) } })
  })

  test('a session of an older revision has no such method', async () => {
    await using wire = openWire(make())
    const clientInfo = { name: 'c', version: '1' }
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }
    wire.send({ jsonrpc: '2.0', id: 0, method: 'initialize', params })
    await next(wire)
    wire.send({ jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params: { notifications: {} } })
    expect(await next(wire)).toMatchObject({ id: 1, error: { code: -32601 } })
  })
})
