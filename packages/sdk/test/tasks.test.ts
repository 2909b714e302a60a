/** Tasks, as clients of both designs see them. Ids in brackets are those of the requirement lists. */
import { describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { gate } from '../src/internal/gate.ts'
import type { JsonObject } from '../src/jsonrpc/message.ts'
import { metaKeys } from '../src/model/meta.ts'
import { revisions } from '../src/model/revision.ts'
import { tasksExtension } from '../src/model/tasks.ts'
import {
  type AnyServer,
  createServer,
  memoryTaskStore,
  RpcError,
  type ServerOptions,
  type ServerTool,
  type TaskRecord,
  tool,
} from '../src/server.ts'
import { memoryPair, openWire } from '../src/testing.ts'
import { accept, obliging, text, told } from './replay-handlers.ts'
import { asking, knowing, Legacy, later, Modern } from './task-driver.ts'

const serverOf = (tools: ServerTool<never>[], more: Partial<ServerOptions<never>> = {}) =>
  createServer({ name: 'test', version: '1', onError: () => {}, tools, ...more } as never)

const quick = tool({ name: 'quick', task: true, run: () => 'done' })
const plain = tool({ name: 'plain', run: () => 'plain' })
const strict = tool({ name: 'strict', task: { required: true }, run: () => 'as a task' })
const failing = tool({ name: 'failing', task: true, run: (_, ctx) => ctx.error('it broke') })
const refusing = tool({
  name: 'refusing',
  task: true,
  run() {
    throw new RpcError(-32000, 'not today', { until: 'tomorrow' })
  },
})
const crashing = tool({
  name: 'crashing',
  task: true,
  run() {
    throw new Error('secret detail')
  },
})
const confirming = tool({
  name: 'confirming',
  task: true,
  run: async (_, ctx) => told(await ctx.elicit('say yes', text)),
})
const both = tool({
  name: 'both',
  task: true,
  async run(_, ctx) {
    const [a, b] = await Promise.all([ctx.elicit('say a', text), ctx.elicit('say b', text)])
    return told(a) + told(b)
  },
})
const tools = [quick, plain, strict, failing, refusing, crashing, confirming, both]

/** A tool that runs until it is released. */
function held(name = 'held', options: Parameters<typeof tool>[0]['task'] = true) {
  const { passed, open } = gate()
  const seen = { aborted: 0, runs: 0 }
  const made = tool({
    name,
    task: options,
    async run(_, ctx) {
      seen.runs++
      ctx.signal.addEventListener('abort', () => seen.aborted++)
      await passed
      return `${name} is done`
    },
  })
  return { tool: made, open, seen }
}

const anyTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
const missing = { code: -32021, data: { requiredCapabilities: { extensions: { [tasksExtension]: {} } } } }

describe('the extension, 2026-07-28', () => {
  // [xtask.cap.identifier] [xtask.compat.no-legacy-capabilities]
  test('is declared by servers that have such tools, without settings', async () => {
    const discover = async (server: AnyServer) =>
      (await new Modern(server).send('server/discover')).result!.capabilities as JsonObject
    const capabilities = await discover(serverOf(tools, { capabilities: { extensions: { 'a/b': {} } } }))
    expect(capabilities.extensions).toEqual({ [tasksExtension]: {}, 'a/b': {} })
    expect(capabilities).not.toHaveProperty('tasks')
    expect(await discover(serverOf([plain]))).not.toHaveProperty('extensions')
    const parent = serverOf([plain])
    parent.mount(serverOf([quick]), { prefix: 'sub_' })
    expect((await discover(parent)).extensions).toEqual({ [tasksExtension]: {} })
  })

  // [xtask.create.flat-shape] [xtask.create.field-names] [xtask.create.no-request-state]
  // [xtask.get.working] [xtask.get.no-related-meta]
  test('a call becomes a task, flat and at once', async () => {
    const one = held('held', { ttlMs: 5_000, pollIntervalMs: 50 })
    const client = new Modern(serverOf([one.tool]))
    const { result } = await client.call('held')
    expect(result).toEqual({
      resultType: 'task',
      taskId: expect.stringMatching(/^[0-9a-f]{40}$/),
      status: 'working',
      createdAt: anyTime,
      lastUpdatedAt: anyTime,
      ttlMs: 5_000,
      pollIntervalMs: 50,
      _meta: expect.anything(),
    })
    const taskId = result!.taskId as string
    expect(await client.get(taskId)).toMatchObject({ resultType: 'complete', taskId, status: 'working' })
    one.open()
    const task = await client.until(taskId, 'completed')
    expect(task.result).toEqual({ resultType: 'complete', content: [{ type: 'text', text: 'held is done' }] })
  })

  // [xtask.cap.no-task-undeclared] [xtask.cap.required-error]
  test('without the extension a tool runs plainly, or not at all', async () => {
    const client = new Modern(serverOf(tools), {}, asking)
    expect((await client.call('quick')).result).toMatchObject({ resultType: 'complete' })
    expect((await client.call('strict')).error).toMatchObject(missing)
    const legacyOnly = new Modern(serverOf(tools), {}, { tasks: {} } as never)
    expect((await legacyOnly.call('strict')).error).toMatchObject(missing)
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
      expect((await client.send(method, { taskId: 'x' })).error, method).toMatchObject(missing)
    }
  })

  // [xtask.compat.task-param-ignored]
  test('a tool without the option is no task, whatever the client says', async () => {
    const client = new Modern(serverOf(tools))
    const { result } = await client.call('plain', {}, { task: { ttl: 5 } })
    expect(result).toMatchObject({ resultType: 'complete', content: [{ text: 'plain' }] })
  })

  // [xtask.compat.tasks-result-removed]
  test('what was removed is not found', async () => {
    const client = new Modern(serverOf(tools))
    for (const method of ['tasks/result', 'tasks/list']) {
      expect((await client.send(method, { taskId: 'x' })).error).toMatchObject({ code: -32601 })
    }
    expect((await new Modern(serverOf([plain])).send('tasks/get', { taskId: 'x' })).error).toMatchObject({
      code: -32601,
    })
  })

  // [xtask.status.tool-error-completed] [xtask.status.failed-jsonrpc-only] [xtask.error.failed-status-message]
  test('a tool that failed is a task that completed, a JSON-RPC error one that failed', async () => {
    const errors: unknown[] = []
    const client = new Modern(serverOf(tools, { onError: (error) => errors.push(error) }))
    const failed = await client.until(await client.start('failing'), 'completed')
    expect(failed.result).toMatchObject({ isError: true, content: [{ text: 'it broke' }] })
    const refused = await client.until(await client.start('refusing'), 'failed')
    expect(refused.error).toEqual({ code: -32000, message: 'not today', data: { until: 'tomorrow' } })
    expect(refused).toMatchObject({ statusMessage: 'not today' })
    expect(refused).not.toHaveProperty('result')
    expect(errors).toEqual([])
    const crashed = await client.until(await client.start('crashing'), 'completed')
    expect(JSON.stringify(crashed)).not.toContain('secret')
    expect(errors).toHaveLength(1)
  })

  test('arguments and results are checked as in any call', async () => {
    const lying = tool({
      name: 'lying',
      input: z.object({ n: z.number() }),
      output: z.object({ n: z.number() }),
      task: true,
      run: ({ n }) => (n === 1 ? { n: 'one' } : { n }) as never,
    })
    const client = new Modern(serverOf([lying]))
    const of = async (args: JsonObject) => (await client.until(await client.start('lying', args), 'completed')).result
    expect(await of({ n: 2 })).toMatchObject({ structuredContent: { n: 2 } })
    expect(await of({ n: 'x' })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('arguments.n') }],
    })
    expect(await of({ n: 1 })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('Internal error') }],
    })
  })

  // [xtask.update.partial] [xtask.update.ignore-unknown-keys] [xtask.get.input-required]
  // [xtask.update.result-type-complete]
  test('answers may come one by one; what is not asked is ignored', async () => {
    const client = new Modern(serverOf(tools))
    const taskId = await client.start('both')
    const task = await client.until(taskId, 'input_required')
    const [a, b] = Object.keys(task.inputRequests as object) as [string, string]
    const update = (inputResponses: JsonObject) => client.send('tasks/update', { taskId, inputResponses })
    expect((await update({ [a]: accept('A'), nonsense: accept('?') })).result).toEqual({
      resultType: 'complete',
      _meta: expect.anything(),
    })
    const half = await client.get(taskId)
    expect(half).toMatchObject({ status: 'input_required' })
    expect(Object.keys(half.inputRequests as object)).toEqual([b])
    await update({ [a]: accept('changed my mind') })
    await update({ [b]: accept('B') })
    expect((await client.until(taskId, 'completed')).result).toMatchObject({ content: [{ text: 'AB' }] })
    expect((await update({ [b]: accept('too late') })).result).toMatchObject({ resultType: 'complete' })
  })

  test('an answer that is none is refused, and its question stays open', async () => {
    const client = new Modern(serverOf(tools))
    const taskId = await client.start('confirming')
    const [key] = Object.keys((await client.until(taskId, 'input_required')).inputRequests as object) as [string]
    const { error } = await client.send('tasks/update', { taskId, inputResponses: { [key]: { action: 'shrug' } } })
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining('action') })
    await client.send('tasks/update', { taskId, inputResponses: { [key]: accept('fine') } })
    expect((await client.until(taskId, 'completed')).result).toMatchObject({ content: [{ text: 'fine' }] })
  })

  test('a question that the client cannot be asked fails the task with the capability', async () => {
    const client = new Modern(serverOf(tools), {}, { extensions: { [tasksExtension]: {} } })
    const task = await client.until(await client.start('confirming'), 'failed')
    expect(task.error).toMatchObject({ code: -32021, data: { requiredCapabilities: { elicitation: {} } } })
  })

  // [xtask.cancel.ack] [xtask.get.cancelled]
  // [xtask.cancel.result-type-complete]
  test('cancelling is acknowledged at any time, and the handler is told', async () => {
    const one = held()
    const client = new Modern(serverOf([one.tool, ...tools]))
    const taskId = await client.start('held')
    const bare = { resultType: 'complete', _meta: expect.anything() }
    expect((await client.send('tasks/cancel', { taskId })).result).toEqual(bare)
    // The handler ignores it, and the task is still cancelled.
    expect(await client.get(taskId)).toMatchObject({ status: 'cancelled' })
    expect(one.seen.aborted).toBe(1)
    expect((await client.send('tasks/cancel', { taskId })).result).toEqual(bare)
    one.open()
    await later(5)
    expect(await client.get(taskId)).not.toHaveProperty('result')
    const waiting = await client.start('confirming')
    await client.until(waiting, 'input_required')
    await client.send('tasks/cancel', { taskId: waiting })
    expect(await client.get(waiting)).not.toHaveProperty('inputRequests')
  })

  // [xtask.cancel.not-notification]
  test('notifications/cancelled and a closed connection do not end a task', async () => {
    const one = held()
    const client = new Modern(serverOf([one.tool]))
    const taskId = await client.start('held')
    // Every message of this client closes its connection.
    expect(one.seen.aborted).toBe(0)
    one.open()
    await client.until(taskId, 'completed')
  })

  // [xtask.notify.no-progress-or-log]
  test('no progress and no logs are sent', async () => {
    const chatty = tool({
      name: 'chatty',
      task: true,
      async run(_, ctx) {
        await ctx.progress(1)
        await ctx.log('error', 'x')
        return 'quiet'
      },
    })
    const client = new Modern(serverOf([chatty]))
    const _meta = { progressToken: 1, [metaKeys.logLevel]: 'debug' }
    // The driver takes the first message for the answer.
    const { result } = await client.call('chatty', {}, { _meta })
    await client.until(result!.taskId as string, 'completed')
  })

  // [xtask.status.message-exposed]
  test('a status message shows what is going on', async () => {
    const { passed, open } = gate()
    const telling = tool({
      name: 'telling',
      task: true,
      async run(_, ctx) {
        ctx.task.status(`task ${ctx.task.id} is half done`)
        await passed
        return 'done'
      },
    })
    const client = new Modern(serverOf([telling]))
    const taskId = await client.start('telling')
    await vi.waitFor(async () => {
      expect((await client.get(taskId)).statusMessage).toBe(`task ${taskId} is half done`)
    })
    open()
    expect(await client.until(taskId, 'completed')).not.toHaveProperty('statusMessage')
  })
})

