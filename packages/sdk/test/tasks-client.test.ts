/** Tests how a client handles tasks, against scripted servers. */
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { Client } from '../src/client/client.ts'
import { connect } from '../src/client/connect.ts'
import type { ConnectOptions } from '../src/client/options.ts'
import {
  legacyServer,
  modernServer,
  type ScriptedServer,
  type ServerScript,
  silence,
} from '../src/client/scripted-server.suite.ts'
import { waitingMs } from '../src/client/tasks/polling/pauses.ts'
import type { ToolCallResult } from '../src/client/types.ts'
import { RpcError } from '../src/errors.ts'
import type { JsonObject } from '../src/jsonrpc/message.ts'
import type { Revision } from '../src/model/revision.ts'
import type { Task } from '../src/model/tasks.ts'
import { validateMessage } from './wire-schema.ts'

const extension = 'io.modelcontextprotocol/tasks'
const text = (value: string): JsonObject => ({ content: [{ type: 'text', text: value }] })
const dates = { createdAt: '2026-01-01T00:00:00Z', lastUpdatedAt: '2026-01-01T00:00:00Z' }

const modernCapabilities = { tools: {}, extensions: { [extension]: {} } }
const legacyCapabilities = { tools: {}, tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } }

/** A task of the extension. */
const modernTask = (status: string, more: JsonObject = {}): JsonObject => ({
  resultType: 'complete',
  taskId: 't1',
  status,
  ...dates,
  ttlMs: 60_000,
  pollIntervalMs: 50,
  ...more,
})
const created = (more: JsonObject = {}): JsonObject => ({ ...modernTask('working'), resultType: 'task', ...more })

/** A task of 2025-11-25. */
const legacyTask = (status: string, more: JsonObject = {}): JsonObject => ({
  taskId: 't1',
  status,
  ...dates,
  ttl: 60_000,
  pollInterval: 50,
  ...more,
})

/** Answers with one after the other, and with the last one forever. */
const inTurn = (...replies: (JsonObject | RpcError)[]): (() => JsonObject | RpcError) => {
  let next = 0
  return () => replies[Math.min(next++, replies.length - 1)]!
}

/** Every message of a client is one that its revision knows. */
const servers: [Revision, ScriptedServer][] = []
const checked = (revision: Revision, server: ScriptedServer): ScriptedServer => {
  servers.push([revision, server])
  return server
}
afterEach(() => {
  const problems = servers.splice(0).flatMap(([revision, { received }]) =>
    received
      // Older servers get `server/discover` of the newest revision first.
      .filter(({ method }) => method !== 'server/discover')
      .flatMap((message) => validateMessage(revision, 'client', message)),
  )
  expect(problems).toEqual([])
})

const modern = (script: ServerScript): ScriptedServer =>
  checked(
    '2026-07-28',
    modernServer(
      { 'tools/call': created(), 'tasks/update': { resultType: 'complete' }, 'tasks/cancel': {}, ...script },
      modernCapabilities,
    ),
  )

const listing = (taskSupport?: string): JsonObject => ({
  tools: [{ name: 'job', inputSchema: { type: 'object' }, ...(taskSupport && { execution: { taskSupport } }) }],
})
const legacy = (script: ServerScript, taskSupport = 'optional'): ScriptedServer =>
  checked(
    '2025-11-25',
    legacyServer(
      {
        'tools/list': listing(taskSupport),
        'tools/call': ({ task }) => (task === undefined ? text('plain') : { task: legacyTask('working') }),
        'tasks/cancel': legacyTask('cancelled'),
        ...script,
      },
      '2025-11-25',
      legacyCapabilities,
    ),
  )

const form = (message: string): JsonObject => ({
  method: 'elicitation/create',
  params: { mode: 'form', message, requestedSchema: { type: 'object', properties: { value: { type: 'string' } } } },
})
const elicit: ConnectOptions['elicit'] = ({ message }) => ({ action: 'accept', content: { value: message } })
const accepted = (value: string): JsonObject => ({ action: 'accept', content: { value } })

/** A call that is a task already. */
const followed = async (client: Client): Promise<{ call: Promise<ToolCallResult> }> => {
  let call!: Promise<ToolCallResult>
  await new Promise<void>((onStatus, failed) => {
    call = client.callTool('job', {}, { task: { onStatus: () => onStatus() } })
    call.catch(failed)
  })
  return { call }
}

