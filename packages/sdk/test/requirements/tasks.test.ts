/** Requirements for tasks, in both of their designs, that no other test cites. */
import { expect, test, vi } from 'vitest'
import { connect } from '../../src/client/connect.ts'
import { legacyServer } from '../../src/client/scripted-server.suite.ts'
import { adapters } from '../../src/http-server/tests/adapters.suite.ts'
import { SessionClient } from '../../src/http-server/tests/http.suite.ts'
import { gate } from '../../src/internal/gate.ts'
import type { JsonObject } from '../../src/jsonrpc/message.ts'
import { metaKeys } from '../../src/model/meta.ts'
import {
  createServer,
  memoryTaskStore,
  prompt,
  resource,
  type Server,
  type ServerOptions,
  type TaskRecord,
  type ToolContext,
  tool,
} from '../../src/server.ts'
import { obliging, text, told } from '../replay-handlers.ts'
import { Legacy, later, Modern } from '../task-driver.ts'

const serverOf = (options: Partial<ServerOptions>): Server => createServer({ name: 'test', version: '1', ...options })
const quick = tool({ name: 'quick', task: true, run: () => 'done' })
const failing = tool({ name: 'failing', task: true, run: (_, ctx) => ctx.error('it broke') })
const confirming = tool({
  name: 'confirming',
  task: true,
  run: async (_, ctx) => told(await ctx.elicit('say yes', text)),
})

/** A tool that waits, and records its calls. */
function held() {
  const { passed, open } = gate()
  let start!: (ctx: ToolContext) => void
  const started = new Promise<ToolContext>((resolve) => {
    start = resolve
  })
  const made = tool({
    name: 'held',
    task: true,
    async run(_, ctx) {
      start(ctx)
      await passed
      return 'done'
    },
  })
  return { tool: made, open, started }
}

// [xtask.methods.tools-call] [xtask.result-type.not-elsewhere]
test('only tools/call is answered with a task', async () => {
  const client = new Modern(
    serverOf({
      tools: [quick],
      prompts: [prompt({ name: 'p', run: () => 'p' })],
      resources: [resource({ uri: 'note:///a', name: 'a', read: () => 'a' })],
    }),
  )
  const taskId = await client.start('quick')
  const others: [string, JsonObject][] = [
    ['server/discover', {}],
    ['tools/list', {}],
    ['prompts/get', { name: 'p' }],
    ['resources/read', { uri: 'note:///a' }],
    ['tasks/get', { taskId }],
    ['tasks/update', { taskId, inputResponses: {} }],
    ['tasks/cancel', { taskId }],
  ]
  for (const [method, params] of others) {
    const { result } = await client.send(method, { ...params, task: {} })
    expect(result?.resultType, method).toBe('complete')
  }
})

// [xtask.status.values]
test('a task has one of five statuses, and three of them are final', async () => {
  const one = held()
  const client = new Modern(serverOf({ tools: [quick, failing, confirming, one.tool] }))
  const ends: [string, string][] = [
    ['quick', 'completed'],
    ['failing', 'completed'],
  ]
  for (const [name, status] of ends) {
    const taskId = await client.start(name)
    await client.until(taskId, status)
    await client.send('tasks/cancel', { taskId })
    await client.send('tasks/update', { taskId, inputResponses: {} })
    expect(await client.get(taskId)).toMatchObject({ status })
  }
  const waiting = await client.start('confirming')
  expect(await client.until(waiting, 'input_required')).toMatchObject({ status: 'input_required' })
  const taskId = await client.start('held')
  expect(await client.get(taskId)).toMatchObject({ status: 'working' })
  await client.send('tasks/cancel', { taskId })
  one.open()
  await later(5)
  expect(await client.get(taskId)).toMatchObject({ status: 'cancelled' })
})

// [xtask.create.durable]
test('nobody hears of a task that the store does not have yet', async () => {
  const store = memoryTaskStore()
  const { passed, open } = gate()
  const slow = { ...store, create: (record: TaskRecord) => passed.then(() => store.create(record)) }
  const client = new Modern(serverOf({ tools: [quick], tasks: { store: slow } }))
  const answered = client.call('quick')
  expect(await Promise.race([answered, later(20)])).toBeUndefined()
  open()
  const { result } = await answered
  expect(await client.get(result!.taskId as string)).toMatchObject({ taskId: result!.taskId })
})

