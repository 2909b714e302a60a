/** Changes that come while a client, a process or the store is not ready for them. The processes are servers in memory. */
import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { McpError } from '../../errors.ts'
import { type FetchHandler, fetchHandler } from '../../http.ts'
import { createServer, resource, type Server } from '../../server.ts'
import { SharedMemoryLog, SharedMemorySessions, SlowBus } from '../stores/shared-memory.suite.ts'
import type {
  Bus,
  LoggedEvent,
  SessionState,
  SharedEventLog,
  SharedSessionStore,
  StreamFollower,
} from '../stores/stores.ts'
import { EventReader, initializeRequest } from '../tests/http.suite.ts'

const endings: (() => unknown)[] = []
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end()
})

const away = (): McpError => new McpError('unavailable', 'the store is away')

/** Stops operations of one process at the store until they are let go. */
class Gate {
  readonly #waiting: { name: string; go: () => void }[] = []
  readonly #held = new Set<string>()
  readonly #failing = new Set<string>()
  /** How many operations with a name arrived. */
  readonly counts = new Map<string, number>()

  hold(name: string): void {
    this.#held.add(name)
  }

  fail(name: string): void {
    this.#failing.add(name)
  }

  release(): void {
    this.#held.clear()
    this.#failing.clear()
    for (const { go } of this.#waiting.splice(0)) go()
  }

  async pass(name: string): Promise<void> {
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1)
    if (this.#failing.has(name)) throw away()
    if (this.#held.has(name)) await new Promise<void>((go) => this.#waiting.push({ name, go }))
  }

  /** Done when an operation has arrived that is held, or has failed. */
  async arrived(name: string): Promise<void> {
    const before = this.counts.get(name) ?? 0
    while ((this.counts.get(name) ?? 0) === before) await turn()
  }
}

/** The stores that processes have in common. */
const newStores = () => ({ log: new SharedMemoryLog(), store: new SharedMemorySessions(), bus: new SlowBus() })

/** Names of operations: `changes` is the log of changes, `events` that of a session. */
const kindOf = (session: string): string => (session === '' ? 'changes' : 'events')

class GatedLog implements SharedEventLog {
  readonly #log: SharedEventLog
  readonly #gate: Gate
  constructor(log: SharedEventLog, gate: Gate) {
    this.#log = log
    this.#gate = gate
  }
  async append(session: string, stream: string, text: string, last?: 'last'): Promise<number> {
    await this.#gate.pass(`append to ${kindOf(session)}`)
    return this.#log.append(session, stream, text, last)
  }
  async after(session: string, stream: string, number: number): Promise<readonly LoggedEvent[] | undefined> {
    await this.#gate.pass(`read ${kindOf(session)}`)
    return this.#log.after(session, stream, number)
  }
  async last(session: string, stream: string): Promise<number> {
    await this.#gate.pass(`look at ${kindOf(session)}`)
    return this.#log.last(session, stream)
  }
  forget(session: string) {
    return this.#log.forget(session)
  }
  end(session: string, stream: string) {
    return this.#log.end(session, stream)
  }
  follow(session: string, stream: string, number: number, follower: StreamFollower) {
    return this.#log.follow(session, stream, number, follower)
  }
}

function gatedBus(bus: Bus, gate: Gate): Bus {
  return {
    publish: (topic, message) => bus.publish(topic, message),
    subscribe: async (topic, listener) => {
      const kind = topic.split('/')[0]!
      await gate.pass(`subscribe to ${kind}`)
      const heard = (message: string): void => {
        void gate.pass(`hear of ${kind}`).then(
          () => listener(message),
          () => {},
        )
      }
      return bus.subscribe(topic, heard)
    },
  }
}

function gatedStore(store: SharedSessionStore, gate: Gate): SharedSessionStore {
  return {
    add: (record) => store.add(record),
    get: (id) => store.get(id),
    remove: (id) => store.remove(id),
    change: (id, change) => store.change(id, change),
    use: async (id, version): Promise<SessionState | 'unchanged' | 'ended'> => {
      await gate.pass('use')
      return store.use(id, version)
    },
  }
}

interface Process {
  readonly gate: Gate
  readonly server: Server
  readonly handle: FetchHandler
  post(session: string, body: object): Promise<Response>
  listen(session: string, lastEventId?: string): Promise<EventReader>
}

function startProcess(common = newStores(), gate = new Gate()): Process {
  const note = (name: string) => resource({ uri: `note://${name}`, name, read: () => '' })
  const resources = ['one', 'two'].map(note)
  const server = createServer({ name: 'desk', version: '1', onError: () => {}, resources })
  const sessions = { store: gatedStore(common.store, gate), bus: gatedBus(common.bus, gate) }
  const eventLog = new GatedLog(common.log, gate)
  const handle = fetchHandler(server, { allowedHosts: '*', sessions, eventLog })
  endings.push(() => handle.close())
  const headersOf = (session: string) => ({
    accept: 'application/json, text/event-stream',
    ...(session !== '' && { 'mcp-session-id': session }),
  })
  return {
    gate,
    server,
    handle,
    post: (session, body) => {
      const headers = { ...headersOf(session), 'content-type': 'application/json' }
      return handle(new Request('http://desk/mcp', { method: 'POST', headers, body: JSON.stringify(body) }))
    },
    listen: async (session, lastEventId) => {
      const headers = { ...headersOf(session), ...(lastEventId !== undefined && { 'last-event-id': lastEventId }) }
      const reader = new EventReader(await handle(new Request('http://desk/mcp', { headers })))
      endings.push(() => reader.cancel())
      return reader
    },
  }
}

function startTwo(common = newStores()): [Process, Process] {
  return [startProcess(common), startProcess(common)]
}

const subscribe = (name: string) => ({
  jsonrpc: '2.0',
  id: name,
  method: 'resources/subscribe',
  params: { uri: `note://${name}` },
})
const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }

/** Opens a session that is subscribed to a resource. */
async function open(at: Process, ...names: string[]): Promise<string> {
  const opened = await at.post('', initializeRequest('2025-11-25'))
  const id = opened.headers.get('mcp-session-id')!
  await at.post(id, { jsonrpc: '2.0', method: 'notifications/initialized' })
  for (const name of names) await (await at.post(id, subscribe(name))).text()
  return id
}

/** Long enough for whatever is under way in memory. */
async function settled(): Promise<void> {
  for (let count = 0; count < 30; count++) await turn()
}

const updated = (name: string) => ({ method: 'notifications/resources/updated', params: { uri: `note://${name}` } })

describe('a client hears of a change', () => {
  test('that it missed, although the log was away when it came back', async () => {
    const [one, two] = startTwo()
    const id = await open(one, 'one')
    two.server.resources.changed('note://one')
    await settled()
    one.gate.fail('read changes')
    const failed = one.gate.arrived('read changes')
    const stream = await one.listen(id)
    await failed
    one.gate.release()
    expect(await stream.message()).toMatchObject(updated('one'))
  })

  test('whose notification could not be sent at first', async () => {
    const [one, two] = startTwo()
    const id = await open(one, 'one')
    const stream = await one.listen(id)
    await settled()
    one.gate.fail('append to events')
    const failed = one.gate.arrived('append to events')
    two.server.resources.changed('note://one')
    await failed
    one.gate.release()
    expect(await stream.message()).toMatchObject(updated('one'))
  })

  test('that the bus did not bring, with the next one', async () => {
    const [one, two] = startTwo()
    const id = await open(one, 'one', 'two')
    const stream = await one.listen(id)
    await settled()
    one.gate.fail('hear of changes')
    const lost = one.gate.arrived('hear of changes')
    two.server.resources.changed('note://one')
    await lost
    one.gate.release()
    two.server.resources.changed('note://two')
    expect([await stream.message(), await stream.message()]).toMatchObject([updated('one'), updated('two')])
  })

  test('from between the look at the log and the first message of the bus', async () => {
    const [one, two] = startTwo()
    const id = await open(one, 'one')
    two.gate.hold('subscribe to changes')
    const stream = await two.listen(id)
    await settled()
    one.server.resources.changed('note://one')
    await settled()
    two.gate.release()
    expect(await stream.message()).toMatchObject(updated('one'))
  })

  test('of a resource that it has subscribed to at another process, which does not know that yet', async () => {
    const [one, two] = startTwo()
    const id = await open(one)
    const stream = await one.listen(id)
    await settled()
    one.gate.hold('use')
    const asked = one.gate.arrived('use')
    await (await two.post(id, subscribe('one'))).text()
    await asked
    two.server.resources.changed('note://one')
    await settled()
    one.gate.release()
    expect(await stream.message()).toMatchObject(updated('one'))
  })

  test('that its process did not tell before it died, although it told of something later', async () => {
    const common = newStores()
    const [one, two] = startTwo(common)
    const id = await open(one, 'one')
    const first = await one.listen(id)
    await first.next()
    await settled()
    one.gate.hold('append to events')
    const told = one.gate.arrived('append to events')
    two.server.resources.changed('note://one')
    await told
    const stream = first.lastEventId!.replace(/\.\d+$/, '')
    await common.log.append(id, stream, '{"jsonrpc":"2.0","method":"notifications/message"}')
    expect(await first.message()).toMatchObject({ method: 'notifications/message' })
    await settled()
    const second = await two.listen(id, first.lastEventId)
    expect(await second.message()).toMatchObject(updated('one'))
  })

  test('if the events that told of it are forgotten', async () => {
    const common = { ...newStores(), log: new SharedMemoryLog({ maxEvents: 1 }) }
    const [one, two] = startTwo(common)
    const id = await open(one, 'one', 'two')
    const first = await one.listen(id)
    await first.next()
    await first.cancel()
    const stream = first.lastEventId!.replace(/\.\d+$/, '')
    for (let count = 0; count < 3; count++) await common.log.append(id, stream, '{}')
    const second = await two.listen(id)
    const heard = [await second.message(), await second.message(), await second.message()]
    expect(heard).toMatchObject([{ method: 'notifications/resources/list_changed' }, updated('one'), updated('two')])
  })
})

describe('a process that does not hear the others yet', () => {
  test('serves sessions as soon as it does', async () => {
    const common = newStores()
    const id = await open(startProcess(common))
    const gate = new Gate()
    gate.hold('subscribe to sessions')
    const late = startProcess(common, gate)
    let status: number | undefined
    const answered = late.post(id, ping).then((response) => {
      status = response.status
    })
    await settled()
    expect(status).toBeUndefined()
    gate.release()
    await answered
    expect(status).toBe(200)
  })

  test('refuses them for a moment if the bus is away', async () => {
    const common = newStores()
    const id = await open(startProcess(common))
    const gate = new Gate()
    gate.fail('subscribe to sessions')
    const late = startProcess(common, gate)
    for (const session of [id, '']) {
      const refused = await late.post(session, session === '' ? initializeRequest('2025-11-25') : ping)
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
    }
    gate.release()
    await expect.poll(async () => (await late.post(id, ping)).status).toBe(200)
  })
})