describe('the extension of 2026-07-28', () => {
  // [xtask.cap.identifier] [xtask.cap.client-handles-both] [xtask.get.until-terminal]
  test('a call that becomes a task resolves with the result of the task', async () => {
    const server = modern({
      'tools/call': ({ name }) => (name === 'quick' ? text('at once') : created()),
      'tasks/get': inTurn(modernTask('working'), modernTask('completed', { result: text('done') })),
    })
    await using client = await connect(server.open, { tasks: true })
    expect((await client.callTool('quick')).text).toBe('at once')
    expect((await client.callTool('job', { a: 1 })).text).toBe('done')
    expect(server.methods).toEqual(['server/discover', 'tools/call', 'tools/call', 'tasks/get', 'tasks/get'])
    for (const { params } of server.received) {
      expect(params).toHaveProperty(['_meta', 'io.modelcontextprotocol/clientCapabilities', 'extensions'], {
        [extension]: {},
      })
    }
    expect(server.all('tools/call')[1]!.params).not.toHaveProperty('task')
    expect(server.all('tasks/get')[0]!.params).toMatchObject({ taskId: 't1' })
  })

  test('a client without tasks does not declare them, and takes none', async () => {
    const server = modern({})
    await using client = await connect(server.open, { tasks: false })
    await expect(client.callTool('job')).rejects.toMatchObject({ code: 'invalid_result' })
    await expect(client.tasks.get('t1')).rejects.toMatchObject({ code: 'unsupported' })
    for (const { params } of server.received) expect(JSON.stringify(params)).not.toContain(extension)
  })

  // [ver.ext.off-by-default]
  test('tasks are declared by the calls that ask for them, and by what is done with tasks', async () => {
    const server = modern({
      'tools/list': listing(),
      'tasks/get': modernTask('completed', { result: text('done') }),
    })
    await using client = await connect(server.open)
    await client.listTools()
    await client.callTool('job', {}, { task: true })
    const declaring = server.received.filter(({ params }) => JSON.stringify(params).includes(extension))
    expect(new Set(declaring.map(({ method }) => method))).toEqual(new Set(['tools/call', 'tasks/get']))
    await expect(client.callTool('job')).rejects.toMatchObject({ code: 'invalid_result' })
    expect(JSON.stringify(server.all('tools/call').at(-1)!.params)).not.toContain(extension)
  })

  // [xtask.cap.client-rejects-elsewhere]
  test.each(['prompts/get', 'resources/read', 'tasks/get'])(
    'a task in place of the result of %s is refused',
    async (method) => {
      const server = modernServer({ [method]: created() }, { ...modernCapabilities, prompts: {}, resources: {} })
      await using client = await connect(server.open, { tasks: true })
      const call =
        method === 'prompts/get'
          ? client.getPrompt('x')
          : method === 'tasks/get'
            ? client.tasks.get('t1')
            : client.readResource('a:b')
      await expect(call).rejects.toMatchObject({ code: 'invalid_result', message: expect.stringMatching(/resultType/) })
    },
  )

  // [xtask.status.tool-error-completed] [xtask.get.failed] [xtask.get.cancelled]
  test('a failed tool is a result, a failed task the error of the call, a cancelled one cancelled', async () => {
    const server = modern({
      'tasks/get': inTurn(
        modernTask('completed', { result: { ...text('no'), isError: true } }),
        modernTask('failed', { error: { code: -32099, message: 'broken', data: { at: 3 } } }),
        modernTask('cancelled', { statusMessage: 'by the operator' }),
      ),
    })
    await using client = await connect(server.open, { tasks: true })
    expect(await client.callTool('job')).toMatchObject({ isError: true, text: 'no' })
    await expect(client.callTool('job')).rejects.toMatchObject({
      name: 'RpcError',
      code: -32099,
      message: 'broken',
      data: { at: 3 },
      remote: true,
    })
    await expect(client.callTool('job')).rejects.toMatchObject({
      code: 'cancelled',
      message: 'The task "t1" was cancelled: by the operator',
    })
    expect(server.methods).not.toContain('tasks/cancel')
  })

  // [xtask.get.respect-interval]
  test('the server says how often to look, and may change its mind', async () => {
    const times: number[] = []
    const replies = inTurn(
      modernTask('working', { pollIntervalMs: 200 }),
      modernTask('working', { pollIntervalMs: 60 }),
      modernTask('completed', { result: text('done') }),
    )
    const server = modern({
      'tools/call': created({ pollIntervalMs: 120 }),
      'tasks/get': () => {
        times.push(performance.now())
        return replies()
      },
    })
    await using client = await connect(server.open, { tasks: true })
    const begun = performance.now()
    await client.callTool('job')
    const gaps = times.map((time, index) => time - (index === 0 ? begun : times[index - 1]!))
    expect(gaps[0]).toBeGreaterThanOrEqual(115)
    expect(gaps[1]).toBeGreaterThanOrEqual(195)
    expect(gaps[2]).toBeGreaterThanOrEqual(55)
  })

  test('while the user is asked the pauses grow, and end with the answer', async () => {
    const times: number[] = []
    let answer = (): void => {}
    const enough = new Promise<void>((resolve) => {
      answer = resolve
    })
    const server = modern({
      'tools/call': created({ pollIntervalMs: 60 }),
      'tasks/get': () => {
        times.push(performance.now())
        if (times.length === 4) answer()
        if (server.methods.includes('tasks/update')) return modernTask('completed', { result: text('done') })
        return modernTask('input_required', { pollIntervalMs: 60, inputRequests: { a: form('x') } })
      },
    })
    const declineLate = (): Promise<{ action: 'decline' }> => enough.then(() => ({ action: 'decline' }))
    await using client = await connect(server.open, { tasks: true, elicit: declineLate })
    expect((await client.callTool('job')).text).toBe('done')
    const gaps = times.map((time, index) => time - (times[index - 1] ?? time))
    expect(gaps[1]).toBeGreaterThanOrEqual(55)
    expect(gaps[2]).toBeGreaterThanOrEqual(115)
    expect(gaps[3]).toBeGreaterThanOrEqual(235)
    expect([0, 1, 2, 10, 50].map((polls) => waitingMs(100, polls))).toEqual([100, 200, 400, 5_000, 5_000])
    // A server that wants longer pauses gets those.
    expect(waitingMs(60_000, 3)).toBe(60_000)
  })

  // [xtask.input.client-fulfils] [xtask.input.inspect] [xtask.input.dedupe] [xtask.input.same-trust]
  test('questions are answered once by the callbacks of the client, however often they are seen', async () => {
    const a = { a: form('one'), b: { method: 'roots/list' } }
    const server = modern({
      'tasks/get': inTurn(
        modernTask('input_required', { inputRequests: a }),
        modernTask('input_required', { inputRequests: a }),
        modernTask('input_required', { inputRequests: { ...a, c: form('two') } }),
        modernTask('working'),
        modernTask('completed', { result: text('done') }),
      ),
    })
    const asked: string[] = []
    await using client = await connect(server.open, {
      tasks: true,
      roots: [{ uri: 'file:///a' }],
      elicit: (request) => {
        asked.push(request.message)
        return { action: 'accept', content: { value: request.message } }
      },
    })
    expect((await client.callTool('job')).text).toBe('done')
    expect(asked).toEqual(['one', 'two'])
    const answers = server.all('tasks/update').map(({ params }) => params)
    expect(answers).toMatchObject([
      { taskId: 't1', inputResponses: { a: accepted('one'), b: { roots: [{ uri: 'file:///a' }] } } },
      { taskId: 't1', inputResponses: { c: accepted('two') } },
    ])
  })

  // [xtask.create.mrtr-before] [xtask.input.key-scope-separate]
  test('rounds of the call come first, and their keys say nothing about those of the task', async () => {
    const server = modern({
      'tools/call': ({ inputResponses }) =>
        inputResponses === undefined
          ? { resultType: 'input_required', inputRequests: { a: form('first') } }
          : created(),
      'tasks/get': inTurn(
        modernTask('input_required', { inputRequests: { a: form('second') } }),
        modernTask('completed', { result: text('done') }),
      ),
    })
    await using client = await connect(server.open, { tasks: true, elicit })
    expect((await client.callTool('job')).text).toBe('done')
    expect(server.all('tasks/update')[0]!.params).toMatchObject({ inputResponses: { a: accepted('second') } })
  })

  test('a new question does not wait for the answer to an older one', async () => {
    let answerFirst = (): void => {}
    const server = modern({
      'tasks/get': () => {
        const answered = server
          .all('tasks/update')
          .flatMap(({ params }) => Object.keys(params!.inputResponses as object))
        if (answered.includes('slow')) return modernTask('completed', { result: text('done') })
        if (answered.includes('quick')) answerFirst()
        return modernTask('input_required', {
          inputRequests: { slow: form('slow'), ...(asked > 0 && { quick: form('quick') }) },
        })
      },
    })
    let asked = 0
    await using client = await connect(server.open, {
      tasks: true,
      elicit: ({ message }) => {
        asked += 1
        if (message === 'quick') return { action: 'decline' }
        return new Promise((resolve) => {
          answerFirst = () => resolve({ action: 'accept', content: { value: 'x' } })
        })
      },
    })
    expect((await client.callTool('job')).text).toBe('done')
    const order = server.all('tasks/update').map(({ params }) => Object.keys(params!.inputResponses as object))
    expect(order).toEqual([['quick'], ['slow']])
  })

  test('a question that the task does not ask any more is withdrawn', async () => {
    let withdrawn = false
    const server = modern({
      'tasks/get': () => {
        if (withdrawn) return modernTask('completed', { result: text('done') })
        return asked ? modernTask('working') : modernTask('input_required', { inputRequests: { a: form('one') } })
      },
    })
    let asked = false
    await using client = await connect(server.open, {
      tasks: true,
      elicit: (_, { signal }) =>
        new Promise((_resolve, reject) => {
          asked = true
          signal.addEventListener('abort', () => {
            withdrawn = true
            reject(signal.reason)
          })
        }),
    })
    expect((await client.callTool('job')).text).toBe('done')
    expect(server.methods).not.toContain('tasks/update')
  })

  test('a callback that fails ends the call and cancels the task', async () => {
    const server = modern({ 'tasks/get': modernTask('input_required', { inputRequests: { a: form('one') } }) })
    await using client = await connect(server.open, {
      tasks: true,
      elicit: () => Promise.reject(new Error('no screen')),
    })
    await expect(client.callTool('job')).rejects.toMatchObject({
      code: 'invalid_argument',
      message: expect.stringContaining('no screen'),
    })
    await server.untilMethod('tasks/cancel')
  })

  // [xtask.cancel.not-notification]
  test('aborting cancels the task by tasks/cancel, and rejects at once', async () => {
    const server = modern({ 'tasks/get': modernTask('working'), 'tasks/cancel': silence })
    await using client = await connect(server.open, { tasks: true })
    const stop = new AbortController()
    const call = client.callTool('job', {}, { signal: stop.signal })
    await server.untilMethod('tasks/get')
    stop.abort(new Error('enough'))
    await expect(call).rejects.toMatchObject({ code: 'cancelled', cause: { message: 'enough' } })
    await server.untilMethod('tasks/cancel')
    expect(server.methods).not.toContain('notifications/cancelled')
  })

  test('maxTotalMs holds for the whole task, timeoutMs for each request', async () => {
    const server = modern({ 'tasks/get': modernTask('working') })
    await using client = await connect(server.open, { tasks: true })
    const begun = performance.now()
    await expect(client.callTool('job', {}, { timeoutMs: 60, maxTotalMs: 300 })).rejects.toMatchObject({
      code: 'timeout',
    })
    expect(performance.now() - begun).toBeGreaterThanOrEqual(290)
    await server.untilMethod('tasks/cancel')
  })

  test('a request that gets no answer is sent again, and the task goes on', async () => {
    let looks = 0
    const server = modern({
      'tasks/get': () => (looks++ === 0 ? silence : modernTask('completed', { result: text('done') })),
    })
    await using client = await connect(server.open, { tasks: true })
    expect((await client.callTool('job', {}, { timeoutMs: 500 })).text).toBe('done')
    expect(looks).toBe(2)
  })

  test('answers that did not get through are sent again, and nobody is asked again', async () => {
    let updates = 0
    let asked = 0
    const server = modern({
      'tasks/get': () =>
        updates < 2
          ? modernTask('input_required', { inputRequests: { a: form('x') } })
          : modernTask('completed', { result: text('done') }),
      'tasks/update': () => (updates++ === 0 ? silence : { resultType: 'complete' }),
    })
    await using client = await connect(server.open, {
      tasks: true,
      elicit: () => {
        asked += 1
        return { action: 'decline' }
      },
    })
    expect((await client.callTool('job', {}, { timeoutMs: 500 })).text).toBe('done')
    expect([asked, updates]).toEqual([1, 2])
  })

  // [xtask.error.invalid-task-get]
  test('a task that the server does not know any more is its error', async () => {
    const server = modern({ 'tasks/get': new RpcError(-32602, 'Unknown task') })
    await using client = await connect(server.open, { tasks: true })
    await expect(client.callTool('job')).rejects.toMatchObject({ code: -32602, remote: true })
    expect(server.methods).not.toContain('tasks/cancel')
  })

  test('the result is held against the output schema', async () => {
    const outputSchema = { type: 'object', properties: { sum: { type: 'number' } } }
    const server = modern({
      'tools/list': { tools: [{ name: 'job', inputSchema: { type: 'object' }, outputSchema }] },
      'tasks/get': modernTask('completed', { result: { ...text('x'), structuredContent: { sum: 'three' } } }),
    })
    await using client = await connect(server.open, { tasks: true, validate: 'strict' })
    await expect(client.callTool('job')).rejects.toMatchObject({
      code: 'invalid_result',
      message: expect.stringMatching(/structuredContent\.sum/),
    })
    await expect(client.tasks.result('t1', { tool: 'job' })).rejects.toMatchObject({ code: 'invalid_result' })
  })

  test('onStatus is called once per change', async () => {
    const server = modern({
      'tasks/get': inTurn(
        modernTask('working'),
        modernTask('working', { statusMessage: 'half' }),
        modernTask('working', { statusMessage: 'half' }),
        modernTask('completed', { statusMessage: 'half', result: text('done') }),
      ),
    })
    await using client = await connect(server.open, { tasks: true })
    const seen: Task[] = []
    await client.callTool('job', {}, { task: { onStatus: (task) => seen.push(task) } })
    expect(seen.map(({ status, statusMessage }) => [status, statusMessage])).toEqual([
      ['working', undefined],
      ['working', 'half'],
      ['completed', 'half'],
    ])
    expect(seen[2]).not.toHaveProperty('result')
  })

  test('a notification about a task makes the next look come at once', async () => {
    let looks = 0
    const server = modern({
      'tools/call': created({ pollIntervalMs: 200_000 }),
      'tasks/get': () =>
        looks++ === 0
          ? modernTask('input_required', { pollIntervalMs: 200_000, inputRequests: { a: form('x') } })
          : modernTask('completed', { result: text('done') }),
    })
    await using client = await connect(server.open, { tasks: true, elicit })
    const { call } = await followed(client)
    server.notify('notifications/tasks', modernTask('input_required', { taskId: 'another' }))
    server.notify('notifications/tasks', modernTask('input_required', { inputRequests: { a: form('x') } }))
    await server.untilMethod('tasks/update')
    server.notify('notifications/tasks', modernTask('completed', { result: text('ignored') }))
    expect((await call).text).toBe('done')
    expect(looks).toBe(2)
  })
})