// [task25.id.receiver-generated]
test('the id of a task is not what the client would like', async () => {
  await using client = await Legacy.open(serverOf({ tools: [quick] }))
  const mine = { task: { taskId: 'mine', id: 'mine' }, taskId: 'mine' }
  expect(await client.start('quick', {}, mine)).toMatch(/^[0-9a-f]{40}$/)
  expect((await client.send('tasks/get', { taskId: 'mine' })).error).toMatchObject({ code: -32602 })
})

const moves = new Map([
  ['working', ['input_required', 'completed', 'failed', 'cancelled']],
  ['input_required', ['working', 'completed', 'failed', 'cancelled']],
])

// [task25.status.transitions]
test('a task moves only as the revision lets it', async () => {
  const one = held()
  await using client = await Legacy.open(serverOf({ tools: [quick, failing, confirming, one.tool] }))
  client.answer = obliging
  const ids = []
  for (const name of ['quick', 'failing', 'confirming', 'held']) ids.push(await client.start(name))
  for (const taskId of ids.slice(0, 3)) await client.send('tasks/result', { taskId })
  await client.send('tasks/cancel', { taskId: ids[3]! })
  one.open()
  await later(5)
  for (const taskId of ids) await client.send('tasks/cancel', { taskId })
  const told = client.notifications.filter(({ method }) => method === 'notifications/tasks/status')
  for (const taskId of ids) {
    const statuses = told.filter(({ params }) => params.taskId === taskId).map(({ params }) => params.status as string)
    let status = 'working'
    for (const next of statuses) {
      expect(moves.get(status), `${status} to ${next}`).toContain(next)
      status = next
    }
    expect(moves.has(status), status).toBe(false)
    expect(await client.get(taskId)).toMatchObject({ status })
  }
})

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const times = { createdAt: time, lastUpdatedAt: time }

// [task25.ttl.created-at] [task25.ttl.last-updated-at]
test('wherever a task is told, it says when it began and when it changed', async () => {
  const one = held()
  await using client = await Legacy.open(serverOf({ tools: [one.tool] }))
  const { result } = await client.call('held')
  const { taskId } = result!.task as { taskId: string }
  expect(result!.task).toMatchObject(times)
  expect(await client.get(taskId)).toMatchObject(times)
  expect((await client.send('tasks/list')).result!.tasks).toMatchObject([times])
  expect((await client.send('tasks/cancel', { taskId })).result).toMatchObject(times)
  const told = client.notifications.filter(({ method }) => method === 'notifications/tasks/status')
  expect(told).toMatchObject([{ params: times }])
  one.open()
})

// [task25.meta.param-wins]
test('the taskId says which task is meant, whatever the metadata says', async () => {
  const one = held()
  await using client = await Legacy.open(serverOf({ tools: [quick, one.tool] }))
  const taskId = await client.start('quick')
  const other = await client.start('held')
  await client.send('tasks/result', { taskId })
  const _meta = { [metaKeys.relatedTask]: { taskId: other } }
  expect((await client.send('tasks/get', { taskId, _meta })).result).toMatchObject({ taskId, status: 'completed' })
  expect((await client.send('tasks/result', { taskId, _meta })).result).toMatchObject({
    _meta: { [metaKeys.relatedTask]: { taskId } },
  })
  expect((await client.send('tasks/cancel', { taskId, _meta })).error).toMatchObject({ code: -32602 })
  expect(await client.get(other)).toMatchObject({ status: 'working' })
  one.open()
})

// [task25.error.internal]
test('what breaks in the store is an internal error, without details', async () => {
  const errors: unknown[] = []
  const store = { ...memoryTaskStore(), get: () => Promise.reject(new Error('disk full')) }
  const server = serverOf({ tools: [quick], tasks: { store }, onError: (error) => errors.push(error) })
  await using client = await Legacy.open(server)
  for (const method of ['tasks/get', 'tasks/result', 'tasks/cancel']) {
    const { error } = await client.send(method, { taskId: '0'.repeat(40) })
    expect(error, method).toMatchObject({ code: -32603, message: 'Internal error' })
  }
  expect(String(errors)).toContain('disk full')
})