describe('a task that begins later', () => {
  const byHandler = tool({
    name: 'by-handler',
    task: { start: 'by-handler' },
    async run(_, ctx) {
      const name = told(await ctx.elicit('say Ada', text))
      const before = ctx.task.id
      await ctx.task.start()
      const again = told(await ctx.elicit('say more', text))
      return [name, before === undefined, ctx.task.id !== undefined, again].join()
    },
  })

  // [xtask.create.mrtr-before] [xtask.input.key-scope-separate]
  test('asks before as any call does, and afterwards as a task', async () => {
    const client = new Modern(serverOf([byHandler]))
    const first = (await client.call('by-handler')).result!
    expect(first.resultType).toBe('input_required')
    const [[key]] = Object.entries(first.inputRequests as object) as [[string, unknown]]
    const retry = { inputResponses: { [key]: accept('Ada') }, requestState: first.requestState }
    const { result } = await client.call('by-handler', {}, retry)
    expect(result).toMatchObject({ resultType: 'task', status: 'working' })
    expect(result).not.toHaveProperty('requestState')
    const { task, rounds } = await client.finish(result!.taskId as string, obliging)
    expect(rounds).toEqual([1])
    expect(task.result).toMatchObject({ content: [{ text: 'Ada,false,true,more' }] })
  })

  test('is a plain call where there are no tasks', async () => {
    const client = new Modern(serverOf([byHandler]), {}, asking)
    const first = (await client.call('by-handler')).result!
    const second = (await client.call('by-handler', {}, { ...retryOf(first), requestState: first.requestState }))
      .result!
    expect(second.resultType).toBe('input_required')
    const third = (await client.call('by-handler', {}, { ...retryOf(second), requestState: second.requestState }))
      .result!
    expect(third).toMatchObject({ resultType: 'complete', content: [{ text: 'Ada,true,false,more' }] })
  })

  const retryOf = ({ inputRequests }: JsonObject) => ({
    inputResponses: Object.fromEntries(
      Object.entries(inputRequests as { [key: string]: never }).map(([key, request]) => [key, obliging(request)]),
    ),
  })

  test('with afterMs who is fast answers directly, and who is slow becomes a task', async () => {
    const one = held('slow', { afterMs: 10 })
    const fast = tool({ name: 'fast', task: { afterMs: 60_000 }, run: () => 'fast' })
    const client = new Modern(serverOf([one.tool, fast]))
    expect((await client.call('fast')).result).toMatchObject({ resultType: 'complete', content: [{ text: 'fast' }] })
    const taskId = await client.start('slow')
    expect(one.seen.aborted).toBe(0)
    one.open()
    expect((await client.until(taskId, 'completed')).result).toMatchObject({ content: [{ text: 'slow is done' }] })
    expect(one.seen.runs).toBe(1)
  })

  test('is cancelled with its request before, and by its id after', async () => {
    const one = held('slow', { afterMs: 10 })
    const client = new Modern(serverOf([one.tool]))
    const taskId = await client.start('slow')
    await client.send('tasks/cancel', { taskId })
    expect(one.seen.aborted).toBe(1)
    expect(await client.get(taskId)).toMatchObject({ status: 'cancelled' })
  })

  test('keeps the steps of before', async () => {
    let ran = 0
    const counting = tool({
      name: 'counting',
      task: { start: 'by-handler' },
      async run(_, ctx) {
        const first = await ctx.once('first', () => ++ran)
        await ctx.task.start()
        const second = await ctx.once('second', () => ++ran)
        await ctx.elicit('say x', text)
        return `${first} ${second} ${ran}`
      },
    })
    const client = new Modern(serverOf([counting]))
    const { task } = await client.finish(await client.start('counting'), obliging)
    expect(task.result).toMatchObject({ content: [{ text: '1 2 2' }] })
  })

  test('a client of 2025-11-25 gets it at once', async () => {
    await using client = await Legacy.open(serverOf([byHandler]))
    client.answer = obliging
    const taskId = await client.start('by-handler')
    const { result } = await client.send('tasks/result', { taskId })
    expect(result).toMatchObject({ content: [{ text: 'Ada,false,true,more' }] })
  })
})

