/** Changes in 2026-07-28: the streams of all subscriptions, however often they break. */
import { describe, expect, test } from 'vitest'
import { RpcError } from '../../errors.ts'
import type { Channel } from '../../jsonrpc/channel.ts'
import type { JsonObject, RequestId } from '../../jsonrpc/message.ts'
import { deadlineCount } from '../../jsonrpc/timer-wheel.ts'
import type { Client } from '../client.ts'
import { connect } from '../connect.ts'
import type { ConnectOptions } from '../options.ts'
import { modernServer, type ServerScript, silence, TellingServer } from '../scripted-server.suite.ts'

const updated = 'notifications/resources/updated'
const toolsChanged = 'notifications/tools/list_changed'

interface Session extends AsyncDisposable {
  server: TellingServer
  client: Client
  errors: string[]
  warnings: string[]
}

const open = (options: ConnectOptions = {}, script: ServerScript = {}): Promise<Session> =>
  openAt(new TellingServer(script), options)

/** The same over a transport on which every stream has a connection of its own. */
function openApart(): Promise<Session> {
  const server = new TellingServer()
  return openAt(server, {}, () => Object.assign(server.open(), { streamPerRequest: true }))
}

async function openAt(
  server: TellingServer,
  options: ConnectOptions = {},
  channel: () => Channel = server.open,
): Promise<Session> {
  const [errors, warnings]: [string[], string[]] = [[], []]
  const client = await connect(channel, {
    onError: ({ message }) => errors.push(message),
    onWarning: (message) => warnings.push(message),
    httpLimits: { reconnectMs: 10, maxReconnectMs: 20 },
    ...options,
  })
  return { server, client, errors, warnings, [Symbol.asyncDispose]: () => client.close() }
}
/** Everything that was on its way has arrived. */
const settled = () => new Promise<void>((resolve) => setTimeout(resolve, 5))

