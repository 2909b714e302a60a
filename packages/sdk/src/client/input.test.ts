import { describe, expect, test } from 'vitest'
import { RpcError } from '../errors.ts'
import type { JsonObject } from '../jsonrpc/message.ts'
import type { ElicitResult } from '../model/elicitation.ts'
import type { CreateMessageResult } from '../model/sampling.ts'
import type { Client } from './client.ts'
import { connect } from './connect.ts'
import type { ConnectOptions } from './options.ts'
import { legacyServer, modernServer, type ScriptedServer } from './scripted-server.suite.ts'

const message = { role: 'user', content: { type: 'text', text: 'hi' } }
const sampling = { messages: [message], maxTokens: 10 }
const sampled: CreateMessageResult = { role: 'assistant', content: { type: 'text', text: 'yes' }, model: 'm' }
const form = {
  message: 'Who?',
  requestedSchema: {
    type: 'object',
    properties: {
      name: { type: 'string' },
      age: { type: 'integer', default: 30 },
      mail: { type: 'string', format: 'email' },
    },
    required: ['name'],
  },
}
const url = { mode: 'url', message: 'Sign in', url: 'https://example.com/', elicitationId: 'e1' }

interface Session extends AsyncDisposable {
  server: ScriptedServer
  client: Client
  errors: Error[]
}

async function session(options: ConnectOptions, revision = '2025-11-25'): Promise<Session> {
  const server = legacyServer({ ping: {} }, revision)
  const errors: Error[] = []
  const client = await connect(server.open, { onError: (error) => errors.push(error), ...options })
  return { server, client, errors, [Symbol.asyncDispose]: () => client.close() }
}

const declared = ({ server }: Session): unknown => server.all('initialize')[0]?.params?.capabilities

describe('capabilities', () => {
  const accept = (): ElicitResult => ({ action: 'decline' })

  test.each<[string, ConnectOptions, string, JsonObject]>([
    ['nothing', {}, '2025-11-25', {}],
    ['roots', { roots: [] }, '2025-11-25', { roots: { listChanged: true } }],
    ['sampling', { sample: () => sampled }, '2025-11-25', { sampling: {} }],
    [
      'sampling with tools',
      { sample: { handler: () => sampled, tools: true } },
      '2025-11-25',
      { sampling: { tools: {} } },
    ],
    ['both modes', { elicit: accept }, '2025-11-25', { elicitation: { form: {}, url: {} } }],
    ['one mode', { elicit: { url: accept } }, '2025-11-25', { elicitation: { url: {} } }],
    ['no mode', { elicit: {} }, '2025-11-25', {}],
    ['forms for an older server', { elicit: accept }, '2025-06-18', { elicitation: {} }],
    ['experiments', { capabilities: { experimental: { x: {} } } }, '2025-11-25', { experimental: { x: {} } }],
  ])('%s', async (_, options, revision, expected) => {
    await using it = await session({ ...options, revisions: [revision as '2025-11-25'] }, revision)
    expect(declared(it)).toEqual(expected)
  })
})

