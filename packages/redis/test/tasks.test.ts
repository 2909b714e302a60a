/** Tasks on a real Redis: servers that make them, others that run them, and any that answers for them. */
import { type Client, type ConnectOptions, connect } from '@tenon/sdk/client'
import { createServer, type Server, type ServerTool, type TaskRecord, tool } from '@tenon/sdk/server'
import { openWire } from '@tenon/sdk/testing'
import { Queue } from 'bullmq'
import { beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { requires } from '../../../scripts/requires.ts'
import { initializeRequest } from '../../sdk/src/http-server/tests/http.suite.ts'
import { type RedisOptions, redis, runTasks, type SharedRedis } from '../src/index.ts'
import { atEnd, redisForTests } from './helpers.ts'

const revisions = ['2025-11-25', '2026-07-28'] as const

interface Process {
  readonly name: string
  readonly shared: SharedRedis
  readonly server: Server
}

describe('tasks', requires('redis'), () => {
  const held = redisForTests()
  /** The words that handlers said, each with the name of its process. */
  let said: string[] = []
  let gates = new Map<string, () => void>()
  beforeEach(() => {
    said = []
    gates = new Map()
  })

  const poll = { pollIntervalMs: 50 }
  const toolsOf = (name: string): ServerTool[] => {
    const say = (word: string): void => void said.push(`${word} ${name}`)
    const gate = (id: string, signal: AbortSignal): Promise<void> =>
      new Promise((resolve, reject) => {
        gates.set(id, resolve)
        signal.addEventListener('abort', () => {
          say(`aborted ${id}`)
          reject(signal.reason as Error)
        })
      })
    const id = z.object({ id: z.string() })
    return [
      tool({ name: 'where', task: poll, run: () => name }),
      tool({
        name: 'bake',
        task: poll,
        async run(_input, ctx) {
          await ctx.progress(1, 2, 'kneading')
          await ctx.log('info', 'flour')
          const { content } = await ctx.elicit('How many?', z.object({ loaves: z.number() }))
          say('baked')
          return `${content?.loaves} loaves`
        },
      }),
      tool({
        name: 'once',
        task: { ...poll, required: true },
        input: id,
        async run(input, ctx) {
          say(`begun ${input.id}`)
          await gate(input.id, ctx.signal)
          return `${input.id} by ${name}`
        },
      }),
      tool({
        name: 'again',
        task: { ...poll, retry: { attempts: 3, delayMs: 1 } },
        input: id,
        async run(input, ctx) {
          say(`begun ${input.id}`)
          if (input.id === 'fails') throw new Error('out of flour')
          await gate(input.id, ctx.signal)
          return `${input.id} by ${name}`
        },
      }),
      ...(['high', 'normal', 'low'] as const).map((priority) =>
        tool({ name: priority, task: { ...poll, priority }, run: () => said.push(`${priority} ${name}`).toString() }),
      ),
      tool({
        name: 'single',
        task: { ...poll, concurrency: 1 },
        input: id,
        async run(input, ctx) {
          say(`begun ${input.id}`)
          await gate(input.id, ctx.signal)
          return input.id
        },
      }),
      tool({
        name: 'later',
        task: { ...poll, delayMs: ({ ms }) => ms as number },
        input: z.object({ ms: z.number() }),
        run: () => said.push(`later ${name}`).toString(),
      }),
      tool({ name: 'large', task: poll, run: () => 'x'.repeat(100_000) }),
    ] as ServerTool[]
  }

  const process = (name: string, options: RedisOptions['tasks'] & { leaseMs?: number } = {}): Process => {
    const { leaseMs = 30_000, ...tasks } = options
    const shared = redis(held.redis.url, { timeoutMs: 30_000, tasks })
    atEnd(() => shared.close())
    const { store, queue } = shared.tasks
    const server = createServer({
      name: 'bakery',
      version: '1',
      onError: () => {},
      tools: toolsOf(name),
      bus: shared.sessions.bus,
      tasks: { store, queue, leaseMs },
    })
    return { name, shared, server }
  }

  /** A process that runs tasks. */
  const worker = async (name: string, options?: Parameters<typeof process>[1]) => {
    const made = process(name, options)
    const workers = await runTasks(made.server, { connection: made.shared })
    atEnd(() => workers.close(0))
    return { ...made, workers }
  }

  const open = async ({ server }: Process, options: ConnectOptions = {}): Promise<Client> => {
    const client = await connect(server, options)
    atEnd(() => client.close())
    return client
  }

  const records = (): Promise<TaskRecord[]> => process('reader').shared.tasks.store.list()
  const pass = (id: string): void => gates.get(id)!()

  describe.each(revisions)('in %s', (revision) => {
    test('are run by a process that serves nobody, ask, report, and are answered for by any other', async () => {
      const [front, other] = [process('front'), process('other')]
      await worker('worker')
      const progress: unknown[] = []
      const statuses: string[] = []
      const asked: string[] = []
      const client = await open(front, {
        revisions: [revision],
        elicit: ({ message }) => {
          asked.push(message)
          return { action: 'accept', content: { loaves: 3 } }
        },
      })
      if (revision === '2025-11-25') await client.setLoggingLevel('info')
      const onStatus = ({ status }: { status: string }): void => void statuses.push(status)
      const onProgress = (report: unknown): void => void progress.push(report)
      const made = await client.callTool('bake', {}, { task: { onStatus }, onProgress })
      expect([made.text, said, asked]).toEqual(['3 loaves', ['baked worker'], ['How many?']])
      expect(statuses.at(-1)).toBe('completed')
      if (revision === '2025-11-25') await expect.poll(() => progress).toMatchObject([{ progress: 1, total: 2 }])

      const elsewhere = await open(other, { revisions: [revision], elicit: () => ({ action: 'decline' }) })
      const task = await client.tasks.start('where')
      expect((await elsewhere.tasks.result(task.id!)).text).toBe('worker')
      if (revision === '2026-07-28') return
      const listed: string[] = []
      for await (const { taskId } of elsewhere.tasks.list()) listed.push(taskId)
      expect(listed).toContain(task.id)
    })

    test('are cancelled through any process, at once', async () => {
      const [front, other] = [process('front'), process('other')]
      await worker('worker')
      const client = await open(front, { revisions: [revision] })
      const task = await client.tasks.start('once', { id: 'a' })
      await expect.poll(() => said).toEqual(['begun a worker'])
      await (await open(other, { revisions: [revision] })).tasks.cancel(task.id!)
      await expect.poll(() => said).toEqual(['begun a worker', 'aborted a worker'])
      expect(await client.tasks.get(task.id!)).toMatchObject({ status: 'cancelled' })
    })
  })

  test('notify the session that started them of their status, wherever they run', async () => {
    await worker('worker')
    await using wire = openWire(process('front').server)
    wire.send(initializeRequest('2025-11-25'))
    await wire.next()
    wire.send({ jsonrpc: '2.0', method: 'notifications/initialized' })
    const params = { name: 'where', arguments: {}, task: {} }
    wire.send({ jsonrpc: '2.0', id: 2, method: 'tools/call', params })
    const statuses: unknown[] = []
    while (!statuses.includes('completed')) {
      const { method, params } = (await wire.next()) as { method?: string; params?: { status?: string } }
      if (method === 'notifications/tasks/status') statuses.push(params?.status)
    }
  })

  test('begin by their priority', async () => {
    const front = process('front')
    const client = await open(front)
    for (const name of ['low', 'normal', 'high', 'low', 'high']) await client.tasks.start(name)
    await worker('w', { concurrency: 1 })
    await expect.poll(() => said).toEqual(['high w', 'high w', 'normal w', 'low w', 'low w'])
  })

  test('of a tool with a concurrency wait for each other in all processes, and hold up no other tool', async () => {
    await Promise.all([worker('w'), worker('w')])
    const client = await open(process('front'))
    const ids = ['a', 'b', 'c']
    const tasks = []
    for (const id of ids) tasks.push(await client.tasks.start('single', { id }))
    for (const [index] of ids.entries()) {
      await expect.poll(() => said.filter((word) => word.startsWith('begun'))).toHaveLength(index + 1)
      expect((await client.callTool('where', {}, { task: true })).text).toBe('w')
      expect(said).toHaveLength(index + 1)
      pass(said.at(-1)!.split(' ')[1]!)
      await tasks[ids.indexOf(said.at(-1)!.split(' ')[1]!)]!.result()
    }
  })

  test('run again after an exception, as often as the tool allows, and not otherwise', async () => {
    await worker('w')
    const client = await open(process('front'))
    const failing = await client.callTool('again', { id: 'fails' }, { task: true })
    expect([failing.isError, said]).toEqual([true, ['begun fails w', 'begun fails w', 'begun fails w']])
  })

  test('wait in Redis for their time, and go when they are cancelled', async () => {
    await worker('w')
    const client = await open(process('front'))
    const distant = await client.tasks.start('later', { ms: 600_000 })
    const delayed = (): Promise<number> => held.raw.zcard('tenon:{tasks}:queue:all:delayed')
    expect(await delayed()).toBe(1)
    await client.callTool('later', { ms: 1 }, { task: true })
    expect(said).toEqual(['later w'])
    await distant.cancel()
    await expect.poll(delayed).toBe(0)
  })

  test('of a process that is stopped go to others, or fail with an error that says so', async () => {
    const first = await worker('first')
    const client = await open(process('front'))
    const [again, once] = [
      await client.tasks.start('again', { id: 'a' }),
      await client.tasks.start('once', { id: 'b' }),
    ]
    await expect.poll(() => said.toSorted()).toEqual(['begun a first', 'begun b first'])
    await worker('second')
    await first.workers.close(0)
    await expect(once.result()).rejects.toMatchObject({ code: -32603, data: { reason: 'interrupted' } })
    await expect.poll(() => said).toContain('begun a second')
    pass('a')
    expect((await again.result()).text).toBe('a by second')
    expect(said.filter((word) => word.startsWith('begun'))).toHaveLength(3)
  })

  test('that finish in time are not disturbed by the stop of their process', async () => {
    const first = await worker('first')
    const client = await open(process('front'))
    const once = await client.tasks.start('once', { id: 'a' })
    await expect.poll(() => said).toEqual(['begun a first'])
    const closing = first.workers.close(600_000)
    pass('a')
    await closing
    expect((await once.result()).text).toBe('a by first')
  })

  test('whose run is lost on the way to the queue are put there again', async () => {
    const front = process('front', { leaseMs: 1 })
    const client = await open(front)
    const task = await client.tasks.start('where')
    await held.raw.del(...(await held.raw.keys('tenon:{tasks}:queue:*')))
    await worker('w')
    expect((await task.result()).text).toBe('w')
  })

  test('keep results by TTL and bytes', async () => {
    await worker('w', { maxBytes: 50_000 })
    const client = await open(process('front', { maxBytes: 50_000 }))
    await expect(client.callTool('large', {}, { task: true })).rejects.toMatchObject({
      code: -32603,
      message: expect.stringContaining('50000 bytes'),
    })
    expect((await client.callTool('where', {}, { task: { ttlMs: 5_000 } })).text).toBe('w')
    const keys = (await held.raw.keys('tenon:{tasks}:*')).filter((key) => !key.includes(':queue:'))
    for (const key of keys) expect(await held.raw.pttl(key), key).toBeGreaterThan(0)
    const total = Number(await held.raw.hget('tenon:{tasks}:sizes', 'total'))
    const texts = (await records()).map((record) => JSON.stringify(record).length)
    expect(total).toBe(texts.reduce((sum, bytes) => sum + bytes, 0))
  })

  test('leave keys with the prefix and a TTL, but for a few short ones of the queue', async () => {
    await worker('w')
    const client = await open(process('front'))
    const other = await open(process('other'))
    await client.callTool('again', { id: 'fails' }, { task: true })
    for (const name of ['high', 'normal', 'low', 'where']) await other.callTool(name, {}, { task: true })
    const lasting = async (): Promise<string[]> => {
      const keys = await held.raw.keys('*')
      expect(keys.filter((key) => !key.startsWith('tenon:{'))).toEqual([])
      const ttls = await Promise.all(keys.map((key) => held.raw.pttl(key)))
      return keys.filter((_, index) => ttls[index] === -1).sort()
    }
    const ofQueue = /^tenon:\{tasks\}:queue:[\w-]+:(events|id|marker|meta|pc)$/
    await expect.poll(async () => (await lasting()).filter((key) => !ofQueue.test(key))).toEqual([])
  })

  /** The commands that Redis has done since, those in scripts included. */
  const commandsOf = async (work: () => Promise<unknown>): Promise<number> => {
    await held.raw.config('RESETSTAT')
    await work()
    const rows = (await held.raw.info('commandstats')).matchAll(/^cmdstat_(?!config|info|ping)\S+?:calls=(\d+)/gm)
    return [...rows].reduce((sum, [, calls]) => sum + Number(calls), 0)
  }

  test('take few commands and no reading where they are made and run in one process', async () => {
    const { workers, ...made } = await worker('w')
    const { shared } = made
    const client = await open(made)
    const counts = (): number[] =>
      ['CreateTask', 'ReplaceTask', 'HMGET'].map((name) => shared.figures[name]?.count ?? 0)
    const ended = async (count: number): Promise<void> => {
      const completed = async () => (await records()).filter(({ status }) => status === 'completed').length
      await expect.poll(completed).toBe(count)
    }
    await client.tasks.start('where')
    await ended(1)
    const [created, replaced, read] = counts() as [number, number, number]
    await Promise.all(Array.from({ length: 10 }, () => client.tasks.start('where')))
    await ended(11)
    expect(counts()).toEqual([created + 10, replaced + 20, read])
    expect(shared.figures.Append!.count).toBeLessThan(11)

    await workers.close(0)
    const { store } = shared.tasks
    const [record] = await records()
    const next = { ...record!, id: 'a', version: 1, status: 'working' } as const
    expect(await commandsOf(async () => store.create(next))).toBeLessThanOrEqual(18)
    expect(await commandsOf(async () => store.replace({ ...next, version: 2, run: 22 }))).toBeLessThanOrEqual(5)
    expect(await commandsOf(async () => store.replace({ ...next, version: 3, status: 'failed' }))).toBeLessThanOrEqual(
      6,
    )
  })

  test('go on after messages and runs that another version of the program might send', async () => {
    const front = process('front')
    await worker('w')
    const client = await open(front)
    await client.callTool('where', {}, { task: true })
    for (const message of ['', 'x', 'null', '[]', '{"kind":"unheard of","format":9}', '{"kind":"task","id":{}}'])
      await front.shared.sessions.bus.publish('changes/bakery', message)
    const queue = new Queue('all', { connection: held.raw, prefix: 'tenon:{tasks}:queue', skipVersionCheck: true })
    for (const job of [{}, { format: 9 }, { owner: 1, id: [], run: 'x' }]) await queue.add('run', job)
    expect((await client.callTool('where', {}, { task: true })).text).toBe('w')
    await expect.poll(() => queue.getJobCountByTypes('wait', 'active', 'delayed')).toBe(0)
  })

  test('are refused at once while Redis is away', async () => {
    const client = await open(process('front'))
    await held.raw.config('SET', 'maxmemory', '1')
    atEnd(() => held.raw.config('SET', 'maxmemory', '0'))
    await expect(client.tasks.start('where')).rejects.toMatchObject({ data: { reason: 'unavailable' } })
  })
})