describe('what is wanted', () => {
  // [sub.listen.filter]
  test('is asked for at once, in one request', async () => {
    await using it = await open()
    const seen: string[] = []
    it.client.onChange('tools', () => seen.push('tools'))
    it.client.onChange('prompts', () => seen.push('prompts'))
    await Promise.all(['a:1', 'a:2', 'a:1'].map((uri) => it.client.watch(uri, () => seen.push(uri))))
    expect(it.server.filters).toEqual([
      { toolsListChanged: true, promptsListChanged: true, resourceSubscriptions: ['a:1', 'a:2'] },
    ])
    it.server.tell(updated, { uri: 'a:1' })
    it.server.tell(toolsChanged)
    it.server.tell('notifications/prompts/list_changed')
    await it.client.ping()
    expect(seen).toEqual(['a:1', 'a:1', 'tools', 'prompts'])
  })

  test('is asked for anew when it changes, and the old stream ends after the new one began', async () => {
    await using it = await openApart()
    const seen: string[] = []
    const first = await it.client.watch('a:1', ({ uri }) => seen.push(uri))
    await it.client.watch('a:2', ({ uri }) => seen.push(uri))
    expect(it.server.filters).toEqual([{ resourceSubscriptions: ['a:1'] }, { resourceSubscriptions: ['a:1', 'a:2'] }])
    expect(it.server.cancelled).toEqual([])
    await expect.poll(() => it.server.cancelled).toEqual([it.server.listens[0]])
    await first.close()
    expect(it.server.filters.at(-1)).toEqual({ resourceSubscriptions: ['a:2'] })
    await expect.poll(() => it.server.cancelled).toEqual(it.server.listens.slice(0, 2))
    it.server.tell(updated, { uri: 'a:2' })
    await it.client.ping()
    expect(seen).toEqual(['a:2'])
    expect([it.errors, it.warnings]).toEqual([[], []])
  })

  test('on a connection with other streams is asked for in addition, and nothing ends', async () => {
    await using it = await open()
    const seen: string[] = []
    it.client.onChange('tools', () => seen.push('tools'))
    const first = await it.client.watch('a:1', ({ uri }) => seen.push(uri))
    await it.client.watch('a:2', ({ uri }) => seen.push(uri))
    await first.close()
    expect(it.server.filters).toEqual([
      { toolsListChanged: true, resourceSubscriptions: ['a:1'] },
      { resourceSubscriptions: ['a:2'] },
    ])
    const [lists, added] = it.server.listens
    it.server.tell(updated, { uri: 'a:1' }, lists)
    it.server.tell(updated, { uri: 'a:2' }, added)
    it.server.tell(toolsChanged, {}, lists)
    await it.client.ping()
    expect(seen).toEqual(['a:2', 'tools'])
    await it.client.watch('a:1', ({ uri }) => seen.push(uri))
    expect(it.server.listens).toHaveLength(2)
    expect(it.server.cancelled).toEqual([])
    expect([it.errors, it.warnings]).toEqual([[], []])
  })

  test('without lists ends with the last of its stream', async () => {
    await using it = await open()
    const first = await it.client.watch('a:1', () => {})
    const second = await it.client.watch('a:2', () => {})
    await second.close()
    expect(it.server.cancelled).toEqual([it.server.listens[1]])
    await first.close()
    expect(it.server.cancelled).toEqual([it.server.listens[1], it.server.listens[0]])
  })

  test('in too many streams becomes one, and listeners are told', async () => {
    await using it = await open()
    let heard = 0
    it.client.onChange('tools', () => heard++)
    for (let i = 0; i < 64; i++) await it.client.watch(`a:${i}`, () => {})
    expect([it.server.listens.length, it.server.cancelled.length, heard]).toEqual([64, 0, 0])
    await it.client.watch('a:64', () => {})
    expect(it.server.cancelled).toEqual(it.server.listens.slice(0, 64))
    expect(it.server.filters.slice(64)).toEqual([
      { toolsListChanged: true, resourceSubscriptions: Array.from({ length: 65 }, (_, i) => `a:${i}`) },
    ])
    expect(heard).toBe(1)
  })

  test('is freed of what nobody wants any more', async () => {
    await using it = await open()
    it.client.onChange('tools', () => {})
    const uris = Array.from({ length: 70 }, (_, i) => `a:${i}`)
    const watches = await Promise.all(uris.map((uri) => it.client.watch(uri, () => {})))
    await Promise.all(watches.map((watch) => watch.close()))
    await expect.poll(() => it.server.filters.slice(1)).toEqual([{ toolsListChanged: true }])
    expect(it.server.cancelled).toEqual(it.server.listens.slice(0, 1))
  })

  // [sub.end.client-stdio]
  test('when it is nothing, nothing is open', async () => {
    await using it = await open()
    const watch = await it.client.watch('a:1', () => {})
    const stop = it.client.onChange('tools', () => {})
    await watch.close()
    stop()
    await expect.poll(() => it.server.cancelled.length).toBe(it.server.listens.length)
    await it.client.ping()
    expect(new Set(it.server.cancelled)).toEqual(new Set(it.server.listens))
    const again = await it.client.watch('a:1', () => {})
    expect(it.server.filters.at(-1)).toEqual({ resourceSubscriptions: ['a:1'] })
    await again.close()
  })

  // [sub.ack.client-checks]
  test('a resource that the server does not tell of is an error, and costs the others nothing', async () => {
    await using it = await open()
    it.server.honour = ({ resourceSubscriptions }) => ({
      resourceSubscriptions: (resourceSubscriptions as string[]).filter((uri) => uri !== 'a:no'),
    })
    const seen: string[] = []
    const watches = await Promise.allSettled(['a:1', 'a:no'].map((uri) => it.client.watch(uri, () => seen.push(uri))))
    expect(watches).toMatchObject([
      { status: 'fulfilled' },
      { status: 'rejected', reason: { code: 'unsupported', message: expect.stringContaining('a:no') } },
    ])
    await it.client.ping()
    it.server.tell(updated, { uri: 'a:1' })
    await it.client.ping()
    expect(seen).toEqual(['a:1'])
    expect(it.server.listens).toHaveLength(1)
  })

  test('a list that the server does not tell of is a warning', async () => {
    await using it = await open()
    it.server.honour = () => ({})
    it.client.onChange('tools', () => {})
    await expect.poll(() => it.warnings).toEqual(['The server does not announce toolsListChanged'])
  })

  test('the server decides nothing that was not asked for', async () => {
    await using it = await open()
    it.server.honour = () => ({ toolsListChanged: true, resourceSubscriptions: ['a:2'], __proto__: [1] })
    await expect(it.client.watch('a:1', () => {})).rejects.toMatchObject({ code: 'unsupported' })
  })
})