describe('the tasks of 2025-11-25', () => {
  // [task25.cap.declare] [task25.cap.server-shape] [task25.sec.no-list-unbound]
  test('are declared, the list only where callers can be told apart', async () => {
    const of = async (transport: string, principal?: string) => {
      await using client = await Legacy.open(serverOf(tools), { transport, ...(principal && { auth: { principal } }) })
      const list = await client.send('tasks/list')
      return [client.capabilities.tasks, list.error?.code ?? (list.result!.tasks as unknown[]).length]
    }
    const requests = { tools: { call: {} } }
    expect(await of('stdio')).toEqual([{ list: {}, cancel: {}, requests }, 0])
    expect(await of('http', 'ada')).toEqual([{ list: {}, cancel: {}, requests }, 0])
    expect(await of('http')).toEqual([{ cancel: {}, requests }, -32601])
    await using without = await Legacy.open(serverOf([plain]))
    expect(without.capabilities).not.toHaveProperty('tasks')
    // A client that did not declare tasks ignores that one is required [task25.support.undeclared-ignore].
    expect((await without.call('plain')).result).toMatchObject({ content: [{ text: 'plain' }] })
  })

  // [task25.tool.forbidden-error] [task25.tool.required-error] [task25.tool.optional]
  test('tools say whether they run as tasks', async () => {
    await using client = await Legacy.open(serverOf(tools))
    const { result } = await client.send('tools/list')
    const support = (result!.tools as { name: string; execution?: JsonObject }[]).map(({ name, execution }) => [
      name,
      execution,
    ])
    expect(Object.fromEntries(support)).toMatchObject({
      quick: { taskSupport: 'optional' },
      strict: { taskSupport: 'required' },
      plain: undefined,
    })
    expect((await client.call('plain')).error).toMatchObject({ code: -32601 })
    expect((await client.call('strict', {}, {})).error).toMatchObject({ code: -32601 })
    expect((await client.call('quick', {}, {})).result).toMatchObject({ content: [{ text: 'done' }] })
    expect((await client.call('unknown')).error).toMatchObject({ code: -32602 })
  })

  // [task25.create.result] [task25.create.ttl] [task25.ttl.override] [task25.ttl.actual]
  // [task25.status.starts-working]
  // [task25.create.promptly]
  test('a task is created with the ttl that was asked for, within limits', async () => {
    const one = held()
    await using client = await Legacy.open(serverOf([one.tool], { tasks: { maxTtlMs: 10_000, pollIntervalMs: 70 } }))
    const { result } = await client.call('held', {}, { task: { ttl: 5_000 } })
    expect(result).toEqual({
      task: {
        taskId: expect.any(String),
        status: 'working',
        createdAt: anyTime,
        lastUpdatedAt: anyTime,
        ttl: 5_000,
        pollInterval: 70,
      },
    })
    const long = await client.start('held', {}, { task: { ttl: 1e12 } })
    expect(await client.get(long)).toMatchObject({ ttl: 10_000 })
    expect((await client.call('held', {}, { task: { ttl: 'x' } })).error).toMatchObject({ code: -32602 })
    one.open()
  })

  // [task25.result.blocks] [task25.result.terminal] [task25.result.related-meta]
  test('tasks/result waits, and gives what the call would have given', async () => {
    const one = held()
    await using client = await Legacy.open(serverOf([one.tool, ...tools]))
    const taskId = await client.start('held')
    const result = client.send('tasks/result', { taskId })
    expect(await Promise.race([result, later(20)])).toBeUndefined()
    one.open()
    const _meta = { [metaKeys.relatedTask]: { taskId } }
    expect((await result).result).toEqual({ content: [{ type: 'text', text: 'held is done' }], _meta })
    const refused = await client.start('refusing')
    expect((await client.send('tasks/result', { taskId: refused })).error).toEqual({
      code: -32000,
      message: 'not today',
      data: { until: 'tomorrow' },
    })
    expect(await client.get(refused)).toMatchObject({ status: 'failed', statusMessage: 'not today' })
  })

  // [task25.status.failed-includes-iserror] [task25.meta.not-on-results]
  test('a tool that failed is a task that failed', async () => {
    await using client = await Legacy.open(serverOf(tools))
    const taskId = await client.start('failing')
    expect((await client.send('tasks/result', { taskId })).result).toMatchObject({ isError: true })
    const task = await client.get(taskId)
    expect(task).toMatchObject({ status: 'failed', statusMessage: 'it broke' })
    expect(task).not.toHaveProperty('_meta')
  })

  // [task25.input.status] [task25.input.related-meta] [task25.input.leave]
  test('questions reach whoever waits for the result', async () => {
    await using client = await Legacy.open(serverOf(tools))
    const taskId = await client.start('confirming')
    expect(await client.until(taskId, 'input_required')).not.toHaveProperty('inputRequests')
    expect(client.asked).toEqual([])
    client.answer = obliging
    expect((await client.send('tasks/result', { taskId })).result).toMatchObject({ content: [{ text: 'yes' }] })
    expect(client.asked).toHaveLength(1)
    expect(client.asked[0]!.params._meta).toEqual({ [metaKeys.relatedTask]: { taskId } })
  })

  test('two who wait are not asked twice, and who goes away is followed by who comes', async () => {
    const server = serverOf(tools)
    const first = await Legacy.open(server)
    const taskId = await first.start('confirming')
    void first.send('tasks/result', { taskId })
    await vi.waitFor(() => expect(first.asked).toHaveLength(1))
    void first.send('tasks/result', { taskId })
    await using second = await Legacy.open(server)
    second.answer = obliging
    const result = second.send('tasks/result', { taskId })
    await later(10)
    expect([first.asked.length, second.asked.length]).toEqual([1, 0])
    await first[Symbol.asyncDispose]()
    expect((await result).result).toMatchObject({ content: [{ text: 'yes' }] })
  })

  test('a client that answers with an error has failed the tool, as it does live', async () => {
    await using client = await Legacy.open(serverOf(tools))
    client.answer = () => {
      throw new Error('nobody is here')
    }
    const live = await client.call('confirming', {}, {})
    const taskId = await client.start('confirming')
    const { result } = await client.send('tasks/result', { taskId })
    expect(result).toMatchObject({ isError: true, content: live.result!.content as never })
  })

  // [task25.cancel.terminal-reject] [task25.cancel.status-first] [task25.cancel.sticky] [task25.cancel.stop]
  test('a task that has ended cannot be cancelled, any other can', async () => {
    const one = held()
    await using client = await Legacy.open(serverOf([one.tool, ...tools]))
    const taskId = await client.start('held')
    const waiting = client.send('tasks/result', { taskId })
    expect((await client.send('tasks/cancel', { taskId })).result).toMatchObject({ taskId, status: 'cancelled' })
    expect(one.seen.aborted).toBe(1)
    expect((await waiting).error).toMatchObject({ message: expect.stringContaining('cancelled') })
    expect((await client.send('tasks/cancel', { taskId })).error).toMatchObject({ code: -32602 })
    one.open()
    await later(5)
    expect(await client.get(taskId)).toMatchObject({ status: 'cancelled' })
  })

  // [task25.notify.may] [task25.notify.no-related-meta]
  test('the session hears of changes, others do not', async () => {
    const server = serverOf(tools)
    await using client = await Legacy.open(server)
    await using other = await Legacy.open(server)
    client.answer = obliging
    const taskId = await client.start('confirming')
    await client.send('tasks/result', { taskId })
    const news = client.notifications.filter(({ method }) => method === 'notifications/tasks/status')
    expect(news.map(({ params }) => params.status)).toEqual(['input_required', 'working', 'completed'])
    for (const { params } of news) expect(params).not.toHaveProperty('_meta')
    expect(other.notifications).toEqual([])
  })

  // [task25.progress.token-lives] [task25.meta.related-everywhere]
  test('progress and logs say which task they are about', async () => {
    const chatty = tool({
      name: 'chatty',
      task: true,
      async run(_, ctx) {
        ctx.progress(1, 2)
        ctx.log('error', 'x')
        await ctx.elicit('say x', text)
        ctx.progress(2, 2)
        return 'done'
      },
    })
    await using client = await Legacy.open(serverOf([chatty]))
    client.answer = obliging
    const taskId = await client.start('chatty', {}, { task: {}, _meta: { progressToken: 'p' } })
    await client.send('tasks/result', { taskId })
    const about = client.notifications.filter(({ method }) => !method.includes('tasks'))
    const _meta = { [metaKeys.relatedTask]: { taskId } }
    expect(about.map(({ method }) => method.slice(14))).toEqual(['progress', 'message', 'message', 'progress'])
    for (const { params } of about) expect(params._meta).toEqual(_meta)
  })

  // [task25.list.paginate] [task25.list.next-cursor] [task25.list.complete] [task25.error.invalid-cursor]
  test('tasks are listed in pages', async () => {
    await using client = await Legacy.open(serverOf(tools, { pageSize: 2 }))
    const ids = [await client.start('quick'), await client.start('quick'), await client.start('failing')]
    const listed: string[] = []
    let cursor: unknown
    do {
      const { result } = await client.send('tasks/list', cursor === undefined ? {} : { cursor })
      listed.push(...(result!.tasks as { taskId: string }[]).map(({ taskId }) => taskId))
      cursor = result!.nextCursor
    } while (cursor !== undefined)
    expect(listed.sort()).toEqual(ids.sort())
    expect((await client.send('tasks/list', { cursor: 'x' })).error).toMatchObject({ code: -32602 })
  })

  // [xtask.compat.serve-old-tasks]
  test('a task of the older design can be seen with the newer one', async () => {
    const server = serverOf(tools)
    await using client = await Legacy.open(server)
    const taskId = await client.start('failing')
    const modern = new Modern(server)
    expect(await modern.until(taskId, 'completed')).toMatchObject({ result: { isError: true } })
  })
})

