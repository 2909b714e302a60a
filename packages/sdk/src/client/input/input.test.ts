import { describe, expect, test } from 'vitest'
import { RpcError } from '../../errors.ts'
import type { JsonObject } from '../../jsonrpc/message.ts'
import type { ElicitResult } from '../../model/elicitation.ts'
import type { CreateMessageResult } from '../../model/sampling.ts'
import type { Client } from '../client.ts'
import { connect } from '../connect.ts'
import type { ConnectOptions } from '../options.ts'
import { legacyServer, modernServer, type ScriptedServer } from '../scripted-server.suite.ts'

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

// [roots.capability] [sampling.capability] [sampling.tools.capability] [elicit.capability]
// [elicit.capability-one-mode]
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

// [rpc.codes.method-not-found] [roots.error.unsupported]
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

  test('a revision without elicitation does not know it, unless it was declared in the offer of a newer one', async () => {
    const warnings: string[] = []
    const options: ConnectOptions = {
      elicit: () => ({ action: 'accept', content: { name: 'Ada' } }),
      onWarning: (message) => warnings.push(message),
    }
    await using strict = await session({ ...options, revisions: ['2025-03-26'] }, '2025-03-26')
    expect(declared(strict)).toEqual({})
    expect((await strict.server.ask('elicitation/create', form)).error).toMatchObject({ code: -32601 })
    expect(warnings).toEqual([])
    // The server was told, and then chose a revision without it.
    await using told = await session(options, '2025-03-26')
    expect(declared(told)).toMatchObject({ elicitation: { form: {} } })
    const { result } = await told.server.ask('elicitation/create', form)
    expect(result).toEqual({ action: 'accept', content: { name: 'Ada', age: 30 } })
    expect(warnings).toEqual([expect.stringMatching(/elicitation\/create, which 2025-03-26 does not have.*2025-11-25/)])
    expect((await told.server.ask('elicitation/create', { message: 'Who?' })).error).toMatchObject({ code: -32602 })
    await using without = await session({ sample: () => sampled }, '2025-03-26')
    expect((await without.server.ask('elicitation/create', form)).error).toMatchObject({ code: -32601 })
  })

  // [elicit.error.undeclared-mode]
  test('an elicitation mode with -32602', async () => {
    await using forms = await session({ elicit: { form: () => ({ action: 'cancel' }) } })
    expect((await forms.server.ask('elicitation/create', url)).error).toMatchObject({ code: -32602 })
    await using older = await session({ elicit: () => ({ action: 'cancel' }) }, '2025-06-18')
    expect((await older.server.ask('elicitation/create', url)).error).toMatchObject({ code: -32602 })
  })

  // [sampling.tools.client-error]
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

  // [rpc.codes.invalid-params] [sampling.sec.validate-content]
  test('params that the revision does not allow with -32602', async () => {
    await using it = await session({ sample: () => sampled })
    // [sampling.msg.role-and-content]
    const wrong = [
      { role: 'system', content: sampled.content },
      { role: 'user' },
      { role: 'user', content: { type: 'text' } },
    ]
    const requests = [{ messages: [] }, ...wrong.map((message) => ({ messages: [message], maxTokens: 1 }))]
    for (const request of requests) {
      expect((await it.server.ask('sampling/createMessage', request)).error).toMatchObject({ code: -32602 })
    }
  })

  // [ping.respond]
  test('but ping is answered always', async () => {
    await using it = await session({})
    expect((await it.server.ask('ping')).result).toEqual({})
  })

  // [rpc.direction.client-never-responds] [stdio.stdin.no-responses]
  // [rpc.binding.directions]
  test('whatever asks in 2026-07-28 gets no answer at all and is reported', async () => {
    const errors: Error[] = []
    const server = modernServer()
    await using client = await connect(server.open, { roots: [], onError: (error) => errors.push(error) })
    const deep = JSON.parse('['.repeat(70) + ']'.repeat(70)) as unknown
    for (const method of ['roots/list', 'ping', 7]) server.send({ jsonrpc: '2.0', id: 1, method })
    server.send({ jsonrpc: '2.0', id: 2, method: 'ping', params: { deep } })
    server.send([{ jsonrpc: '2.0', id: 3, method: 'ping' }])
    await client.ping()
    expect(server.received.filter(({ method }) => method === undefined)).toEqual([])
    expect(errors).toHaveLength(5)
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

  // [sampling.result.fields]
  test.each([
    ['no result', undefined],
    ['text without text', { ...sampled, content: { type: 'text' } }],
    ['an image without data', { ...sampled, content: [{ type: 'image', mimeType: 'image/png' }] }],
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
  ])('%s is refused with -32602 [sampling.tools.balance]', async (_, messages) => {
    // [sampling.error.missing-tool-result] [sampling.error.mixed-content] [sampling.tools.results-only-message]
    await using it = await session({ sample: { handler: () => sampled, tools: true } })
    const params = { messages, maxTokens: 1, tools: [] }
    expect((await it.server.ask('sampling/createMessage', params)).error).toMatchObject({ code: -32602 })
    const balanced = { ...params, messages: [use, { role: 'user', content: [answer('u1')] }] }
    expect((await it.server.ask('sampling/createMessage', balanced)).result).toEqual(sampled)
  })
})