describe('what is said', () => {
  // [sub.id.client-correlates]
  test('on no stream of this client is ignored, with a warning', async () => {
    await using it = await open()
    let heard = 0
    await it.client.watch('a:1', () => heard++)
    it.server.notify(updated, { uri: 'a:1' })
    it.server.notify(updated, { uri: 'a:1', _meta: {} })
    for (const id of ['x', 99, null, {}, -0.5e300]) it.server.tell(updated, { uri: 'a:1' }, id)
    await it.client.ping()
    expect(heard).toBe(0)
    expect(it.warnings).toHaveLength(7)
    expect(it.warnings[0]).toMatch(/came for no subscription/)
    it.server.tell(updated, { uri: 'a:1' }, String(it.server.listens[0]))
    await it.client.ping()
    expect(heard).toBe(1)
  })

  test('before the acknowledgement is ignored', async () => {
    const script: ServerScript = { 'subscriptions/listen': silence }
    await using it = await open({}, script)
    let heard = 0
    const watching = it.client.watch('a:1', () => heard++)
    await it.server.untilMethod('subscriptions/listen')
    it.server.tell(updated, { uri: 'a:1' })
    it.server.acknowledge(it.server.listens[0]!, { resourceSubscriptions: ['a:1'] })
    it.server.acknowledge(it.server.listens[0]!, {})
    await watching
    expect(heard).toBe(0)
    it.server.tell(updated, { uri: 'a:1' })
    await it.client.ping()
    expect(heard).toBe(1)
  })

  test('on both streams while one takes over is told once, and on the old one alone is told too', async () => {
    await using it = await openApart()
    const seen: string[] = []
    await it.client.watch('a:1', ({ uri }) => seen.push(uri))
    await it.client.watch('a:2', ({ uri }) => seen.push(uri))
    const [old, current] = it.server.listens
    it.server.tell(updated, { uri: 'a:1' }, old)
    it.server.tell(updated, { uri: 'a:1' }, current)
    it.server.tell(updated, { uri: 'a:1/late' }, old)
    await it.client.ping()
    expect(seen).toEqual(['a:1'])
    await expect.poll(() => seen).toEqual(['a:1', 'a:1/late'])
    it.server.tell(updated, { uri: 'a:1' }, old)
    await it.client.ping()
    expect(seen).toHaveLength(2)
    expect(it.warnings).toEqual([])
  })
})

describe('a stream that ends', () => {
  const tools: JsonObject = { tools: [], ttlMs: 60_000, cacheScope: 'private' }

  // [sub.end.http-reissue]
  test('in order is opened again, listeners are told, and nothing old is kept', async () => {
    await using it = await open({}, { 'tools/list': tools })
    const seen: string[] = []
    it.client.onChange('tools', () => seen.push('tools'))
    await it.client.watch('a:1', ({ uri }) => seen.push(uri))
    await it.client.listTools()
    for (let times = 1; times <= 3; times++) {
      it.server.endListen()
      await expect.poll(() => it.server.listens.length).toBe(times + 1)
      await it.client.ping()
      expect(seen.splice(0)).toEqual(['tools', 'a:1'])
    }
    expect(new Set(it.server.filters.map((filter) => JSON.stringify(filter))).size).toBe(1)
    await it.client.listTools()
    expect(it.server.all('tools/list')).toHaveLength(2)
    it.server.tell(updated, { uri: 'a:1' })
    await it.client.ping()
    expect(seen).toEqual(['a:1'])
    // A server may do so at any time.
    expect(it.errors).toEqual([])
  })

  // [cancel.server-nothing-else]
  test('by a cancellation of the server is opened again, and no other request ends that way', async () => {
    await using it = await open({}, { 'tools/call': silence })
    let heard = 0
    await it.client.watch('a:1', () => heard++)
    const call = it.client.callTool('x', {}, { timeoutMs: 100 })
    await it.server.untilMethod('tools/call')
    for (const { id } of it.server.received) it.server.notify('notifications/cancelled', { requestId: id! })
    await expect.poll(() => it.server.listens.length).toBe(2)
    await expect.poll(() => heard).toBe(1)
    await expect(call).rejects.toMatchObject({ code: 'timeout' })
    expect(it.errors[0]).toMatch(/The server cancelled subscriptions\/listen/)
  })

  test('with an error that may pass is opened again, as often as it takes', async () => {
    let failures = 4
    const script: ServerScript = {
      'subscriptions/listen': ({ notifications }, { id }) => {
        if (failures-- > 0) return new RpcError(-32603, 'Too many open subscriptions')
        it.server.acknowledge(id!, notifications as JsonObject)
        return silence
      },
    }
    const it = await open({}, script)
    let heard = 0
    it.client.onChange('tools', () => heard++)
    await expect.poll(() => it.server.listens.length).toBe(5)
    await it.client.ping()
    it.server.tell(toolsChanged)
    await it.client.ping()
    expect(heard).toBe(1)
    await it.client.close()
  })

  test('what is not wanted any more when it would be opened again stays closed', async () => {
    await using it = await open()
    const stop = it.client.onChange('tools', () => {})
    await it.server.untilMethod('subscriptions/listen')
    await it.client.ping()
    it.server.endListen()
    await it.client.ping()
    stop()
    await new Promise((resolve) => setTimeout(resolve, 60))
    expect(it.server.listens).toHaveLength(1)
  })
})