describe('the tasks of 2025-11-25', () => {
  // [task25.create.param] [task25.create.ttl] [task25.create.result] [task25.result.terminal] [task25.get.poll-until-terminal]
  test('a task is asked for where the tool allows it, and its result is fetched', async () => {
    const server = legacy({
      'tasks/get': inTurn(legacyTask('working'), legacyTask('completed')),
      'tasks/result': { ...text('done'), _meta: { 'io.modelcontextprotocol/related-task': { taskId: 't1' } } },
    })
    await using client = await connect(server.open, { tasks: true })
    expect((await client.callTool('job')).text).toBe('plain')
    expect((await client.callTool('job', { a: 1 }, { task: { ttlMs: 5_000 } })).text).toBe('done')
    expect(server.all('tools/call').map(({ params }) => params)).toEqual([
      { name: 'job' },
      { name: 'job', arguments: { a: 1 }, task: { ttl: 5_000 } },
    ])
    const sent = server.received.filter(({ method }) => method?.startsWith('tasks/'))
    expect(sent.map(({ method }) => method)).toEqual(['tasks/get', 'tasks/get', 'tasks/result'])
    // [task25.meta.not-on-requests]
    for (const { params } of sent) expect(params).toEqual({ taskId: 't1' })
  })

  // [task25.cap.client-shape] [task25.cap.declare]
  test('nothing is declared: this client runs no tasks for servers', async () => {
    const server = legacy({})
    await using _ = await connect(server.open, { tasks: true, revisions: ['2025-11-25'] })
    expect(server.all('initialize')[0]!.params!.capabilities).toEqual({})
  })

  // [task25.tool.no-capability] [task25.tool.forbidden] [task25.cap.exhaustive] [task25.cap.augment-if-declared] [task25.cap.no-tasks-no-create]
  test.each([
    ['a tool that forbids it', 'forbidden', legacyCapabilities],
    ['a tool that says nothing', undefined, legacyCapabilities],
    ['a server without tasks', 'required', { tools: {} }],
    ['a server with tasks for other requests', 'required', { tools: {}, tasks: { cancel: {}, requests: {} } }],
  ])('%s is called without a task', async (_, support, capabilities) => {
    const call = (params: JsonObject): JsonObject => text(params.task === undefined ? 'plain' : 'task')
    const server = legacyServer({ 'tools/list': listing(support), 'tools/call': call }, '2025-11-25', capabilities)
    await using client = await connect(server.open, { tasks: true })
    expect((await client.callTool('job', {}, { task: true })).text).toBe('plain')
  })

  // [task25.tool.required] [task25.tool.required-error]
  test('a tool that requires a task gets one, whether lists have said so or only its refusal', async () => {
    const server = legacy(
      {
        'tools/call': ({ task }) =>
          task === undefined ? new RpcError(-32601, 'job needs a task') : { task: legacyTask('working') },
        'tasks/get': legacyTask('completed'),
        'tasks/result': text('done'),
      },
      'required',
    )
    await using client = await connect(server.open, { tasks: true })
    expect((await client.callTool('job')).text).toBe('done')
    expect(server.all('tools/call').map(({ params }) => params!.task)).toEqual([undefined, {}])
    expect((await client.callTool('job')).text).toBe('done')
    expect(server.all('tools/call').map(({ params }) => params!.task)).toEqual([undefined, {}, {}])
    expect(server.all('tools/list')).toHaveLength(1)
  })

  // [task25.status.failed-includes-iserror]
  test('a failed task is a result with isError, or the error of the call; a cancelled one is cancelled', async () => {
    const server = legacy({
      'tasks/get': inTurn(
        legacyTask('failed'),
        legacyTask('failed', { statusMessage: 'x' }),
        legacyTask('failed'),
        legacyTask('cancelled'),
      ),
      'tasks/result': inTurn({ ...text('no'), isError: true }, new RpcError(-32050, 'broken')),
    })
    await using client = await connect(server.open, { tasks: true })
    expect(await client.callTool('job', {}, { task: true })).toMatchObject({ isError: true, text: 'no' })
    await expect(client.callTool('job', {}, { task: true })).rejects.toMatchObject({ code: -32050, remote: true })
    await expect(client.callTool('job', {}, { task: true })).rejects.toMatchObject({ code: 'cancelled' })
    expect(server.all('tasks/result')).toHaveLength(2)
  })

  // [task25.input.call-result] [task25.result.blocks] [task25.input.any-stream]
  test('a task that needs input is asked for its result, and its questions are answered as they come', async () => {
    const related = { 'io.modelcontextprotocol/related-task': { taskId: 't1' } }
    const server = legacy({
      'tasks/get': () => legacyTask(server.methods.includes('tasks/result') ? 'working' : 'input_required'),
      'tasks/result': async () => {
        const { params } = form('name') as { params: JsonObject }
        const { result } = await server.ask('elicitation/create', { ...params, _meta: related })
        // [task25.meta.related-everywhere] [task25.meta.same-task-id]
        expect(result!._meta).toEqual(related)
        return { ...text(JSON.stringify(result!.content)), _meta: related }
      },
    })
    await using client = await connect(server.open, { tasks: true, elicit })
    expect((await client.callTool('job', {}, { task: true })).text).toBe('{"value":"name"}')
    expect(server.all('tasks/result')).toHaveLength(1)
  })

  test('the time that somebody takes to answer is not the time of the request that waits for it', async () => {
    const server = legacy({
      'tasks/get': legacyTask('input_required'),
      'tasks/result': async () => {
        await server.ask('elicitation/create', form('name').params as JsonObject)
        return text('done')
      },
    })
    await using client = await connect(server.open, {
      tasks: true,
      elicit: () => new Promise((resolve) => setTimeout(() => resolve({ action: 'decline' }), 1_500)),
    })
    expect((await client.callTool('job', {}, { task: true, timeoutMs: 500 })).text).toBe('done')
    expect(server.all('tasks/result')).toHaveLength(1)
    expect(server.all('tasks/get').length).toBeGreaterThan(2)
  })

  // [task25.cancel.stop]
  // [cancel.tasks-use-tasks-cancel]
  test('aborting sends tasks/cancel, also when the task was not made yet', async () => {
    let create = (_: JsonObject): void => {}
    const server = legacy({
      'tools/call': () =>
        new Promise<JsonObject>((resolve) => {
          create = resolve
        }),
      'tasks/get': legacyTask('working'),
    })
    await using client = await connect(server.open, { tasks: true })
    const stop = new AbortController()
    const call = client.callTool('job', {}, { task: true, signal: stop.signal })
    await server.untilMethod('tools/call')
    stop.abort()
    await expect(call).rejects.toMatchObject({ code: 'cancelled' })
    create({ task: legacyTask('working') })
    expect((await server.untilMethod('tasks/cancel')).params).toEqual({ taskId: 't1' })
    expect(server.methods).not.toContain('notifications/cancelled')
  })

  // [task25.progress.token-lives]
  test('progress is reported until the task has ended', async () => {
    const server = legacy({
      'tools/call': ({ _meta }) => {
        const { progressToken } = _meta as { progressToken: number }
        const report = (progress: number) => server.notify('notifications/progress', { progressToken, progress })
        report(1)
        queueMicrotask(() => queueMicrotask(() => report(2)))
        tell = report
        return { task: legacyTask('working') }
      },
      'tasks/get': () => {
        tell(3)
        return legacyTask('completed')
      },
      'tasks/result': text('done'),
    })
    let tell: (progress: number) => void = () => {}
    await using client = await connect(server.open, { tasks: true })
    const reported: number[] = []
    const onProgress = ({ progress }: { progress: number }): void => void reported.push(progress)
    await client.callTool('job', {}, { task: true, onProgress })
    expect(reported).toEqual([1, 2, 3])
    tell(4)
    await client.ping().catch(() => {})
    expect(reported).toEqual([1, 2, 3])
  })

  // [task25.notify.may] [task25.notify.no-reliance] [task25.notify.keep-polling]
  test('a status notification makes the next look come at once, and decides nothing', async () => {
    let looks = 0
    const server = legacy({
      'tools/call': { task: legacyTask('working', { pollInterval: 100_000 }) },
      'tasks/get': () => legacyTask(looks++ === 0 ? 'working' : 'completed'),
      'tasks/result': text('done'),
    })
    await using client = await connect(server.open, { tasks: true })
    const { call } = await followed(client)
    server.notify('notifications/tasks/status', legacyTask('completed'))
    expect((await call).text).toBe('done')
    expect(looks).toBe(2)
  })
})

