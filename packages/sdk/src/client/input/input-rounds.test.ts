import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { RpcError } from '../../errors.ts'
import type { JsonObject } from '../../jsonrpc/message.ts'
import type { ElicitResult } from '../../model/elicitation.ts'
import type { CreateMessageResult } from '../../model/sampling.ts'
import { connect } from '../connect.ts'
import type { ConnectOptions } from '../options.ts'
import {
  legacyServer,
  modernServer,
  type ScriptedServer,
  type ServerScript,
  silence,
} from '../scripted-server.suite.ts'

const form = {
  method: 'elicitation/create',
  params: {
    message: 'Who?',
    requestedSchema: {
      type: 'object',
      properties: { name: { type: 'string' }, age: { type: 'integer', default: 30 } },
      required: ['name'],
    },
  },
}
const sampling = {
  method: 'sampling/createMessage',
  params: { messages: [{ role: 'user', content: { type: 'text', text: 'hi' } }], maxTokens: 5 },
}
const roots = { method: 'roots/list' }
const sampled: CreateMessageResult = { role: 'assistant', content: { type: 'text', text: 'yes' }, model: 'm' }
const accepted = (): ElicitResult => ({ action: 'accept', content: { name: 'Ada' } })
const done = { content: [{ type: 'text', text: 'done' }] }

const asks = (inputRequests?: JsonObject, requestState?: string): JsonObject => ({
  resultType: 'input_required',
  ...(inputRequests && { inputRequests }),
  ...(requestState !== undefined && { requestState }),
})

/** Answers the calls of one method in turn, and the last way for ever. */
const inTurn = (...answers: ServerScript[string][]): ServerScript[string] => {
  let next = 0
  return async (params, message) => {
    const answer = answers[Math.min(next++, answers.length - 1)]!
    return typeof answer === 'function' ? answer(params, message) : answer
  }
}

const withoutMeta = ({ params }: { params?: JsonObject }): JsonObject => {
  const { _meta, ...rest } = params ?? {}
  return rest
}
const calls = (server: ScriptedServer, method = 'tools/call'): JsonObject[] => server.all(method).map(withoutMeta)
const never = (): Promise<never> => new Promise(() => {})