describe('what was not declared is refused', () => {
  test.each([
    ['roots/list', {}],
    ['sampling/createMessage', sampling],
    ['elicitation/create', form],
    ['tools/list', {}],
    ['x/unknown', {}],
  ])('%s with -32601', async (method, params) => {
    await using it = await session({})
    expect((await it.server.ask(method, params)).error).toMatchObject({ code: -32601 })
    expect(it.errors).toEqual([])
  })

  test('a revision without elicitation does not know it', async () => {
    await using it = await session({ elicit: () => ({ action: 'cancel' }) }, '2025-03-26')
    expect((await it.server.ask('elicitation/create', form)).error).toMatchObject({ code: -32601 })
  })

  test('an elicitation mode with -32602', async () => {
    await using forms = await session({ elicit: { form: () => ({ action: 'cancel' }) } })
    expect((await forms.server.ask('elicitation/create', url)).error).toMatchObject({ code: -32602 })
    await using older = await session({ elicit: () => ({ action: 'cancel' }) }, '2025-06-18')
    expect((await older.server.ask('elicitation/create', url)).error).toMatchObject({ code: -32602 })
  })

  test('sampling with tools with -32602', async () => {
    await using it = await session({ sample: () => sampled })
    expect((await it.server.ask('sampling/createMessage', { ...sampling, tools: [] })).error).toMatchObject({
      code: -32602,
    })
    expect((await it.server.ask('sampling/createMessage', { ...sampling, toolChoice: {} })).error).toMatchObject({
      code: -32602,
    })
    expect((await it.server.ask('sampling/createMessage', sampling)).result).toEqual(sampled)
  })

  test('params that the revision does not allow with -32602', async () => {
    await using it = await session({ sample: () => sampled })
    expect((await it.server.ask('sampling/createMessage', { messages: [] })).error).toMatchObject({ code: -32602 })
  })

  test('but ping is answered always', async () => {
    await using it = await session({})
    expect((await it.server.ask('ping')).result).toEqual({})
  })

  test('a request in 2026-07-28 gets no answer at all and is reported', async () => {
    const errors: Error[] = []
    const server = modernServer()
    await using client = await connect(server.open, { roots: [], onError: (error) => errors.push(error) })
    server.send({ jsonrpc: '2.0', id: 1, method: 'roots/list' })
    server.send({ jsonrpc: '2.0', id: 1, method: 'ping' })
    await client.ping()
    expect(server.received.filter(({ method }) => method === undefined)).toEqual([])
    expect(errors).toHaveLength(2)
  })
})

describe('sampling', () => {
  test('runs the callback with the request, its context, and several at once', async () => {
    const release = deferred()
    let running = 0
    await using it = await session({
      sample: async (request, context) => {
        expect(request).toMatchObject(sampling)
        expect(context).toMatchObject({ revision: '2025-11-25', serverInfo: { name: 'scripted' } })
        running += 1
        if (running === 2) release.resolve()
        await release.promise
        return sampled
      },
    })
    const answers = await Promise.all([
      it.server.ask('sampling/createMessage', sampling),
      it.server.ask('sampling/createMessage', sampling),
    ])
    expect(answers.map(({ result }) => result)).toEqual([sampled, sampled])
  })

  test.each([
    ['no result', undefined],
    ['a wrong role', { ...sampled, role: 'system' }],
    ['no model', { role: 'user', content: [] }],
    ['no content', { role: 'user', model: 'm' }],
  ])('%s from the callback is -32603 to the server and explained here', async (_, result) => {
    await using it = await session({ sample: () => result as CreateMessageResult })
    expect((await it.server.ask('sampling/createMessage', sampling)).error).toEqual({
      code: -32603,
      message: 'Internal error',
    })
    expect(it.errors).toMatchObject([{ message: expect.stringMatching(/sample returned/) }])
  })

  const use = { role: 'assistant', content: [{ type: 'tool_use', id: 'u1', name: 't', input: {} }] }
  const answer = (toolUseId: string): JsonObject => ({ type: 'tool_result', toolUseId, content: [] })

  test.each<[string, JsonObject[]]>([
    ['a missing tool result', [use, message]],
    ['an open tool use', [use]],
    ['a result of nothing', [{ role: 'user', content: [answer('u1')] }]],
    ['results mixed with text', [use, { role: 'user', content: [answer('u1'), { type: 'text', text: 'x' }] }]],
  ])('%s is refused with -32602', async (_, messages) => {
    await using it = await session({ sample: { handler: () => sampled, tools: true } })
    const params = { messages, maxTokens: 1, tools: [] }
    expect((await it.server.ask('sampling/createMessage', params)).error).toMatchObject({ code: -32602 })
    const balanced = { ...params, messages: [use, { role: 'user', content: [answer('u1')] }] }
    expect((await it.server.ask('sampling/createMessage', balanced)).result).toEqual(sampled)
  })
})