/** Forgets the list changes of a whole connection when any of its streams ends, and keeps one stream per list or resource. */
class ForgetfulServer extends TellingServer {
  readonly #tellers = new Map<string, RequestId>()

  constructor() {
    super({
      'subscriptions/listen': ({ notifications }, { id }) => {
        const { toolsListChanged, resourceSubscriptions = [] } = notifications as JsonObject
        if (toolsListChanged) this.#tellers.set('tools', id!)
        for (const uri of resourceSubscriptions as string[]) this.#tellers.set(uri, id!)
        this.acknowledge(id!, notifications as JsonObject)
        void this.until(({ params }) => params?.requestId === id).then(() => {
          this.#tellers.delete('tools')
          for (const uri of resourceSubscriptions as string[]) this.#tellers.delete(uri)
        })
        return silence
      },
    })
  }

  change(): void {
    const id = this.#tellers.get('tools')
    if (id !== undefined) this.tell(toolsChanged, {}, id)
  }

  touch(uri: string): void {
    const id = this.#tellers.get(uri)
    if (id !== undefined) this.tell(updated, { uri }, id)
  }
}

describe('a server that forgets all lists when one stream ends', () => {
  test('still tells of them while watches come and go', async () => {
    const server = new ForgetfulServer()
    await using it = await openAt(server)
    const seen: string[] = []
    it.client.onChange('tools', () => seen.push('tools'))
    const first = await it.client.watch('a:1', ({ uri }) => seen.push(uri))
    await it.client.watch('a:2', ({ uri }) => seen.push(uri))
    await first.close()
    const third = await it.client.watch('a:3', ({ uri }) => seen.push(uri))
    await third.close()
    // Longer than an old stream lingers.
    await new Promise((resolve) => setTimeout(resolve, 400))
    server.change()
    server.touch('a:2')
    await it.client.ping()
    expect(seen).toEqual(['tools', 'a:2'])
    expect(it.warnings).toEqual([])
  })

  test('tells of them after streams were merged', async () => {
    const server = new ForgetfulServer()
    await using it = await openAt(server)
    let heard = 0
    let touched = 0
    it.client.onChange('tools', () => heard++)
    for (let i = 0; i < 70; i++) await it.client.watch(`a:${i}`, () => touched++)
    expect(server.cancelled.length).toBeGreaterThan(0)
    heard = 0
    touched = 0
    server.change()
    for (let i = 0; i < 70; i++) server.touch(`a:${i}`)
    await it.client.ping()
    expect([heard, touched]).toEqual([1, 70])
  })

  test('tells of them again after it ended another stream', async () => {
    const server = new ForgetfulServer()
    await using it = await openAt(server)
    let heard = 0
    it.client.onChange('tools', () => heard++)
    await it.client.ping()
    await expect.poll(() => server.listens.length).toBe(1)
    await it.client.watch('a:1', () => {})
    server.endListen(server.listens[1]!)
    await expect
      .poll(() => server.filters.slice(2))
      .toEqual([{ toolsListChanged: true, resourceSubscriptions: ['a:1'] }])
    await it.client.ping()
    heard = 0
    server.change()
    await it.client.ping()
    expect(heard).toBe(1)
  })
})