test.each(revisions.filter((revision) => revision < '2025-11-25'))(
  '%s has no tasks: optional ones run plainly',
  async (revision) => {
    await using client = await Legacy.open(serverOf(tools), {}, revision)
    expect(client.capabilities).not.toHaveProperty('tasks')
    expect((await client.call('quick')).result).toMatchObject({ content: [{ text: 'done' }] })
    const { error } = await client.call('strict')
    expect(error).toMatchObject({ code: -32601, message: expect.stringContaining(`revision ${revision} has no tasks`) })
    expect((await client.send('tasks/get', { taskId: 'x' })).error).toMatchObject({ code: -32601 })
  },
)

describe('who may use a task', () => {
  const ids = (taskId: string) => [
    taskId.toUpperCase(),
    taskId.slice(0, -1),
    `${taskId} `,
    `../${taskId}`,
    '__proto__',
    'constructor',
    '',
    'x'.repeat(100_000),
    '0'.repeat(40),
  ]

  // [task25.sec.bind-context] [task25.sec.reject-other-context] [xtask.sec.authorize-each]
  // [xtask.update.unknown-task] [xtask.cancel.unknown-task] [xtask.error.invalid-task-others]
  test('somebody else’s task is exactly like no task', async () => {
    const server = serverOf(tools)
    const of = (principal: string) => ({ transport: 'http', auth: { principal } })
    const ada = new Modern(server, of('ada'))
    const taskId = await ada.start('confirming')
    await ada.until(taskId, 'input_required')
    const strangers = [of('bob'), of('user:ada'), of(''), { transport: 'http' }, { transport: 'stdio' }]
    for (const info of strangers) {
      const bob = new Modern(server, info)
      await using legacyBob = await Legacy.open(server, info)
      for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
        const unknown = await bob.send(method, { taskId: '0'.repeat(40), inputResponses: {} })
        expect(unknown.error).toMatchObject({ code: -32602 })
        expect(await bob.send(method, { taskId, inputResponses: { 1: accept('!') } })).toEqual(unknown)
      }
      for (const method of ['tasks/get', 'tasks/result', 'tasks/cancel']) {
        const { error } = await legacyBob.send(method, { taskId })
        expect(error).toEqual((await legacyBob.send(method, { taskId: '0'.repeat(40) })).error)
      }
    }
    await using bob = await Legacy.open(server, of('bob'))
    expect((await bob.send('tasks/list')).result).toEqual({ tasks: [] })
    expect(await ada.get(taskId)).toMatchObject({ status: 'input_required' })
    // Another connection of the same principal is the same.
    expect(await new Modern(server, of('ada')).get(taskId)).toMatchObject({ taskId })
  })

  // [task25.error.invalid-task]
  test('ids that are none are refused in 2025-11-25', async () => {
    await using client = await Legacy.open(serverOf(tools))
    for (const method of ['tasks/get', 'tasks/result', 'tasks/cancel']) {
      for (const taskId of ['f'.repeat(40), '', 7, null, {}, ['x']]) {
        expect((await client.send(method, { taskId })).error).toMatchObject({ code: -32602 })
      }
    }
  })

  // [xtask.error.invalid-task-get]
  test('ids that are none are like unknown ones', async () => {
    const client = new Modern(serverOf(tools))
    const taskId = await client.start('confirming')
    const unknown = (await client.send('tasks/get', { taskId: 'f'.repeat(40) })).error
    for (const id of ids(taskId)) expect((await client.send('tasks/get', { taskId: id })).error).toEqual(unknown)
    for (const id of [7, null, {}, ['x']]) {
      expect((await client.send('tasks/get', { taskId: id })).error).toMatchObject({ code: -32602 })
    }
  })

  test('a store that is not exact does not open what it finds', async () => {
    const store = memoryTaskStore()
    const sloppy = { ...store, get: async () => (await store.list())[0] }
    const server = serverOf(tools, { tasks: { store: sloppy } })
    const ada = new Modern(server, { auth: { principal: 'ada' } })
    const taskId = await ada.start('confirming')
    expect(await ada.get(taskId)).toMatchObject({ taskId })
    expect((await ada.send('tasks/get', { taskId: '0'.repeat(40) })).error).toMatchObject({ code: -32602 })
    const bob = new Modern(server, { auth: { principal: 'bob' } })
    expect((await bob.send('tasks/get', { taskId })).error).toMatchObject({ code: -32602 })
  })

  // [task25.sec.entropy] [xtask.sec.entropy]
  test('ids do not repeat and show no pattern', async () => {
    const client = new Modern(serverOf([quick]))
    const made = new Set<string>()
    for (let index = 0; index < 50; index++) made.add(await client.start('quick'))
    expect(made.size).toBe(50)
    const first = new Set([...made].map((id) => id.slice(0, 8)))
    expect(first.size).toBe(50)
  })

  test('a tool that a caller cannot see is none, as a task too', async () => {
    const hidden = tool({
      name: 'hidden',
      task: { required: true },
      visible: ({ auth }) => auth?.principal === 'ada',
      run: () => 'x',
    })
    const server = serverOf([hidden])
    const bob = new Modern(server, { auth: { principal: 'bob' } })
    expect((await bob.call('hidden')).error).toEqual(
      (await bob.call('nothing')).error && {
        code: -32602,
        message: 'Unknown tool: "hidden"',
      },
    )
    expect((await new Modern(server, { auth: { principal: 'ada' } }).call('hidden')).result).toMatchObject({
      resultType: 'task',
    })
  })

  // [task25.res.limits]
  test('there are limits, per caller and in all', async () => {
    const server = serverOf([quick], { tasks: { maxPerCaller: 2, maxTasks: 3 } })
    const ada = new Modern(server, { auth: { principal: 'ada' } })
    const bob = new Modern(server, { auth: { principal: 'bob' } })
    await ada.start('quick')
    await ada.start('quick')
    expect((await ada.call('quick')).error).toMatchObject({
      message: expect.stringContaining('2 tasks are kept per caller'),
    })
    await bob.start('quick')
    expect((await bob.call('quick')).error).toMatchObject({ message: expect.stringContaining('3 tasks are kept') })
  })
})