describe('a call that is answered with questions', () => {
  // [mrtr.client.fulfil-first] [mrtr.client.all-keys] [mrtr.client.bare-results] [mrtr.client.echo-state]
  // [mrtr.client.new-id] [mrtr.client.repeat-original-params]
  // [mrtr.client.state-opaque] [tools.call.retry-new-id] [tools.call.retry-params]
  test('is sent again with all answers, the state and a new id', async () => {
    const state = ' {"not":"for us"}\u0000é '
    const server = modernServer({ 'tools/call': inTurn(asks({ form, sampling, roots }, state), done) })
    await using client = await connect(server.open, {
      elicit: accepted,
      sample: () => sampled,
      roots: [{ uri: 'file:///a' }],
    })
    expect((await client.callTool('x', { a: 1 })).text).toBe('done')
    expect(calls(server)).toEqual([
      { name: 'x', arguments: { a: 1 } },
      {
        name: 'x',
        arguments: { a: 1 },
        inputResponses: {
          form: { action: 'accept', content: { name: 'Ada', age: 30 } },
          sampling: sampled,
          roots: { roots: [{ uri: 'file:///a' }] },
        },
        requestState: state,
      },
    ])
    const [first, second] = server.all('tools/call')
    expect(second!.id).not.toBe(first!.id)
    expect(second!.params?._meta).toEqual(first!.params?._meta)
    expect(server.received.filter(({ method }) => method === undefined)).toEqual([])
  })

  test.each([
    ['prompts/get', { messages: [] }, { name: 'p' }],
    ['resources/read', { contents: [] }, { uri: 'a:b' }],
  ])('may be %s, or come from request', async (method, result, params) => {
    const server = modernServer({ [method]: inTurn(asks({ roots }), result, asks({ roots }), result) })
    await using client = await connect(server.open, { roots: [] })
    if (method === 'prompts/get') expect(await client.getPrompt('p')).toMatchObject(result)
    else expect(await client.readResource('a:b')).toMatchObject(result)
    expect(await client.request(method, params)).toMatchObject(result)
    const again = { ...params, inputResponses: { roots: { roots: [] } } }
    expect(calls(server, method)).toEqual([params, again, params, again])
  })

  // [mrtr.client.no-invented-state]
  test('has the state of the last answer only, and none if that had none', async () => {
    const server = modernServer({
      'tools/call': inTurn(asks({ roots }, 'one'), asks({ roots }, ''), asks({ roots }), done),
    })
    await using client = await connect(server.open, { roots: [] })
    await client.callTool('x')
    expect(calls(server).map(({ requestState }) => requestState)).toEqual([undefined, 'one', '', undefined])
    expect(Object.hasOwn(calls(server)[3]!, 'requestState')).toBe(false)
  })

  test('forgets the answers of the round before', async () => {
    const server = modernServer({
      'tools/call': inTurn(asks({ one: roots }), asks({ two: roots }), asks({}, 's'), done),
    })
    await using client = await connect(server.open, { roots: [] })
    await client.request('tools/call', { name: 'x', inputResponses: { zero: {} }, requestState: 'mine' })
    expect(calls(server)).toEqual([
      { name: 'x', inputResponses: { zero: {} }, requestState: 'mine' },
      { name: 'x', inputResponses: { one: { roots: [] } } },
      { name: 'x', inputResponses: { two: { roots: [] } } },
      { name: 'x', inputResponses: {}, requestState: 's' },
    ])
  })

  // [mrtr.client.isolation]
  test('leaks nothing into calls at the same time', async () => {
    const server = modernServer({
      'tools/call': ({ name, inputResponses, requestState }) =>
        name === 'plain' || inputResponses
          ? { content: [{ type: 'text', text: String(requestState) }] }
          : asks({ roots }, `for ${name}`),
    })
    await using client = await connect(server.open, { roots: [] })
    const names = ['a', 'plain', 'b', 'plain', 'c']
    const results = await Promise.all(names.map((name) => client.callTool(name)))
    expect(results.map(({ text }) => text)).toEqual(['for a', 'undefined', 'for b', 'undefined', 'for c'])
  })

  test('runs all callbacks at once, with what they need to know', async () => {
    const server = modernServer({ 'tools/call': inTurn(asks({ a: form, b: form, c: sampling }), done) })
    let running = 0
    let release = (): void => {}
    const together = new Promise<void>((resolve) => {
      release = resolve
    })
    const wait = async <T>(answer: T): Promise<T> => {
      if (++running === 3) release()
      await together
      return answer
    }
    await using client = await connect(server.open, {
      elicit: (request, context) => {
        expect(request).toMatchObject({ message: 'Who?' })
        expect(context).toMatchObject({ revision: '2026-07-28', serverInfo: { name: 'scripted' } })
        expect(context.signal.aborted).toBe(false)
        return wait(accepted())
      },
      sample: () => wait(sampled),
    })
    expect((await client.callTool('x')).text).toBe('done')
  })

  test('may have keys that are named like members of every object', async () => {
    const inputRequests = JSON.parse('{"__proto__": {"method": "roots/list"}, "constructor": {"method": "roots/list"}}')
    const server = modernServer({ 'tools/call': inTurn(asks(inputRequests), done) })
    await using client = await connect(server.open, { roots: [] })
    await client.callTool('x')
    const { inputResponses } = calls(server)[1] as { inputResponses: JsonObject }
    expect(Object.keys(inputResponses)).toEqual(['__proto__', 'constructor'])
  })

  test('reports progress in every round', async () => {
    const server: ScriptedServer = modernServer({
      'tools/call': ({ _meta, inputResponses }) => {
        const { progressToken } = _meta as JsonObject
        server.notify('notifications/progress', { progressToken, progress: inputResponses ? 2 : 1 })
        return inputResponses ? done : asks({ roots })
      },
    })
    await using client = await connect(server.open, { roots: [] })
    const seen: number[] = []
    await client.callTool('x', {}, { onProgress: ({ progress }) => seen.push(progress) })
    expect(seen).toEqual([1, 2])
  })
})

describe('a server that asks nothing', () => {
  // [mrtr.client.immediate-retry]
  test('gets its state back at once, then after pauses', async () => {
    const server = modernServer({ 'tools/call': inTurn(asks(undefined, 'a'), asks(undefined, 'b'), done) })
    await using client = await connect(server.open)
    const began = performance.now()
    expect((await client.callTool('x')).text).toBe('done')
    expect(calls(server)).toEqual([{ name: 'x' }, { name: 'x', requestState: 'a' }, { name: 'x', requestState: 'b' }])
    expect(performance.now() - began).toBeGreaterThan(95)
  })

  test('and has no state has no reason', async () => {
    const server = modernServer({ 'tools/call': asks() })
    await using client = await connect(server.open)
    await expect(client.callTool('x')).rejects.toMatchObject({
      code: 'invalid_result',
      message: expect.stringMatching(/expected inputRequests or requestState/),
    })
    expect(calls(server)).toHaveLength(1)
  })
})

