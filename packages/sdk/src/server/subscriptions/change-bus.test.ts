/** News between servers that answer for each other: two of them stand for two processes. */
import { describe, expect, test } from 'vitest'
import { MemoryBus } from '../../http-server/stores/memory-bus.ts'
import { type Bus, createServer, McpError, resource, type Server, type ServerOptions, tool } from '../../server.ts'
import { openWire, testClient, type Wire } from '../../testing.ts'

const settled = () => new Promise<void>((resolve) => setTimeout(resolve, 5))
const named = (name: string, more: object = {}) => tool({ name, run: () => name, ...more })
const note = (uri = 'note:///a') => resource({ uri, name: 'note', read: () => '' })
const make = (bus: Bus, more: Partial<ServerOptions> = {}): Server =>
  createServer({ name: 'twin', version: '1', tools: [named('t')], resources: [note()], bus, ...more })

async function listen(server: Server): Promise<Wire> {
  const wire = openWire(server)
  const notifications = { toolsListChanged: true, resourceSubscriptions: ['note:///a'] }
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  wire.send({ jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params: { _meta, notifications } })
  await wire.next()
  return wire
}
const methods = ({ waiting }: Wire): string[] =>
  waiting.map((payload) => ('method' in payload ? payload.method.replace('notifications/', '') : 'answer'))

/** A bus that tells what goes over it, and how many listen. */
class WatchedBus extends MemoryBus {
  readonly published: string[] = []
  listeners = 0
  override publish(topic: string, message: string): void {
    this.published.push(message)
    super.publish(topic, message)
  }
  override subscribe(topic: string, listener: (message: string) => void): () => void {
    this.listeners++
    const stop = super.subscribe(topic, listener)
    return () => {
      this.listeners--
      stop()
    }
  }
}

/** A bus that can be away. */
class AwayBus extends MemoryBus {
  isAway = true
  override publish(topic: string, message: string): void {
    this.#check()
    super.publish(topic, message)
  }
  override subscribe(topic: string, listener: (message: string) => void): () => void {
    this.#check()
    return super.subscribe(topic, listener)
  }
  #check(): void {
    if (this.isAway) throw new McpError('unavailable', 'the bus is away')
  }
}