// [sampling.tools.choice-none]
test.each<[string, JsonObject, boolean]>([
  ['is not sent where no tools are offered', {}, false],
  [
    'is not sent where the request forbids it',
    { tools: [{ name: 't', inputSchema: {} }], toolChoice: { mode: 'none' } },
    false,
  ],
  ['is sent where tools are offered', { tools: [{ name: 't', inputSchema: {} }] }, true],
])('a tool use %s', async (_, more, isSent) => {
  const result: CreateMessageResult = {
    role: 'assistant',
    model: 'm',
    content: [{ type: 'tool_use', id: 'u1', name: 't', input: {} }],
  }
  await using it = await session({ sample: { handler: () => result, tools: true } })
  const answer = await it.server.ask('sampling/createMessage', { ...sampling, ...more })
  expect(answer.result).toEqual(isSent ? result : undefined)
  expect(it.errors).toHaveLength(isSent ? 0 : 1)
})

describe('failures of callbacks', () => {
  // [sampling.error.rejected]
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

  // [rpc.codes.internal-error]
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

  test.each([
    ['of another server', new RpcError(-32602, 'Unknown tool: secret', undefined, { remote: true })],
    ['of another library', Object.assign(new Error('boom'), { name: 'RpcError', code: 'E_BOOM' })],
  ])('an error %s is masked too', async (_, thrown) => {
    await using it = await session({ sample: () => Promise.reject(thrown) })
    const { error } = await it.server.ask('sampling/createMessage', sampling)
    expect(error).toEqual({ code: -32603, message: 'Internal error' })
    expect(it.errors).toEqual([thrown])
  })

  // [roots.uri.file-scheme] [roots.sec.path-traversal]
  test.each<[string, unknown, RegExp]>([
    ['another scheme', [{ uri: 'https://example.com' }], /expected { uri } with a file:\/\/ URI.*example\.com/],
    ['a path', [{ uri: '/home/ada' }], /pathToFileURL\(path\)\.href, got "\/home\/ada"/],
    ['a string', ['file:///home/ada'], /expected { uri }.*got a string/],
    ['no array', { uri: 'file:///' }, /expected an array of { uri }, got an object/],
    ['a way up', [{ uri: 'file:///home/../etc' }], /without "\.\."/],
    ['a hidden way up', [{ uri: 'file:///home/x%2F%2e%2E' }], /without "\.\."/],
  ])('roots with %s do not leave, and cannot be given', async (_, roots, problem) => {
    await using it = await session({ roots: () => roots as [] })
    expect((await it.server.ask('roots/list')).error).toMatchObject({ code: -32603 })
    expect(it.errors).toMatchObject([{ message: expect.stringMatching(problem) }])
    await expect(session({ roots: roots as [] })).rejects.toMatchObject({ code: 'invalid_argument' })
    await expect(it.client.setRoots(roots as [])).rejects.toThrow(problem)
  })

  test('roots with dots in their names are roots', async () => {
    const roots = [{ uri: 'file:///home/ada/..notes', name: 'x' }, { uri: 'file:///c%3A/%2e/v1..2' }]
    await using it = await session({ roots })
    expect((await it.server.ask('roots/list')).result).toEqual({ roots })
  })
})