describe('client.tasks', () => {
  test('start returns as soon as there is a task, and looks at it when its result is wanted', async () => {
    const server = modern({ 'tasks/get': modernTask('completed', { result: text('done') }) })
    await using client = await connect(server.open, { tasks: true })
    const task = await client.tasks.start('job', { a: 1 })
    expect(task).toMatchObject({ id: 't1', status: 'working' })
    expect(server.methods).not.toContain('tasks/get')
    expect((await task.result()).text).toBe('done')
    expect(task.status).toBe('completed')
    expect((await task.result()).text).toBe('done')
    expect(server.all('tasks/get')).toHaveLength(1)
    await task.cancel()
    expect(server.methods).not.toContain('tasks/cancel')
  })

  test('start gives a finished task where the server answered at once', async () => {
    const server = modern({ 'tools/call': text('at once') })
    await using client = await connect(server.open, { tasks: true })
    await using task = await client.tasks.start('job')
    expect(task).toMatchObject({ id: undefined, status: 'completed' })
    expect((await task.result()).text).toBe('at once')
  })

  test('a handle that is disposed cancels what has not ended; waiting can end without that', async () => {
    const server = modern({ 'tasks/get': modernTask('working') })
    await using client = await connect(server.open, { tasks: true })
    {
      await using task = await client.tasks.start('job')
      const waiting = task.result({ signal: AbortSignal.timeout(20) })
      await expect(waiting).rejects.toMatchObject({
        code: 'cancelled',
        message: 'Waiting for the task "t1" was cancelled',
      })
      expect(server.methods).not.toContain('tasks/cancel')
    }
    expect(server.all('tasks/cancel')).toHaveLength(1)
  })

  test.each([false, true])('the signal of start cancels the task, whether it is waited for: %s', async (waited) => {
    const server = modern({ 'tasks/get': modernTask('working') })
    await using client = await connect(server.open, { tasks: true })
    const stop = new AbortController()
    const task = await client.tasks.start('job', {}, { signal: stop.signal })
    const early = waited ? task.result().catch((error: unknown) => error) : undefined
    stop.abort()
    await server.untilMethod('tasks/cancel')
    await expect(task.result()).rejects.toMatchObject({ code: 'cancelled' })
    if (waited) expect(await early).toMatchObject({ code: 'cancelled' })
    expect(server.all('tasks/cancel')).toHaveLength(1)
  })

  // [xtask.get.persist-ids]
  test('result takes up a task by its id, in another client', async () => {
    const server = modern({
      'tasks/get': inTurn(
        modernTask('input_required', { inputRequests: { a: form('one') } }),
        modernTask('completed', { result: text('done') }),
      ),
    })
    const first = await connect(server.open, { tasks: true })
    const { id } = await first.tasks.start('job')
    await first.close()
    await using second = await connect(server.open, { tasks: true, elicit })
    const seen: string[] = []
    const { text: said } = await second.tasks.result(id!, { onStatus: ({ status }) => seen.push(status) })
    expect(said).toBe('done')
    expect(seen).toEqual(['input_required', 'completed'])
  })

  test('get and update are for those who answer by hand', async () => {
    const inputRequests = { a: form('one') }
    const server = modern({ 'tasks/get': modernTask('input_required', { inputRequests }) })
    await using client = await connect(server.open, { tasks: true })
    const { resultType: _, ...expected } = modernTask('input_required', { inputRequests })
    expect(await client.tasks.get('t1')).toEqual(expected)
    await client.tasks.update('t1', { a: accepted('x') })
    expect(server.all('tasks/update')[0]!.params).toMatchObject({ taskId: 't1', inputResponses: { a: accepted('x') } })
  })

  // [task25.list.paginate] [task25.list.opaque-cursor] [task25.cap.list-gate]
  test('list follows the pages, where a server lists its tasks', async () => {
    const server = legacy({
      'tasks/list': ({ cursor }) =>
        cursor === undefined
          ? { tasks: [legacyTask('working')], nextCursor: 'n' }
          : { tasks: [legacyTask('failed', { taskId: 't2', ttl: null })] },
    })
    await using client = await connect(server.open, { tasks: true })
    const listed: Task[] = []
    for await (const task of client.tasks.list()) listed.push(task)
    expect(listed.map(({ taskId, ttlMs }) => [taskId, ttlMs])).toEqual([
      ['t1', 60_000],
      ['t2', null],
    ])
    for (const other of [
      modern({}),
      legacyServer({}, '2025-11-25', { tools: {}, tasks: { requests: { tools: { call: {} } } } }),
      legacyServer({}, '2025-11-25', { tools: {} }),
      legacyServer({}, '2025-06-18', legacyCapabilities),
    ]) {
      await using without = await connect(other.open)
      await expect(without.tasks.list().next()).rejects.toMatchObject({ code: 'unsupported' })
    }
  })

  // [task25.cancel.terminal-reject] [xtask.cancel.ack]
  test('cancel is fine with a task that has ended, and not with one that is unknown', async () => {
    const refused = new RpcError(-32602, 'The task has ended')
    const server = legacy({
      'tasks/cancel': refused,
      'tasks/get': ({ taskId }) => (taskId === 't1' ? legacyTask('completed') : new RpcError(-32602, 'Unknown task')),
    })
    await using client = await connect(server.open, { tasks: true })
    await client.tasks.cancel('t1')
    await expect(client.tasks.cancel('t2')).rejects.toMatchObject({ code: -32602 })
    const without = legacyServer({}, '2025-11-25', { tools: {}, tasks: { requests: { tools: { call: {} } } } })
    await using other = await connect(without.open)
    await expect(other.tasks.cancel('t1')).rejects.toMatchObject({ code: 'unsupported' })
    expect(without.methods).not.toContain('tasks/cancel')
  })
})