describe('the life of a task', () => {
  // [xtask.ttl.server-expire] [task25.ttl.delete]
  test('it is gone when its time is over, and not before', async () => {
    const store = memoryTaskStore()
    const one = held('held', { ttlMs: 60_000 })
    const client = new Modern(serverOf([one.tool], { tasks: { store, leaseMs: 15 } }))
    const taskId = await client.start('held')
    const kept = (await store.get('local', taskId))!
    // Heartbeats change the record as well.
    const age = async (createdAt: number): Promise<void> => {
      const now = (await store.get('local', taskId))!
      if (!(await store.replace({ ...now, version: now.version + 1, createdAt }))) await age(createdAt)
    }
    await age(kept.createdAt - 59_000)
    expect(await client.get(taskId)).toMatchObject({ status: 'working' })
    await age(kept.createdAt - 60_001)
    expect((await client.send('tasks/get', { taskId })).error).toMatchObject({ code: -32602 })
    expect(await store.count()).toBe(0)
    expect(one.seen.aborted).toBe(1)
    one.open()
  })

  test('middleware runs around every run, and may refuse', async () => {
    const log: string[] = []
    const server = serverOf([confirming, quick], {
      middleware: [
        {
          'tools/call': async ({ params }, next) => {
            log.push(`in ${params.name}`)
            if (params.name === 'quick') throw new RpcError(-32001, 'not allowed')
            const result = await next()
            log.push(`out ${params.name}`)
            return result
          },
        },
      ],
    })
    const client = new Modern(server)
    await client.finish(await client.start('confirming'), obliging)
    expect(log).toEqual(['in confirming', 'out confirming', 'in confirming', 'out confirming'])
    const task = await client.until(await client.start('quick'), 'failed')
    expect(task.error).toEqual({ code: -32001, message: 'not allowed' })
  })

  test('its context lives as long as its run, and is made for its caller', async () => {
    const log: string[] = []
    const { passed, open } = gate()
    const using = tool({
      name: 'using',
      task: true,
      async run(_, ctx: import('../src/server.ts').ToolContext<{ who: string; open: boolean }>) {
        await passed
        return `${ctx.context.who} ${ctx.context.open}`
      },
    })
    const server = createServer({
      name: 'test',
      version: '1',
      tools: [using],
      context({ auth }) {
        const made = {
          who: auth?.principal ?? 'nobody',
          open: true,
          [Symbol.dispose]() {
            made.open = false
            log.push(`released ${made.who}`)
          },
        }
        return made
      },
    })
    const client = new Modern(server, { auth: { principal: 'ada' } })
    const taskId = await client.start('using')
    log.length = 0
    open()
    expect((await client.until(taskId, 'completed')).result).toMatchObject({ content: [{ text: 'ada true' }] })
    expect(log).toContain('released ada')
  })

  test('tools of a mounted server are tasks of the server that it is mounted in', async () => {
    const parent = serverOf([plain])
    parent.mount(serverOf([confirming]), { prefix: 'sub_' })
    const client = new Modern(parent)
    const { task } = await client.finish(await client.start('sub_confirming'), obliging)
    expect(task.result).toMatchObject({ content: [{ text: 'yes' }] })
  })

  test('an unfinished handler that wants to be run again is', async () => {
    const { inputRequired } = await import('../src/server.ts')
    const rerun = tool({
      name: 'rerun',
      task: true,
      run(_, ctx) {
        const count = ((ctx.requestState as number | undefined) ?? 0) + 1
        return count === 3 ? `run ${count}` : inputRequired({ state: count })
      },
    })
    const client = new Modern(serverOf([rerun]))
    const task = await client.until(await client.start('rerun'), 'completed')
    expect(task.result).toMatchObject({ content: [{ text: 'run 3' }] })
  })

  test('of many status messages the last one stays, through questions too', async () => {
    const talkative = tool({
      name: 'talkative',
      task: true,
      async run(_, ctx) {
        for (let index = 0; index <= 100; index++) ctx.task.status(`${index} %`)
        return told(await ctx.elicit('say x', text))
      },
    })
    const store = memoryTaskStore()
    let writes = 0
    const slowly = async (record: TaskRecord) => {
      writes++
      await later(1)
      return store.replace(record)
    }
    const counting = { ...store, replace: slowly }
    const client = new Modern(serverOf([talkative], { tasks: { store: counting } }))
    const taskId = await client.start('talkative')
    expect(await client.until(taskId, 'input_required')).toMatchObject({ statusMessage: '100 %' })
    expect(writes).toBeLessThan(6)
  })

  test('wrong options are noticed at once', () => {
    expect(() => serverOf([quick], { tasks: { ttlMs: 0 } })).toThrow('createServer tasks.ttlMs: expected an integer')
  })

  test('who gives up before there is a task leaves none that runs', async () => {
    const store = memoryTaskStore()
    const one = held()
    const { passed, open } = gate()
    const slow = { ...store, create: (record: TaskRecord) => passed.then(() => store.create(record)) }
    const [near, far] = memoryPair()
    const { closed, close } = serverOf([one.tool], { tasks: { store: slow } }).connect(far, { transport: 'memory' })
    await using wire = openWire(near)
    const _meta = { [metaKeys.protocolVersion]: '2026-07-28', [metaKeys.clientCapabilities]: knowing }
    wire.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'held', arguments: {}, _meta } })
    wire.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } })
    await later(5)
    open()
    await vi.waitFor(async () => expect((await store.list()).map(({ status }) => status)).toEqual(['cancelled']))
    expect(one.seen.runs).toBe(0)
    await close()
    await closed
  })

  // [xtask.error.internal]
  test('a store that fails is an internal error, and says nothing', async () => {
    const errors: unknown[] = []
    const store = { ...memoryTaskStore(), create: () => Promise.reject(new Error('disk full')) }
    const client = new Modern(serverOf([quick], { tasks: { store }, onError: (error) => errors.push(error) }))
    const { error } = await client.call('quick')
    expect(error).toMatchObject({ code: -32603, message: 'Internal error' })
    expect(String(errors)).toContain('disk full')
  })

  test.each([
    [{ task: { ttlMs: 0 } }, 'task.ttlMs'],
    [{ task: { start: 'soon' } }, 'task.start'],
    [{ task: 'yes' }, 'task: expected true or options'],
    [{ task: { afterMs: -1 } }, 'task.afterMs'],
  ])('%j cannot be defined', (options, problem) => {
    expect(() => tool({ name: 'x', run: () => 'x', ...(options as object) })).toThrow(problem)
  })
})