// [cancel.receiver-stops] [cancel.races]
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
  // [elicit.form.prefill-defaults] [elicit.request.mode-default]
  test('an accepted form is completed with defaults', async () => {
    await using it = await session({
      elicit: () => ({ action: 'accept', content: { name: 'Ada', age: undefined as never } }),
    })
    const { result } = await it.server.ask('elicitation/create', form)
    expect(result).toEqual({ action: 'accept', content: { name: 'Ada', age: 30 } })
  })

  // [elicit.result.actions] [elicit.result.content] [elicit.result.content-values] [elicit.sec.client-validates]
  test.each([
    ['a missing member', { action: 'accept', content: {} }],
    ['a wrong type', { action: 'accept', content: { name: 5 } }],
    ['a wrong format', { action: 'accept', content: { name: 'Ada', mail: 'nobody' } }],
    ['content that is no object', { action: 'accept', content: 'Ada' }],
    ['an object that nobody asked for', { action: 'accept', content: { name: 'Ada', more: { x: 1 } } }],
    ['a null', { action: 'accept', content: { name: 'Ada', more: null } }],
    ['a number that JSON cannot say', { action: 'accept', content: { name: 'Ada', more: Number.NaN } }],
    ['a list of numbers', { action: 'accept', content: { name: 'Ada', more: [1] } }],
    ['an unknown action', { action: 'ok' }],
    ['nothing', undefined],
  ])('%s from the callback is -32603 to the server and explained here', async (_, result) => {
    await using it = await session({ elicit: () => result as ElicitResult })
    expect((await it.server.ask('elicitation/create', form)).error).toEqual({ code: -32603, message: 'Internal error' })
    expect(it.errors).toMatchObject([{ message: expect.stringMatching(/elicit returned/) }])
  })

  test.each([
    ['a reference to elsewhere', { $ref: 'https://example.com/form' }],
    ['a type that does not exist', { type: 'secret' }],
    ['a pattern that is none', { type: 'string', pattern: '(' }],
  ])('a form with %s is refused before anybody is asked', async (_, field) => {
    let asked = 0
    await using it = await session({
      elicit: () => {
        asked += 1
        return { action: 'cancel' }
      },
    })
    const properties = { field: { type: 'string', ...field } }
    const params = { message: 'Who?', requestedSchema: { type: 'object', properties } }
    const { error } = await it.server.ask('elicitation/create', params)
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining('requestedSchema cannot be used') })
    expect(asked).toBe(0)
  })

  test('a URL that is none is refused before anybody is asked', async () => {
    await using it = await session({ elicit: () => Promise.reject(new Error('was asked')) })
    const { error } = await it.server.ask('elicitation/create', { ...url, url: 'click here' })
    expect(error).toMatchObject({
      code: -32602,
      message: expect.stringContaining('expected an http(s) URL, got "click here"'),
    })
    expect(it.errors).toEqual([])
  })

  // [elicit.result.content-values-2025-06]
  test('an answer in 2025-06-18 has single values only', async () => {
    const content = { name: 'Ada', likes: ['tea', 'maths'] }
    await using it = await session({ elicit: () => ({ action: 'accept', content }) }, '2025-06-18')
    const { result } = await it.server.ask('elicitation/create', form)
    expect(result?.content).toEqual({ name: 'Ada', age: 30, likes: 'tea, maths' })
  })

  test('fields named like members of every object are just fields', async () => {
    const properties = JSON.parse('{"__proto__":{"type":"string","default":"p"},"constructor":{"type":"integer"}}')
    const requestedSchema = { type: 'object', properties, required: ['constructor'] }
    await using it = await session({ elicit: () => ({ action: 'accept', content: { constructor: 1 as never } }) })
    const { result } = await it.server.ask('elicitation/create', { message: 'Who?', requestedSchema })
    expect(JSON.stringify(result)).toBe('{"action":"accept","content":{"constructor":1,"__proto__":"p"}}')
    expect(({} as { polluted?: string }).polluted).toBeUndefined()
  })

  // [elicit.result.content] [elicit.sec.decline-any-time]
  test.each(['decline', 'cancel'] as const)('%s carries no content', async (action) => {
    await using it = await session({ elicit: () => ({ action, content: { name: 'Ada' } }) })
    expect((await it.server.ask('elicitation/create', form)).result).toEqual({ action })
  })

  // [elicit.url.complete-ignore-unknown] [elicit.url.id-opaque] [elicit.result.content]
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

  test('a completion that comes while the user is being asked is told, and one of a refused URL is not', async () => {
    const completed: string[] = []
    const complete = (server: ScriptedServer, elicitationId: string) =>
      server.notify('notifications/elicitation/complete', { elicitationId })
    const it: Session = await session({
      elicit: async ({ message: wish }) => {
        complete(it.server, `early ${wish}`)
        await it.client.ping()
        return { action: wish as 'accept' }
      },
      onElicitationComplete: (id) => completed.push(id),
    })
    await using _ = it
    for (const action of ['accept', 'decline']) {
      await it.server.ask('elicitation/create', { ...url, message: action, elicitationId: `early ${action}` })
      await it.server.ask('elicitation/create', { ...url, message: action, elicitationId: `late ${action}` })
      complete(it.server, `late ${action}`)
    }
    await it.client.ping()
    expect(completed).toEqual(['early accept', 'late accept', 'early decline'])
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