describe('a connection that ends', () => {
  test('ends the waiting when the client is closed', async () => {
    const server = modern({ 'tools/call': created({ pollIntervalMs: 1e12 }) })
    const client = await connect(server.open, { tasks: true })
    const { call } = await followed(client)
    await client.close()
    await expect(call).rejects.toMatchObject({ code: 'closed' })
    expect(server.methods).not.toContain('tasks/cancel')
  })

  test('ends the waiting when the server is gone for good', async () => {
    const server = modern({
      'tasks/get': () => {
        server.end()
        return silence
      },
    })
    await using client = await connect(server.open, { tasks: true })
    await expect(client.callTool('job')).rejects.toMatchObject({ code: 'closed' })
  })
})

describe('a hostile server', () => {
  // [task25.id.string]
  test.each([
    ['an id that is a number', created({ taskId: 7 }), /taskId: expected a string/],
    ['no id', created({ taskId: undefined as never }), /taskId: expected a string/],
    ['an unknown status', created({ status: 'sleeping' }), /status: expected one of/],
    ['a poll interval that is text', created({ pollIntervalMs: '1' }), /pollIntervalMs: expected a number/],
  ])('%s', async (_, result, message) => {
    const server = modern({ 'tools/call': result })
    await using client = await connect(server.open, { tasks: true })
    await expect(client.callTool('job')).rejects.toMatchObject({
      code: 'invalid_result',
      message: expect.stringMatching(message),
    })
  })

  test.each([
    ['another task', modernTask('working', { taskId: 't2' }), /got the task "t2"/],
    ['completed without a result', modernTask('completed'), /result\.result/],
    ['failed without an error', modernTask('failed'), /result\.error/],
    [
      'a question that was not declared',
      modernTask('input_required', { inputRequests: { a: form('x') } }),
      /did not declare/,
    ],
  ])('tasks/get gives %s', async (_, result, message) => {
    const server = modern({ 'tasks/get': result })
    await using client = await connect(server.open, { tasks: true })
    await expect(client.callTool('job')).rejects.toMatchObject({
      code: 'invalid_result',
      message: expect.stringMatching(message),
    })
  })

  // [task25.id.string] [task25.status.terminal]
  test.each([
    ['an id that is a number', { taskId: 7 }, /taskId: expected a string/],
    ['an unknown status', { status: 'sleeping' }, /status: expected one of/],
    ['a status after the end', { status: 'completed' }, /is working after it was completed/],
  ])('%s, in 2025-11-25', async (_, more, message) => {
    const server = legacy({
      'tools/call': { task: { ...legacyTask('working'), ...more } },
      'tasks/get': legacyTask('working'),
      'tasks/result': silence,
    })
    await using client = await connect(server.open, { tasks: true, revisions: ['2025-11-25'] })
    await expect(client.callTool('x', {}, { task: true })).rejects.toMatchObject({
      code: 'invalid_result',
      message: expect.stringMatching(message),
    })
  })

  test('a task that has ended and works again', async () => {
    const server = modern({ 'tools/call': created({ status: 'completed' }), 'tasks/get': modernTask('working') })
    await using client = await connect(server.open, { tasks: true })
    await expect(client.callTool('job')).rejects.toMatchObject({
      code: 'invalid_result',
      message: 'tasks/get: the task "t1" is working after it was completed',
    })
  })

  test.each([0, -5, 1e-9])('a poll interval of %d does not make the client spin', async (pollIntervalMs) => {
    let looks = 0
    const server = modern({
      'tools/call': created({ pollIntervalMs }),
      'tasks/get': () =>
        looks++ < 4 ? modernTask('working', { pollIntervalMs }) : modernTask('completed', { result: text('x') }),
    })
    await using client = await connect(server.open, { tasks: true })
    const begun = performance.now()
    await client.callTool('job')
    expect(performance.now() - begun).toBeGreaterThanOrEqual(5 * 48)
  })

  test('a flood of notifications does not make the client spin', async () => {
    const server = modern({
      'tools/call': created({ pollIntervalMs: 100_000 }),
      'tasks/get': () => {
        for (let index = 0; index < 50; index++) server.notify('notifications/tasks', modernTask('working'))
        return modernTask(server.all('tasks/get').length < 4 ? 'working' : 'completed', { result: text('x') })
      },
    })
    await using client = await connect(server.open, { tasks: true })
    const begun = performance.now()
    const { call } = await followed(client)
    server.notify('notifications/tasks', modernTask('working'))
    await call
    expect(server.all('tasks/get')).toHaveLength(4)
    expect(performance.now() - begun).toBeGreaterThanOrEqual(4 * 48)
  })

  // [xtask.ttl.client-backstop] [task25.ttl.delete]
  test('a task that outlives its time by far', async () => {
    const now = performance.now.bind(performance)
    let later = 0
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + later)
    try {
      let looks = 0
      const server = modern({
        'tasks/get': () => {
          if (++looks === 3) later = 62_500
          return modernTask('working', { ttlMs: 1_000 })
        },
      })
      await using client = await connect(server.open, { tasks: true })
      await expect(client.callTool('job')).rejects.toMatchObject({
        code: 'timeout',
        message: 'The task "t1" did not end within its ttl of 1000 ms',
      })
      expect(looks).toBeGreaterThanOrEqual(3)
      await server.untilMethod('tasks/cancel')
    } finally {
      clock.mockRestore()
    }
  })

  test('the same question for ever', async () => {
    const server = modern({ 'tasks/get': modernTask('input_required', { inputRequests: { a: form('x') } }) })
    await using client = await connect(server.open, { tasks: true, elicit, limits: { maxRounds: 3 } })
    await expect(client.callTool('job')).rejects.toMatchObject({
      code: 'invalid_result',
      message: 'The task asks for "a" again, after 3 looks at it',
    })
    expect(server.all('tasks/update')).toHaveLength(1)
    await server.untilMethod('tasks/cancel')
  })

  test('new questions for ever', async () => {
    let key = 0
    const server = modern({
      'tasks/get': () =>
        modernTask('input_required', { inputRequests: { [`__proto__${key}`]: form('x'), [`k${key++}`]: form('x') } }),
    })
    await using client = await connect(server.open, { tasks: true, elicit, limits: { maxRounds: 3 } })
    await expect(client.callTool('job')).rejects.toMatchObject({
      code: 'invalid_result',
      message: 'The task asked for input more than 3 times',
    })
    expect(server.all('tasks/update').length).toBeLessThanOrEqual(3)
  })

  test('more questions at once than may be in work', async () => {
    const inputRequests = Object.fromEntries(Array.from({ length: 5 }, (_, index) => [`k${index}`, form('x')]))
    const server = modern({ 'tasks/get': modernTask('input_required', { inputRequests }) })
    await using client = await connect(server.open, { tasks: true, elicit, limits: { maxIncoming: 4 } })
    await expect(client.callTool('job')).rejects.toMatchObject({
      code: 'invalid_result',
      message: 'tasks/get asked for 5 inputs at once, the limit is 4',
    })
  })

  test('a result of a task that is none', async () => {
    const server = legacy({ 'tasks/get': legacyTask('completed'), 'tasks/result': { content: 'text' } })
    await using client = await connect(server.open, { tasks: true })
    await expect(client.callTool('job', {}, { task: true })).rejects.toMatchObject({ code: 'invalid_result' })
  })
})