test('a subscription to nothing that the server has is not opened again', async () => {
  await using it = await open()
  it.server.honour = () => ({})
  let heard = 0
  it.client.onChange('tools', () => heard++)
  await expect.poll(() => it.server.listens.length).toBe(1)
  await it.client.ping()
  it.server.endListen()
  await new Promise((resolve) => setTimeout(resolve, 100))
  await it.client.ping()
  expect([it.server.listens.length, heard]).toEqual([1, 0])
})

describe('a server that refuses', () => {
  test('for good is not asked again: a watch is unsupported, and a list is a warning', async () => {
    const warnings: string[] = []
    const server = modernServer()
    await using client = await connect(server.open, { onWarning: (message) => warnings.push(message) })
    await expect(client.watch('a:1', () => {})).rejects.toMatchObject({
      code: 'unsupported',
      message: 'The server does not know subscriptions/listen, which watching a:1 needs: no subscriptions/listen here',
    })
    expect(warnings).toEqual([])
    client.onChange('tools', () => {})
    await expect.poll(() => warnings).toEqual([expect.stringMatching(/refused subscriptions\/listen/)])
    await settled()
    expect(server.all('subscriptions/listen')).toHaveLength(2)
  })

  test('one of the resources fails the watch, and the others go on', async () => {
    const script: ServerScript = {
      'subscriptions/listen': ({ notifications }, { id }) => {
        const uris = (notifications as JsonObject).resourceSubscriptions as string[]
        if (uris.includes('a:2')) return new RpcError(-32602, 'there is no a:2')
        it.server.acknowledge(id!, notifications as JsonObject)
        return silence
      },
    }
    const it = await open({}, script)
    let heard = 0
    await it.client.watch('a:1', () => heard++)
    await expect(it.client.watch('a:2', () => {})).rejects.toMatchObject({ code: -32602 })
    it.server.tell(updated, { uri: 'a:1' }, it.server.listens[0])
    await it.client.ping()
    expect(heard).toBe(1)
    await it.client.close()
  })

  test('to acknowledge in time fails the watch', async () => {
    await using it = await open({ timeoutMs: 30 }, { 'subscriptions/listen': silence })
    await expect(it.client.watch('a:1', () => {})).rejects.toMatchObject({ code: 'timeout' })
    await expect.poll(() => it.server.cancelled).toEqual(it.server.listens)
  })
})

describe('a client', () => {
  test('with all the time in the world waits for an acknowledgement', async () => {
    await using it = await open({ timeoutMs: Number.POSITIVE_INFINITY }, { 'subscriptions/listen': silence })
    const watching = it.client.watch('a:1', () => {})
    await it.server.untilMethod('subscriptions/listen')
    await settled()
    it.server.acknowledge(it.server.listens[0]!, { resourceSubscriptions: ['a:1'] })
    await watching
  })

  test('that closes leaves nothing open, and ends its streams first', async () => {
    const it = await open()
    await it.client.watch('a:1', () => {})
    await it.client.watch('a:2', () => {})
    const pending = it.client.watch('a:3', () => {})
    pending.catch(() => {})
    await it.client.close()
    await expect(pending).rejects.toMatchObject({ name: 'McpError' })
    await expect.poll(() => it.server.closed).toBe(1)
    expect(it.server.cancelled).toEqual(expect.arrayContaining(it.server.listens.slice(0, 2)))
    await settled()
    expect(deadlineCount()).toBe(0)
  })

  test('that is connected in vain does not try for ever', async () => {
    const it = await open()
    await it.client.watch('a:1', () => {})
    it.server.end()
    await it.client.closed
    await new Promise((resolve) => setTimeout(resolve, 60))
    expect(it.server.listens).toHaveLength(1)
  })

  test('listens without a time limit, and without the place of another request', async () => {
    await using it = await open({ timeoutMs: 40, maxTotalMs: 40, limits: { maxOutgoing: 1 } })
    let heard = 0
    await it.client.watch('a:1', () => heard++)
    expect(deadlineCount()).toBe(0)
    await new Promise((resolve) => setTimeout(resolve, 120))
    await it.client.ping()
    it.server.tell(updated, { uri: 'a:1' })
    await it.client.ping()
    expect(heard).toBe(1)
    expect(it.server.listens).toHaveLength(1)
  })
})