describe('processes that share a store', () => {
  const steps = { first: 0, second: 0 }
  const careful = tool({
    name: 'careful',
    task: true,
    async run(_, ctx) {
      const first = await ctx.once('first', () => ++steps.first)
      await new Promise((resolve, reject) => {
        if (steps.first > 0 && hung) hung(reject)
        else resolve(undefined)
      })
      return `${first} ${await ctx.once('second', () => ++steps.second)}`
    },
  })
  let hung: ((reject: (error: Error) => void) => void) | undefined

  const orphan = { leaseMs: 40, pollIntervalMs: 10 }

  test('a task whose process is gone goes on after its last step, another fails', async () => {
    const store = memoryTaskStore()
    hung = () => {}
    const dead = new Modern(serverOf([careful, held().tool], { tasks: { store, ...orphan } }))
    const ids = [await dead.start('careful'), await dead.start('held')] as const
    await vi.waitFor(async () => expect((await store.get('local', ids[0]))?.memory?.steps).toEqual([['first', 1]]))
    hung = undefined
    // The process is dead: nothing it does reaches the store any more, heartbeats included.
    const alive = memoryTaskStore()
    for (const record of await store.list()) await alive.create(record)
    const errors: unknown[] = []
    const server = serverOf([careful, held().tool], {
      tasks: { store: alive, ...orphan },
      onError: (error) => errors.push(error),
    })
    await server.tasks.resume()
    const client = new Modern(server)
    expect((await client.until(ids[0], 'completed')).result).toMatchObject({ content: [{ text: '1 1' }] })
    expect(steps).toEqual({ first: 1, second: 1 })
    const lost = await client.until(ids[1], 'failed')
    expect(lost).toMatchObject({
      statusMessage: expect.stringContaining('did not use ctx.once'),
      error: { code: -32603 },
    })
    expect(errors).toEqual([])
  })

  test('of many that find an orphan one takes it', async () => {
    const store = memoryTaskStore()
    let runs = 0
    const stepping = tool({
      name: 'stepping',
      task: true,
      async run(_, ctx) {
        await ctx.once('a', () => {})
        if (runs++ > 0) return 'done'
        return new Promise<string>(() => {})
      },
    })
    const dead = memoryTaskStore()
    const taskId = await new Modern(serverOf([stepping], { tasks: { store: dead, ...orphan } })).start('stepping')
    await vi.waitFor(async () => expect((await dead.get('local', taskId))?.memory?.steps).toHaveLength(1))
    const record = (await dead.get('local', taskId))!
    await store.create({ ...record, lease: { by: 'nobody', until: 0 } })
    const servers = Array.from({ length: 5 }, () => serverOf([stepping], { tasks: { store, ...orphan } }))
    await Promise.all(servers.flatMap((server) => [server.tasks.resume(), new Modern(server).get(taskId)]))
    await new Modern(servers[0]!).until(taskId, 'completed')
    expect(runs).toBe(2)
  })

  test('a call that became a task keeps its steps from then on', async () => {
    const store = memoryTaskStore()
    const { passed, open } = gate()
    const late = tool({
      name: 'late',
      task: { start: 'by-handler' },
      async run(_, ctx) {
        await ctx.once('before', () => 1)
        await ctx.task.start()
        await ctx.once('after', () => 2)
        await passed
        return 'done'
      },
    })
    const client = new Modern(serverOf([late], { tasks: { store } }))
    const taskId = await client.start('late')
    const steps = [
      ['before', 1],
      ['after', 2],
    ]
    await vi.waitFor(async () => expect((await store.get('local', taskId))?.memory?.steps).toEqual(steps))
    open()
    await client.until(taskId, 'completed')
  })

  test('a task that is being worked on is left alone', async () => {
    const store = memoryTaskStore()
    const one = held()
    // Longer than a busy machine delays a timer: a working process renews the lease in time.
    const tasks = { store, leaseMs: 1_000, pollIntervalMs: 10 }
    const first = new Modern(serverOf([one.tool], { tasks }))
    const second = serverOf([one.tool], { tasks })
    const taskId = await first.start('held')
    for (let time = 0; time < 5; time++) {
      await later(500)
      await second.tasks.resume()
      expect(await new Modern(second).get(taskId)).toMatchObject({ status: 'working' })
    }
    one.open()
    expect(await new Modern(second).until(taskId, 'completed')).toMatchObject({ result: expect.anything() })
    expect(one.seen.runs).toBe(1)
  })

  test('a task can be cancelled from another process', async () => {
    const store = memoryTaskStore()
    const one = held()
    const tasks = { store, ...orphan }
    const taskId = await new Modern(serverOf([one.tool], { tasks })).start('held')
    await new Modern(serverOf([one.tool], { tasks })).send('tasks/cancel', { taskId })
    await vi.waitFor(() => expect(one.seen.aborted).toBe(1))
    one.open()
  })

  test('of two answers in two processes one starts the next run', async () => {
    const store = memoryTaskStore()
    let runs = 0
    const counting = tool({
      name: 'counting',
      task: true,
      async run(_, ctx) {
        runs++
        return told(await ctx.elicit('say x', text))
      },
    })
    const clients = [1, 2, 3].map(() => new Modern(serverOf([counting], { tasks: { store } })))
    const taskId = await clients[0]!.start('counting')
    const [key] = Object.keys((await clients[0]!.until(taskId, 'input_required')).inputRequests as object) as [string]
    await Promise.all(
      clients.map((client, index) =>
        client.send('tasks/update', { taskId, inputResponses: { [key]: accept(`${index}`) } }),
      ),
    )
    await clients[0]!.until(taskId, 'completed')
    expect(runs).toBe(2)
  })
})