describe('bounds', () => {
  test.each([
    [{}, 100],
    [{ limits: { maxRounds: 2 } }, 2],
  ])('rounds: %j', async (options, rounds) => {
    let asked = 0
    const server = modernServer({ 'tools/call': asks({ roots }) })
    const counted = (): [] => {
      asked += 1
      return []
    }
    await using client = await connect(server.open, { ...options, roots: counted })
    await expect(client.callTool('x')).rejects.toMatchObject({
      code: 'invalid_result',
      message: `tools/call asked for input more than ${rounds} times`,
    })
    expect(asked).toBe(rounds)
    expect(calls(server)).toHaveLength(rounds + 1)
  })

  test('questions at once', async () => {
    const server = modernServer({ 'tools/call': asks({ a: roots, b: roots, c: roots }) })
    const unasked = (): never => {
      throw new Error('asked')
    }
    await using client = await connect(server.open, { limits: { maxIncoming: 2 }, roots: unasked })
    await expect(client.callTool('x')).rejects.toMatchObject({
      code: 'invalid_result',
      message: 'tools/call asked for 3 inputs at once, the limit is 2',
    })
  })

  test('the time of all rounds together, while a callback takes its time', async () => {
    // The clock stands still, so that no load uses up the time before the callback is called.
    vi.useFakeTimers({ toFake: ['performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const server = modernServer({ 'tools/call': asks({ form }) })
    let aborted: unknown
    await using client = await connect(server.open, {
      elicit: (_, { signal }) => {
        signal.addEventListener('abort', () => {
          aborted = signal.reason
        })
        return never()
      },
    })
    const call = client.callTool('x', {}, { maxTotalMs: 60 })
    await expect(call).rejects.toMatchObject({ code: 'timeout', message: expect.stringMatching(/maximum total time/) })
    expect(aborted).toMatchObject({ code: 'timeout' })
    expect(calls(server)).toHaveLength(1)
  })

  test('the time of all rounds together, while the server takes its time', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const server = modernServer({ 'tools/call': inTurn(asks({ form }), silence) })
    let passing: NodeJS.Timeout | undefined
    onTestFinished(() => clearInterval(passing))
    await using client = await connect(server.open, {
      elicit: () => {
        vi.advanceTimersByTime(800)
        passing = setInterval(() => vi.advanceTimersByTime(20), 5)
        return accepted()
      },
    })
    const began = performance.now()
    await expect(client.callTool('x', {}, { maxTotalMs: 1_000 })).rejects.toMatchObject({ code: 'timeout' })
    // The second round got the rest of the first, not a second of its own.
    expect(performance.now() - began).toBeLessThan(1_600)
    const { id } = server.all('tools/call')[1]!
    expect((await server.untilMethod('notifications/cancelled')).params).toMatchObject({ requestId: id })
  })

  test('the silence is one of each round, and no time of the user', async () => {
    const server = modernServer({ 'tools/call': inTurn(asks({ form }), done) })
    await using client = await connect(server.open, {
      elicit: () => new Promise((resolve) => setTimeout(resolve, 1_500, accepted())),
    })
    expect((await client.callTool('x', {}, { timeoutMs: 500 })).text).toBe('done')
  })
})

describe('giving up', () => {
  test('aborts the callbacks and sends nothing more', async () => {
    const server = modernServer({ 'tools/call': asks({ form }) })
    const stop = new AbortController()
    let reason: unknown
    await using client = await connect(server.open, {
      elicit: (_, { signal }) => {
        signal.addEventListener('abort', () => {
          reason = signal.reason
        })
        stop.abort('enough')
        return never()
      },
    })
    const call = client.callTool('x', {}, { signal: stop.signal })
    await expect(call).rejects.toMatchObject({ code: 'cancelled', cause: 'enough' })
    expect(reason).toMatchObject({ code: 'cancelled' })
    await client.ping()
    expect(server.methods.slice(1)).toEqual(['tools/call', 'server/discover'])
  })

  test('also during a pause', async () => {
    const server = modernServer({ 'tools/call': asks(undefined, 's') })
    await using client = await connect(server.open)
    const stop = new AbortController()
    const call = client.callTool('x', {}, { signal: stop.signal })
    await server.until(() => server.all('tools/call').length === 2)
    stop.abort()
    await expect(call).rejects.toMatchObject({ code: 'cancelled' })
  })

  test('is what the end of the connection means', async () => {
    const server: ScriptedServer = modernServer({ 'tools/call': asks({ form }) })
    let reason: unknown
    await using client = await connect(server.open, {
      elicit: (_, { signal }) => {
        signal.addEventListener('abort', () => {
          reason = signal.reason
        })
        server.end()
        return never()
      },
    })
    await expect(client.callTool('x')).rejects.toMatchObject({ code: 'closed' })
    expect(reason).toMatchObject({ code: 'closed' })
  })
})

describe('questions that cannot be answered', () => {
  const wrongForm = { ...form, params: { message: 'Who?', requestedSchema: { type: 'object', properties: 7 } } }
  const url = { method: 'elicitation/create', params: { mode: 'url', message: 'Go', url: 'https://example.com/' } }
  const badUrl = { method: 'elicitation/create', params: { mode: 'url', message: 'Go', url: 'javascript:alert(1)' } }

  // The server broke [mrtr.server.respect-capabilities] or [mrtr.server.allowed-methods].
  test.each<[string, JsonObject, ConnectOptions, RegExp]>([
    ['undeclared roots', roots, {}, /inputRequests\["bad"\] asks for "roots\/list", which this client did not declare/],
    ['undeclared sampling', sampling, {}, /asks for "sampling\/createMessage", which/],
    ['undeclared elicitation', form, { elicit: {} }, /asks for "elicitation\/create", which/],
    ['an undeclared mode', url, { elicit: { form: accepted } }, /mode url was not declared/],
    ['a method that is no question', { method: 'ping' }, {}, /asks for "ping", which/],
    ['a method of every object', { method: 'constructor' }, {}, /asks for "constructor", which/],
    [
      'undeclared tools',
      { ...sampling, params: { ...sampling.params, tools: [] } },
      { sample: () => sampled },
      /sampling.tools/,
    ],
    ['wrong params', wrongForm, { elicit: accepted }, /requestedSchema/],
    ['no params', { method: 'elicitation/create' }, { elicit: accepted }, /elicitation\/create/],
    ['a URL that is none', badUrl, { elicit: accepted }, /http\(s\) URL/],
  ])('%s: nobody is asked anything', async (_, bad, options, message) => {
    let asked = 0
    const ask = <T>(answer: T): T => {
      asked += 1
      return answer
    }
    // A good question beside the bad one, of a kind that the case is not about.
    const good = bad.method === 'roots/list' ? form : roots
    const sources = good === form ? { elicit: () => ask(accepted()) } : { roots: () => ask([]) }
    const server = modernServer({ 'tools/call': asks({ good, bad }) })
    await using client = await connect(server.open, { ...sources, ...options })
    await expect(client.callTool('x')).rejects.toMatchObject({
      code: 'invalid_result',
      message: expect.stringMatching(message),
    })
    expect(asked).toBe(0)
  })

  test('input_required that is malformed names the member', async () => {
    const server = modernServer({ 'tools/call': asks({ a: 7 }) })
    await using client = await connect(server.open, { roots: [] })
    await expect(client.callTool('x')).rejects.toMatchObject({
      code: 'invalid_result',
      message: expect.stringMatching(/inputRequests/),
    })
  })

  // [mrtr.server.not-elsewhere]
  test('on other methods and in other revisions there are none', async () => {
    const server = modernServer({ 'tools/list': asks({ roots }), 'x/y': asks({ roots }) })
    await using client = await connect(server.open, { roots: [] })
    await expect(client.listTools()).rejects.toMatchObject({ code: 'invalid_result' })
    expect(await client.request('x/y')).toMatchObject({ resultType: 'input_required' })
    const older = legacyServer({ 'tools/call': { ...asks({ roots }), ...done } })
    await using old = await connect(older.open, { roots: [] })
    expect((await old.callTool('x')).text).toBe('done')
    expect(older.all('tools/call')).toHaveLength(1)
  })
})

describe('a callback that fails ends the call', () => {
  const failing = async (thrown: unknown, more: ConnectOptions = {}): Promise<unknown> => {
    const server = modernServer({ 'tools/call': asks({ form, sampling }) })
    await using client = await connect(server.open, {
      elicit: () => Promise.reject(thrown),
      sample: () => sampled,
      ...more,
    })
    const error = await client.callTool('x').catch((error: unknown) => error)
    expect(calls(server)).toHaveLength(1)
    return error
  }

  test('with an RpcError as it is', async () => {
    const refused = new RpcError(-1, 'User rejected')
    expect(await failing(refused)).toBe(refused)
  })

  test('with everything else as the cause, so that it is not taken for an answer of this server', async () => {
    const foreign = new RpcError(-32020, 'Header mismatch', undefined, { remote: true })
    for (const thrown of [new Error('boom'), foreign, 'text']) {
      expect(await failing(thrown)).toMatchObject({
        name: 'McpError',
        code: 'invalid_argument',
        cause: thrown,
        message: expect.stringMatching(/^tools\/call cannot go on, because the answer to elicitation\/create failed: /),
      })
    }
  })

  test('with what is wrong in its result', async () => {
    const wrong = { elicit: () => ({ action: 'accept' as const, content: { age: 1 } }) }
    expect(await failing(undefined, wrong)).toMatchObject({
      code: 'invalid_argument',
      message: expect.stringMatching(/does not fit the requested schema/),
    })
  })

  test('and the other callbacks are told', async () => {
    let told: unknown
    const sample = (_: unknown, { signal }: { signal: AbortSignal }): Promise<never> => {
      signal.addEventListener('abort', () => {
        told = signal.reason
      })
      return never()
    }
    const error = await failing(new Error('boom'), { sample })
    expect(told).toBe(error)
  })
})