describe('failures of callbacks', () => {
  test('an RpcError goes out as it is', async () => {
    await using it = await session({
      sample: () => {
        throw new RpcError(-1, 'User rejected sampling request')
      },
    })
    const { error } = await it.server.ask('sampling/createMessage', sampling)
    expect(error).toEqual({ code: -1, message: 'User rejected sampling request' })
    expect(it.errors).toEqual([])
  })

  test('anything else is masked and reported', async () => {
    await using it = await session({
      roots: async () => {
        throw new Error('password is hunter2')
      },
    })
    const { error } = await it.server.ask('roots/list')
    expect(error).toEqual({ code: -32603, message: 'Internal error' })
    expect(it.errors).toMatchObject([{ message: 'password is hunter2' }])
  })

  test('roots that are not file URIs do not leave', async () => {
    await using it = await session({ roots: () => [{ uri: 'https://example.com' }] })
    expect((await it.server.ask('roots/list')).error).toMatchObject({ code: -32603 })
  })
})

test('a request that the server cancels fires the signal and gets no answer', async () => {
  const started = deferred()
  const ended = deferred()
  await using it = await session({
    sample: async (_, { signal }) => {
      started.resolve()
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      ended.resolve()
      throw signal.reason
    },
  })
  it.server.send({ jsonrpc: '2.0', id: 'c', method: 'sampling/createMessage', params: sampling })
  await started.promise
  it.server.notify('notifications/cancelled', { requestId: 'c', reason: 'too late' })
  await ended.promise
  await it.client.ping()
  expect(it.server.received.filter(({ id }) => id === 'c')).toEqual([])
  expect(it.errors).toEqual([])
})

describe('elicitation', () => {
  test('an accepted form is completed with defaults', async () => {
    await using it = await session({
      elicit: () => ({ action: 'accept', content: { name: 'Ada', age: undefined as never } }),
    })
    const { result } = await it.server.ask('elicitation/create', form)
    expect(result).toEqual({ action: 'accept', content: { name: 'Ada', age: 30 } })
  })

  test.each([
    ['a missing member', { action: 'accept', content: {} }],
    ['a wrong type', { action: 'accept', content: { name: 5 } }],
    ['a wrong format', { action: 'accept', content: { name: 'Ada', mail: 'nobody' } }],
    ['content that is no object', { action: 'accept', content: 'Ada' }],
    ['an unknown action', { action: 'ok' }],
    ['nothing', undefined],
  ])('%s from the callback is -32603 to the server and explained here', async (_, result) => {
    await using it = await session({ elicit: () => result as ElicitResult })
    expect((await it.server.ask('elicitation/create', form)).error).toEqual({ code: -32603, message: 'Internal error' })
    expect(it.errors).toMatchObject([{ message: expect.stringMatching(/elicit returned/) }])
  })

  test.each(['decline', 'cancel'] as const)('%s carries no content', async (action) => {
    await using it = await session({ elicit: () => ({ action, content: { name: 'Ada' } }) })
    expect((await it.server.ask('elicitation/create', form)).result).toEqual({ action })
  })

  test('a URL is accepted without content, and its completion is told once', async () => {
    const completed: string[] = []
    await using it = await session({
      elicit: {
        url: (request) => (request.url === url.url ? { action: 'accept', content: {} } : { action: 'cancel' }),
      },
      onElicitationComplete: (id) => completed.push(id),
    })
    expect((await it.server.ask('elicitation/create', url)).result).toEqual({ action: 'accept' })
    for (const elicitationId of ['unknown', 'e1', 'e1'])
      it.server.notify('notifications/elicitation/complete', { elicitationId })
    await it.client.ping()
    expect(completed).toEqual(['e1'])
  })

  test('completions of elicitations that an error asked for are told too', async () => {
    const completed: string[] = []
    const required = new RpcError(-32042, 'Sign in first', { elicitations: [{ ...url, elicitationId: 'e7' }] })
    const server = legacyServer({ 'tools/call': required, ping: {} })
    await using client = await connect(server.open, { onElicitationComplete: (id) => completed.push(id) })
    await expect(client.callTool('x')).rejects.toMatchObject({ code: -32042 })
    server.notify('notifications/elicitation/complete', { elicitationId: 'e7' })
    await client.ping()
    expect(completed).toEqual(['e7'])
  })
})

function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve: () => void = () => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}