describe('a bus', () => {
  test('takes changes to listeners and sessions of another process, once, and not back', async () => {
    const bus = new WatchedBus()
    const [here, there] = [make(bus), make(bus)]
    await using near = await listen(here)
    await using far = await listen(there)
    await using session = await testClient(there, { revision: '2025-11-25' })
    await using _watch = await session.watch('note:///a', () => {})
    here.resources.changed('note:///a')
    here.tools.add(named('new'))
    await settled()
    for (const wire of [near, far]) expect(methods(wire).sort()).toEqual(['resources/updated', 'tools/list_changed'])
    expect(session.transcript.calls('notifications/resources/updated')).toHaveLength(1)
    expect(session.transcript.calls('notifications/tools/list_changed')).toHaveLength(1)
    expect(bus.published).toHaveLength(2)
  })

  test('news of another server are no news', async () => {
    const bus = new MemoryBus()
    await using far = await listen(make(bus))
    make(bus, { name: 'other' }).resources.changed('note:///a')
    await settled()
    expect(far.waiting).toEqual([])
  })

  test('that was away for a while brings everything when it is back, equal changes once', async () => {
    const bus = new AwayBus()
    bus.isAway = false
    const errors: unknown[] = []
    const [here, there] = [make(bus, { onError: (error) => errors.push(error) }), make(bus)]
    await using far = await listen(there)
    bus.isAway = true
    for (let change = 0; change < 3; change++) here.resources.changed('note:///a')
    here.tools.add(named('new'))
    await expect.poll(() => errors.length).toBeGreaterThan(1)
    expect(methods(far)).toEqual([])
    bus.isAway = false
    await expect.poll(() => methods(far).sort()).toEqual(['resources/updated', 'tools/list_changed'])
    expect(errors).toContainEqual(expect.objectContaining({ code: 'unavailable' }))
  })

  test('that was away when somebody began to listen, or lost messages: everything may have changed', async () => {
    const bus = new AwayBus()
    let gap: (() => void) | undefined
    const lossy: Bus = {
      publish: (topic, message) => bus.publish(topic, message),
      subscribe: (topic, listener, tellGap) => {
        const stop = bus.subscribe(topic, listener)
        gap = tellGap
        return stop
      },
    }
    await using far = await listen(make(lossy, { onError: () => {} }))
    expect(gap).toBeUndefined()
    bus.isAway = false
    const everything = ['resources/updated', 'tools/list_changed']
    await expect.poll(() => methods(far).sort()).toEqual(everything)
    gap!()
    await expect.poll(() => methods(far).sort()).toEqual([...everything, ...everything].sort())
  })

  test('is listened to only while somebody wants to hear', async () => {
    const bus = new WatchedBus()
    const server = make(bus)
    expect(bus.listeners).toBe(0)
    const wire = await listen(server)
    expect(bus.listeners).toBe(1)
    await wire.close()
    await expect.poll(() => bus.listeners).toBe(0)
  })

  test('a listen is acknowledged when the bus is heard, however long that takes', async () => {
    let heard!: (stop: () => void) => void
    let tell!: (message: string) => void
    const bus: Bus = {
      publish: () => {},
      subscribe: (_topic, listener) => {
        tell = listener
        return new Promise((resolve) => {
          heard = resolve
        })
      },
    }
    const server = make(bus)
    const opening = listen(server)
    expect(await Promise.race([opening, settled()])).toBeUndefined()
    // Too early, even for news of this process. [sub.ack.nothing-before]
    server.resources.changed('note:///a')
    await settled()
    heard(() => {})
    await using wire = await opening
    tell('{"from":"x","kind":"resource","uri":"note:///a"}')
    await settled()
    expect(methods(wire)).toEqual(['resources/updated'])
  })

  test.each([
    'nonsense',
    'null',
    '[]',
    '{}',
    '{"kind":"resource"}',
    '{"kind":"resource","uri":7}',
    '{"kind":"list","feature":"__proto__"}',
    '{"kind":"list","feature":"tools","restricted":true}',
    '{"kind":"list","feature":"tools","restricted":true,"server":"twin","key":"__proto__"}',
    '{"kind":"list","feature":"tools","restricted":true,"server":{},"key":[]}',
    undefined,
  ])('%s is ignored', async (message) => {
    const bus = new MemoryBus()
    const errors: unknown[] = []
    await using far = await listen(make(bus, { onError: (error) => errors.push(error) }))
    bus.publish('changes/twin', message as string)
    await settled()
    expect(far.waiting).toEqual([])
    expect(errors).toEqual([])
  })

  test('a hidden item is announced only where its rule is known, and to whom it lets', async () => {
    const bus = new MemoryBus()
    const hidden = (visible: boolean) => named('secret', { visible: () => visible })
    const here = make(bus, { tools: [hidden(true)] })
    await using without = await listen(make(bus))
    await using closed = await listen(make(bus, { tools: [hidden(false)] }))
    await using open = await listen(make(bus, { tools: [hidden(true)] }))
    here.tools.remove('secret')
    await settled()
    expect([without, closed, open].map(methods)).toEqual([[], [], ['tools/list_changed']])
  })

  test('news of a mounted server go over one bus only', async () => {
    const bus = new WatchedBus()
    const mounted = (): { inner: Server; outer: Server } => {
      const inner = make(bus, { name: 'inner' })
      const outer = make(bus, { name: 'outer', resources: [], tools: [] })
      outer.mount(inner)
      return { inner, outer }
    }
    const [here, there] = [mounted(), mounted()]
    bus.published.length = 0
    await using far = await listen(there.outer)
    here.inner.resources.changed('note:///a')
    await settled()
    expect(methods(far)).toEqual(['resources/updated'])
    expect(bus.published).toHaveLength(1)
  })

  test('a bus that fails is reported, and news of this process go on', async () => {
    const errors: unknown[] = []
    const bus: Bus = {
      publish: () => Promise.reject(new Error('no publishing')),
      subscribe: () => {
        throw new Error('no subscribing')
      },
    }
    const server = make(bus, { onError: (error) => errors.push((error as Error).message) })
    await using wire = await listen(server)
    server.resources.changed('note:///a')
    await settled()
    expect(methods(wire)).toEqual(['resources/updated'])
    expect(new Set(errors)).toEqual(new Set(['no subscribing', 'no publishing']))
  })
})