// [cancel.tasks-use-tasks-cancel]
test('a task outlives the cancellation of the request that made it', async () => {
  const one = held()
  await using client = await Legacy.open(serverOf({ tools: [one.tool] }))
  const taskId = await client.start('held')
  client.notify('notifications/cancelled', { requestId: client.lastId })
  expect(await client.get(taskId)).toMatchObject({ status: 'working' })
  one.open()
  expect((await client.send('tasks/result', { taskId })).result).toMatchObject({ content: [{ text: 'done' }] })
})

// [progress.task-same-token] [progress.task-stop-terminal]
test.each(['cancelled', 'completed'])('progress keeps its token, and stops when the task is %s', async (end) => {
  const one = held()
  await using client = await Legacy.open(serverOf({ tools: [one.tool] }))
  const taskId = await client.start('held', {}, { task: {}, _meta: { progressToken: 'p' } })
  const ctx = await one.started
  const seen = () =>
    client.notifications
      .filter(({ method }) => method === 'notifications/progress')
      .map(({ params }) => [params.progressToken, params.progress])
  ctx.progress(1)
  await vi.waitFor(() => expect(seen()).toEqual([['p', 1]]))
  if (end === 'completed') one.open()
  await client.send(end === 'completed' ? 'tasks/result' : 'tasks/cancel', { taskId })
  ctx.progress(2)
  await client.get(taskId)
  expect(seen()).toEqual([['p', 1]])
  one.open()
})

// [task25.get.respect-interval]
test('a client of 2025-11-25 looks no more often than it is told to', async () => {
  const looks: number[] = []
  const task = { taskId: 't', createdAt: '2026-01-01T00:00:00Z', lastUpdatedAt: '2026-01-01T00:00:00Z', ttl: null }
  const server = legacyServer(
    {
      'tools/list': {
        tools: [{ name: 'job', inputSchema: { type: 'object' }, execution: { taskSupport: 'optional' } }],
      },
      'tools/call': () => {
        looks.push(performance.now())
        return { task: { ...task, status: 'working', pollInterval: 150 } }
      },
      'tasks/get': () => {
        looks.push(performance.now())
        return { ...task, status: looks.length < 4 ? 'working' : 'completed', pollInterval: 150 }
      },
      'tasks/result': { content: [] },
    },
    '2025-11-25',
    { tools: {}, tasks: { requests: { tools: { call: {} } } } },
  )
  await using client = await connect(server.open, { tasks: true })
  await client.listTools()
  await client.callTool('job', {}, { task: true })
  expect(looks).toHaveLength(4)
  // Timers may be early by a fraction of a millisecond, never by more.
  for (const [index, at] of looks.slice(1).entries()) expect(at - looks[index]!).toBeGreaterThan(145)
})

// [task25.transport.http-rules]
test.each(adapters)('requests about tasks keep the rules of HTTP, over %s', async (_name, serve) => {
  const served = await serve(serverOf({ tools: [quick] }))
  const client = await SessionClient.open(served)
  const params = { name: 'quick', arguments: {}, task: {} }
  const made = await (await client.post({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })).json()
  const { taskId } = made.result.task
  for (const method of ['tasks/get', 'tasks/result']) {
    const status = async (headers: { [name: string]: string | undefined }) => {
      const response = await client.post({ jsonrpc: '2.0', id: 2, method, params: { taskId } }, headers)
      await response.text()
      return response.status
    }
    expect(await status({ 'mcp-session-id': undefined }), method).toBe(400)
    expect(await status({ 'mcp-session-id': 'unknown' }), method).toBe(404)
    expect(await status({ 'mcp-protocol-version': '1999-01-01' }), method).toBe(400)
    expect(await status({ accept: 'text/html' }), method).toBe(406)
    expect(await status({}), method).toBe(200)
  }
  await served.close()
})
