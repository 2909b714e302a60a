/** One handler, run live on 2025-11-25 and by replay on 2026-07-28: there is no visible difference. */
import fc from 'fast-check'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import type { JsonObject } from '../src/jsonrpc/message.ts'
import type { ClientCapabilities } from '../src/model/capabilities.ts'
import { metaKeys } from '../src/model/meta.ts'
import {
  type AnyServer,
  createServer,
  type InputRequest,
  inputRequired,
  prompt,
  resource,
  type ServerOptions,
  type ServerTool,
  tool,
} from '../src/server.ts'
import { memoryPair, openWire, testClient } from '../src/testing.ts'
import '../src/testing/vitest.ts'
import { type Answer, accept, cases, obliging, text, told } from './replay-handlers.ts'
import { validateMessage } from './wire-schema.ts'

interface Said {
  result?: JsonObject & { inputRequests?: { [key: string]: { method: string; params: JsonObject } } }
  error?: { code: number; message: string; data?: unknown }
}

const stateKeys = ['k'.repeat(32)]
const everything: ClientCapabilities = { elicitation: { form: {}, url: {} }, sampling: { tools: {} }, roots: {} }

const serverOf = (tools: ServerTool[], more: Partial<ServerOptions> = {}) =>
  createServer({ name: 'test', version: '1', tools, stateKeys, ...more })

/** One bare request, on a connection of its own: no state is kept between two of them. */
async function send(
  server: AnyServer,
  method: string,
  params: JsonObject,
  { capabilities = everything, principal }: { capabilities?: ClientCapabilities; principal?: string } = {},
): Promise<Said> {
  const [near, far] = memoryPair()
  server.connect(far, { transport: 'memory', ...(principal !== undefined && { auth: { principal } }) })
  await using wire = openWire(near)
  const _meta = { [metaKeys.protocolVersion]: '2026-07-28', [metaKeys.clientCapabilities]: capabilities }
  wire.send({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } })
  const said = (await wire.next()) as Said
  expect(wire.waiting).toEqual([])
  expect(validateMessage('2026-07-28', 'server', said as never, { methodOf: () => method })).toEqual([])
  return said
}

const call = (server: AnyServer, name: string, more: JsonObject = {}) =>
  send(server, 'tools/call', { name, arguments: {}, ...more })

/** The client's next request after input requests. */
const retryOf = ({ result }: Said, answer: Answer): JsonObject => ({
  inputResponses: Object.fromEntries(
    Object.entries(result?.inputRequests ?? {}).map(([key, request]) => [key, answer(request)]),
  ),
  ...(result?.requestState !== undefined && { requestState: result.requestState }),
})

/** Continues until there is an answer; each round goes to the next of the servers. */
async function replay(servers: AnyServer[], method: string, params: JsonObject, answer: Answer) {
  const asked: string[][] = []
  let said = await send(servers[0]!, method, params)
  while (said.result?.resultType === 'input_required' && asked.length < 40) {
    asked.push(Object.values(said.result.inputRequests ?? {}).map((request) => request.method))
    said = await send(servers[asked.length % servers.length]!, method, { ...params, ...retryOf(said, answer) })
  }
  return { ...said, asked }
}

const live = (server: AnyServer, answer: Answer) =>
  testClient(server as never, {
    revision: '2025-11-25',
    elicit: (params) => answer({ method: 'elicitation/create', params: params as never }) as never,
    sample: {
      handler: (params) => answer({ method: 'sampling/createMessage', params: params as never }) as never,
      tools: true,
    },
    roots: () => answer({ method: 'roots/list', params: {} }).roots as never,
  })

const toolOf = (name: string) => cases.find((one) => one.tool.name === name)!.tool

const outcome = ({ content, isError = false, structuredContent, structured = structuredContent }: JsonObject) => ({
  content,
  isError,
  structured,
})

describe('every handler gives the same result live and by replay', () => {
  const tools = cases.map((one) => one.tool)
  const errors: unknown[] = []
  const make = () => serverOf(tools, { onError: (error) => errors.push(error) })

  // [mrtr.server.self-contained-retry] [mrtr.server.result-type] [rpc.stateless.no-connection-affinity]
  test.each(cases.map((one) => [one.tool.name, one] as const))('%s', async (name, { rounds, says }) => {
    await using client = await live(make(), obliging)
    const expected = await client.callTool(name)
    expect(expected).toHaveText(says)
    // Two servers that share nothing but their keys take turns.
    const { asked, result, error } = await replay([make(), make()], 'tools/call', { name, arguments: {} }, obliging)
    expect(error).toBeUndefined()
    expect(result?.resultType).toBe('complete')
    expect(outcome(result!)).toEqual(outcome(expected as never))
    expect(asked.map((round) => round.length)).toEqual(rounds)
    expect(errors).toEqual([])
  })
})

type Program = { ask: string } | { step: string } | { pause: true } | { inTurn: Program[] } | { together: Program[] }

/** Follows its script: requests input, remembers and waits, in turn and together. */
const interpreter = tool({
  name: 'interpret',
  input: z.object({ program: z.any() }),
  async run({ program }, ctx) {
    let steps = 0
    const run = async (part: Program): Promise<string> => {
      if ('ask' in part) return told(await ctx.elicit(`say ${part.ask}`, text))
      if ('step' in part) return ctx.once(`${part.step}${steps++}`, () => `[${part.step}]`)
      if ('together' in part) return `{${(await Promise.all(part.together.map(run))).join('|')}}`
      if ('inTurn' in part) {
        let done = ''
        for (const one of part.inTurn) done += await run(one)
        return done
      }
      await new Promise((resolve) => setTimeout(resolve, 0))
      return '.'
    }
    return run(program as Program)
  },
})

const programs = fc.letrec<{ program: Program }>((tie) => ({
  program: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom<Program[]>({ ask: 'a' }, { ask: 'b' }, { ask: 'c' }, { step: 's' }, { pause: true }),
    fc.record({ inTurn: fc.array(tie('program'), { maxLength: 3 }) }),
    fc.record({ together: fc.array(tie('program'), { maxLength: 3 }) }),
  ),
})).program

test('whatever a handler asks, in turn and together, comes out as it does live', async () => {
  await using client = await live(serverOf([interpreter]), obliging)
  await fc.assert(
    fc.asyncProperty(programs, async (program) => {
      const params = { name: 'interpret', arguments: { program } }
      const { result } = await replay(
        [serverOf([interpreter]), serverOf([interpreter])],
        'tools/call',
        params,
        obliging,
      )
      expect(outcome(result!)).toEqual(outcome((await client.callTool('interpret', { program })) as never))
    }),
    { numRuns: 60 },
  )
}, 120_000)

describe('runs', () => {
  test('finally blocks run, and what a handler does after its question is not reported', async () => {
    const log: string[] = []
    const errors: unknown[] = []
    const asking = tool({
      name: 'x',
      async run(_, ctx) {
        try {
          return told(await ctx.elicit('say x', text))
        } catch {
          throw new Error('from catch')
        } finally {
          log.push('finally')
          await new Promise((resolve) => setTimeout(resolve, 5))
          log.push('cleaned up')
        }
      },
    })
    const server = serverOf([asking], { onError: (error) => errors.push(error) })
    expect((await call(server, 'x')).result?.resultType).toBe('input_required')
    expect(log).toEqual(['finally', 'cleaned up'])
    expect(errors).toEqual([])
  })

  test('a step runs once, even if a question is asked while it runs', async () => {
    let ran = 0
    const slow = tool({
      name: 'x',
      async run(_, ctx) {
        const step = ctx.once('slow', async () => {
          await new Promise((resolve) => setTimeout(resolve, 10))
          return ++ran
        })
        const [answer, value] = await Promise.all([ctx.elicit('say x', text), step])
        await ctx.elicit('say y', text)
        return `${told(answer)} ${value}`
      },
    })
    const { result } = await replay([serverOf([slow])], 'tools/call', { name: 'x' }, obliging)
    expect(result?.content).toEqual([{ type: 'text', text: 'x 1' }])
    expect(ran).toBe(1)
  })

  test('no step begins after the questions went out', async () => {
    let ran = 0
    const late = tool({
      name: 'x',
      async run(_, ctx) {
        await ctx.elicit('say x', text).catch(() => ctx.once('late', () => ++ran))
        return 'done'
      },
    })
    expect((await call(serverOf([late]), 'x')).result?.resultType).toBe('input_required')
    expect(ran).toBe(0)
  })

  test('what a step gave cannot be changed by what is done with it', async () => {
    const changing = tool({
      name: 'x',
      async run(_, ctx) {
        const list = await ctx.once('list', () => [1])
        list.push(list.length + 1)
        await ctx.elicit('say a', text)
        await ctx.elicit('say b', text)
        return JSON.stringify(list)
      },
    })
    const { result } = await replay([serverOf([changing])], 'tools/call', { name: 'x' }, obliging)
    expect(result?.content).toEqual([{ type: 'text', text: '[1,2]' }])
  })

  // [mrtr.server.may-ask]
  test('prompts and resources ask too', async () => {
    const server = createServer({
      name: 'test',
      version: '1',
      stateKeys,
      prompts: [prompt({ name: 'p', run: async (_, ctx) => told(await ctx.elicit('say p', text)) })],
      resources: [
        resource({ uri: 'note:///r', name: 'r', read: async (_, ctx) => told(await ctx.elicit('say r', text)) }),
      ],
    })
    await using client = await live(server, obliging)
    const asPrompt = await replay([server], 'prompts/get', { name: 'p' }, obliging)
    expect(asPrompt.asked).toEqual([['elicitation/create']])
    expect(asPrompt.result?.messages).toEqual((await client.getPrompt('p')).messages)
    const asResource = await replay([server], 'resources/read', { uri: 'note:///r' }, obliging)
    expect(asResource.asked).toEqual([['elicitation/create']])
    expect(asResource.result?.contents).toEqual([{ uri: 'note:///r', text: 'r' }])
  })

  // [mrtr.server.not-elsewhere]
  test('nothing else asks', async () => {
    const server = createServer({
      name: 'test',
      version: '1',
      onError: () => {},
      prompts: [
        prompt({
          name: 'p',
          arguments: z.object({ a: z.string() }),
          complete: { a: async (_value, ctx) => [told(await (ctx as never as Ctx).elicit('say p', text))] },
          run: () => '',
        }),
      ],
    })
    const params = { ref: { type: 'ref/prompt', name: 'p' }, argument: { name: 'a', value: '' } }
    expect((await send(server, 'completion/complete', params)).result?.resultType).not.toBe('input_required')
  })

  test('middleware sees the result that asks, and may ask itself', async () => {
    const seen: unknown[] = []
    const server = serverOf([tool({ name: 'x', run: async (_, ctx) => told(await ctx.elicit('say x', text)) })], {
      middleware: [
        {
          'tools/call': async ({ ctx }, next) => {
            await ctx.elicit('say allowed', text, { key: 'gate' })
            const result = await next()
            seen.push((result as unknown as JsonObject).resultType ?? 'complete')
            return result
          },
        },
      ],
    })
    const { result, asked } = await replay([server], 'tools/call', { name: 'x' }, obliging)
    expect(asked).toEqual([['elicitation/create'], ['elicitation/create']])
    expect(seen).toEqual(['input_required', 'complete'])
    expect(result?.content).toEqual([{ type: 'text', text: 'x' }])
  })

  test('a mounted server asks with the keys of the outer one', async () => {
    const inner = serverOf([toolOf('two')], { name: 'inner' })
    const outer = () => {
      const server = serverOf([], { name: 'outer' })
      server.mount(inner, { prefix: 'in.' })
      return server
    }
    const { result } = await replay([outer(), outer()], 'tools/call', { name: 'in.two' }, obliging)
    expect(result?.content).toEqual([{ type: 'text', text: 'aab' }])
  })
})

type Ctx = Parameters<ServerTool['run']>[1]

describe('what the client sends back', () => {
  const together = toolOf('together')
  const one = toolOf('one')

  // [mrtr.error.ask-again]
  test('what is missing is asked again, under its key, and only that', async () => {
    const server = serverOf([together])
    const first = await call(server, 'together')
    const { inputResponses, requestState } = retryOf(first, obliging)
    const { '2': left, ...given } = inputResponses as { [key: string]: JsonObject }
    const second = await call(server, 'together', { inputResponses: given, requestState })
    expect(Object.keys(second.result!.inputRequests!)).toEqual(['2'])
    const state = second.result!.requestState
    const third = await call(server, 'together', { inputResponses: { '2': left! }, requestState: state })
    expect(third.result?.content).toEqual([{ type: 'text', text: 'a,model: b,file:///a' }])
  })

  // [mrtr.error.ignore-extra]
  test('what was not asked is ignored, and an answer cannot be changed later', async () => {
    const server = serverOf([toolOf('two')])
    const first = await call(server, 'two')
    const retry = retryOf(first, obliging)
    const second = await call(server, 'two', {
      ...retry,
      inputResponses: { ...(retry.inputResponses as object), other: accept('z'), '2': accept('early') },
    })
    expect(second.result?.resultType).toBe('input_required')
    const last = await call(server, 'two', {
      requestState: second.result!.requestState,
      inputResponses: { '1': accept('changed'), '2': accept('b') },
    })
    expect(last.result?.content).toEqual([{ type: 'text', text: 'ab' }])
  })

  test('answers without state belong to the questions with their keys', async () => {
    const said = await call(serverOf([one]), 'one', { inputResponses: { '1': accept('hi') } })
    expect(said.result?.content).toEqual([{ type: 'text', text: 'hi' }])
    const wrong = await call(serverOf([one]), 'one', { inputResponses: { wrong: accept('hi') } })
    expect(Object.keys(wrong.result!.inputRequests!)).toEqual(['1'])
  })

  // [mrtr.error.validate-responses] [mrtr.error.protocol-errors]
  test.each([
    ['a number', { '1': 12345 }],
    ['another result', { '1': { roots: [] } }],
    ['an unknown action', { '1': { action: 'maybe' } }],
    ['a form filled in wrongly', { '1': { action: 'accept', content: { value: 7 } } }],
  ])('%s in place of an answer is an error', async (_what, inputResponses) => {
    const server = serverOf([one, toolOf('catches-everything')])
    for (const name of ['one', 'catches-everything']) {
      const { requestState } = (await call(server, name)).result!
      expect((await call(server, name, { inputResponses, requestState })).error).toMatchObject({
        code: -32602,
        message: expect.stringContaining('inputResponses'),
      })
    }
  })

  // [mrtr.server.respect-capabilities]
  test('nothing is asked of a client that did not declare it', async () => {
    const server = serverOf([together])
    for (const capabilities of [{}, { elicitation: {} }, { elicitation: {}, sampling: {} }]) {
      const said = await send(server, 'tools/call', { name: 'together' }, { capabilities })
      expect(said.error).toMatchObject({ code: -32021, data: { requiredCapabilities: expect.any(Object) } })
    }
  })
})

// [mrtr.server.state-integrity] [mrtr.server.state-reject-tampered]
describe('state', () => {
  afterEach(() => vi.useRealTimers())
  const echo = tool({
    name: 'echo',
    input: z.object({ word: z.string().default('x') }),
    run: async ({ word }, ctx) => told(await ctx.elicit(`say ${word}`, text)),
  })
  const other = tool({ name: 'other', run: async (_, ctx) => told(await ctx.elicit('say x', text)) })
  const refused = { code: -32602, message: expect.stringContaining('requestState') }
  const make = (more: Partial<ServerOptions> = {}) => serverOf([echo, other], more)

  test('shows nothing of what it keeps, and differs each time', async () => {
    const keeping = tool({
      name: 'x',
      async run(_, ctx) {
        await ctx.once('secret', () => 'hunter2hunter2')
        return told(await ctx.elicit('say x', text))
      },
    })
    const server = serverOf([keeping])
    const states = [await call(server, 'x'), await call(server, 'x')].map((said) => said.result!.requestState as string)
    expect(states[0]).not.toBe(states[1])
    expect(atob(states[0]!.replaceAll('-', '+').replaceAll('_', '/'))).not.toContain('hunter2')
  })

  test('that was changed anywhere is refused', async () => {
    const server = make()
    const first = await call(server, 'echo')
    const { inputResponses, requestState } = retryOf(first, obliging) as {
      inputResponses: object
      requestState: string
    }
    const flipped = (at: number) =>
      requestState.slice(0, at) + (requestState[at] === 'A' ? 'Q' : 'A') + requestState.slice(at + 1)
    const changed = [0, 1, 5, 20, 40, requestState.length - 4].map(flipped)
    for (const state of [...changed, `${requestState}-TAMPERED`, requestState.slice(0, -4), '', 'x', '{}', 'é']) {
      expect((await call(server, 'echo', { inputResponses, requestState: state })).error, state).toMatchObject(refused)
    }
    expect((await call(server, 'echo', { inputResponses, requestState })).result?.resultType).toBe('complete')
  })

  // [mrtr.server.state-bind-request]
  test('of another request is refused', async () => {
    const server = make()
    const retry = retryOf(await call(server, 'echo', { arguments: { word: 'a' } }), obliging)
    expect((await call(server, 'echo', { arguments: { word: 'b' }, ...retry })).error).toMatchObject(refused)
    expect((await call(server, 'other', { arguments: { word: 'a' }, ...retry })).error).toMatchObject(refused)
    expect(
      (await call(make({ name: 'elsewhere' }), 'echo', { arguments: { word: 'a' }, ...retry })).error,
    ).toMatchObject(refused)
  })

  test('does not depend on the order of the arguments', async () => {
    const free = tool({
      name: 'free',
      input: { type: 'object' },
      run: async (_, ctx) => told(await ctx.elicit('say x', text)),
    })
    const server = serverOf([free])
    const retry = retryOf(await call(server, 'free', { arguments: { a: 1, b: { c: 2, d: 3 } } }), obliging)
    const said = await call(server, 'free', { arguments: { b: { d: 3, c: 2 }, a: 1 }, ...retry })
    expect(said.result?.resultType).toBe('complete')
  })

  // [mrtr.server.state-bind-principal]
  test('of another principal is refused', async () => {
    const server = make()
    const retry = retryOf(await send(server, 'tools/call', { name: 'echo' }, { principal: 'ada' }), obliging)
    const as = (principal?: string) =>
      send(server, 'tools/call', { name: 'echo', ...retry }, principal === undefined ? {} : { principal })
    expect((await as('eve')).error).toMatchObject(refused)
    expect((await as()).error).toMatchObject(refused)
    expect((await as('ada')).result?.resultType).toBe('complete')
  })

  // [mrtr.server.state-ttl]
  test('that is too old is refused', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const server = make({ limits: { stateTtlMs: 60_000 } })
    const retry = retryOf(await call(server, 'echo'), obliging)
    const late = retryOf(await call(server, 'echo'), obliging)
    vi.setSystemTime(Date.now() + 60_000)
    expect((await call(server, 'echo', retry)).result?.resultType).toBe('complete')
    vi.setSystemTime(Date.now() + 1)
    expect((await call(server, 'echo', late)).error).toMatchObject({
      code: -32602,
      message: expect.stringContaining('expired'),
    })
  })

  // [mrtr.server.state-single-use]
  test('is good for one round, however it ends well', async () => {
    const server = make()
    const retry = retryOf(await call(server, 'echo'), obliging)
    const [one, two] = await Promise.all([call(server, 'echo', retry), call(server, 'echo', retry)])
    const [won, lost] = one.error === undefined ? [one, two] : [two, one]
    expect(won.result?.resultType).toBe('complete')
    expect(lost.error).toMatchObject({ code: -32602, message: expect.stringContaining('was used before') })
    expect((await call(server, 'echo', retry)).error).toMatchObject(refused)
    expect((await call(server, 'echo')).result?.resultType).toBe('input_required')
  })

  test('may be used again after a round that failed', async () => {
    const server = make()
    const first = await call(server, 'echo')
    const wrong = retryOf(first, () => ({ action: 'accept', content: { text: 7 } }))
    expect((await call(server, 'echo', wrong)).error).toMatchObject({ code: -32602 })
    expect((await call(server, 'echo', retryOf(first, obliging))).result?.resultType).toBe('complete')
  })

  test('may be used again if nobody waited for the answer', async () => {
    let starts = (): void => {}
    const started = new Promise<void>((resolve) => {
      starts = resolve
    })
    let runs = 0
    const slow = tool({
      name: 'slow',
      async run(_, ctx) {
        const answer = told(await ctx.elicit('say x', text))
        if (++runs > 1) return answer
        starts()
        await new Promise((resolve) => ctx.signal.addEventListener('abort', resolve))
        throw ctx.signal.reason
      },
    })
    const server = serverOf([slow])
    const retry = retryOf(await call(server, 'slow'), obliging)
    const [near, far] = memoryPair()
    server.connect(far)
    await using wire = openWire(near)
    const _meta = { [metaKeys.protocolVersion]: '2026-07-28', [metaKeys.clientCapabilities]: everything }
    wire.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'slow', arguments: {}, ...retry, _meta } })
    await started
    wire.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } })
    await vi.waitFor(async () => expect((await call(server, 'slow', retry)).result?.resultType).toBe('complete'))
  })

  test('is good for one round on all servers that share what they remember', async () => {
    const used = new Map<string, number>()
    const spentStates = {
      spend: async (id: string, until: number) => !used.has(id) && used.set(id, until) !== undefined,
      release: async (id: string) => void used.delete(id),
    }
    const [one, two] = [make({ spentStates }), make({ spentStates })]
    const retry = retryOf(await call(one, 'echo'), obliging)
    expect((await call(two, 'echo', retry)).result?.resultType).toBe('complete')
    expect((await call(one, 'echo', retry)).error).toMatchObject(refused)
    expect([...used.values()].every((until) => until > Date.now())).toBe(true)
  })

  test('is opened with every key and sealed with the first', async () => {
    const [old, fresh] = ['o'.repeat(32), new Uint8Array(32).fill(7)]
    const before = make({ stateKeys: [old] })
    const between = make({ stateKeys: [fresh, old] })
    const after = make({ stateKeys: [fresh] })
    const ofOld = retryOf(await call(before, 'echo'), obliging)
    expect((await call(between, 'echo', ofOld)).result?.resultType).toBe('complete')
    expect((await call(after, 'echo', ofOld)).error).toMatchObject(refused)
    const ofNew = retryOf(await call(between, 'echo'), obliging)
    expect((await call(after, 'echo', ofNew)).result?.resultType).toBe('complete')
    expect((await call(before, 'echo', ofNew)).error).toMatchObject(refused)
  })

  test('needs no keys in one process', async () => {
    const bare = () => createServer({ name: 'test', version: '1', tools: [echo] })
    const { result } = await replay([bare(), bare()], 'tools/call', { name: 'echo' }, obliging)
    expect(result?.content).toEqual([{ type: 'text', text: 'x' }])
  })

  test.each([
    ['none', []],
    ['a short one', ['secret']],
    ['no key', [7 as never]],
  ])('keys that are %s are refused', (_what, keys) => {
    expect(() => make({ stateKeys: keys })).toThrow('createServer stateKeys')
  })

  test('that would be too large is an error for the operator', async () => {
    const errors: Error[] = []
    const large = tool({
      name: 'large',
      async run(_, ctx) {
        await ctx.once('much', () => 'x'.repeat(5_000))
        return told(await ctx.elicit('say x', text))
      },
    })
    const server = serverOf([large], {
      limits: { maxStateLength: 4_000 },
      onError: (error) => errors.push(error as Error),
    })
    const said = await call(server, 'large')
    expect(said.result).toMatchObject({ isError: true, content: [{ text: expect.stringMatching(/^Internal error/) }] })
    expect(errors.map((error) => error.message)).toEqual([expect.stringContaining('limits.maxStateLength is 4000')])
  })

  test('a handler that asks differently is told so, and its client is not', async () => {
    const errors: Error[] = []
    let count = 0
    const fickle = tool({
      name: 'fickle',
      run: async (_, ctx) => told(await ctx.elicit(`say ${++count}`, text)),
    })
    const server = serverOf([fickle], { onError: (error) => errors.push(error as Error) })
    const said = await call(server, 'fickle', retryOf(await call(server, 'fickle'), obliging))
    expect(said.result).toMatchObject({ isError: true, content: [{ text: expect.stringMatching(/^Internal error/) }] })
    expect(errors).toHaveLength(1)
    expect(errors[0]!.message).toContain(
      'the client answered elicitation/create "say 1", and now it is asked elicitation/create "say 2"',
    )
  })

  test('a key does not make another question the same one', async () => {
    const errors: Error[] = []
    let count = 0
    const fickle = tool({
      name: 'x',
      run: async (_, ctx) => told(await ctx.elicit(`say ${++count}`, text, { key: 'k' })),
    })
    const server = serverOf([fickle], { onError: (error) => errors.push(error as Error) })
    const first = await call(server, 'x')
    expect(Object.keys(first.result!.inputRequests!)).toEqual(['k'])
    await call(server, 'x', retryOf(first, obliging))
    expect(errors[0]?.message).toContain('asks differently')
  })

  test('two questions with one key are an error', async () => {
    const errors: Error[] = []
    const doubled = tool({
      name: 'x',
      async run(_, ctx) {
        await Promise.all([ctx.elicit('say a', text, { key: 'k' }), ctx.elicit('say b', text, { key: 'k' })])
        return ''
      },
    })
    await call(serverOf([doubled], { onError: (error) => errors.push(error as Error) }), 'x')
    expect(errors[0]?.message).toContain('the same key "k"')
  })
})

describe('inputRequired', () => {
  const asking = (request: InputRequest) =>
    serverOf([tool({ name: 'x', run: () => inputRequired({ requests: { q: request } }) })])

  // [mrtr.server.keys-unique]
  test('sends what it is given, and no state without need', async () => {
    const { result } = await call(asking({ method: 'roots/list' }), 'x')
    expect(result).toMatchObject({ resultType: 'input_required', inputRequests: { q: { method: 'roots/list' } } })
    expect(result).not.toHaveProperty('requestState')
  })

  test('asks nothing that the client did not declare', async () => {
    const said = await send(asking({ method: 'roots/list' }), 'tools/call', { name: 'x' }, { capabilities: {} })
    expect(said.error?.code).toBe(-32021)
  })

  // [mrtr.server.one-of-two]
  test('state alone makes the client come back', async () => {
    const counting = tool({
      name: 'x',
      output: z.object({ rounds: z.number() }),
      run(_, ctx) {
        const rounds = (ctx.requestState as number | undefined) ?? 0
        return rounds < 3 ? inputRequired({ state: rounds + 1 }) : { rounds }
      },
    })
    const { result, asked } = await replay([serverOf([counting])], 'tools/call', { name: 'x' }, obliging)
    expect(asked).toEqual([[], [], []])
    expect(result?.structuredContent).toEqual({ rounds: 3 })
    await using client = await live(serverOf([counting]), obliging)
    expect((await client.callTool('x')).structured).toEqual({ rounds: 3 })
  })

  test.each([
    ['nothing', {}, 'expected requests, state or both'],
    ['another method', { requests: { q: { method: 'tools/call' } } }, 'requests["q"]: expected elicitation/create'],
  ])('%s is refused', (_what, options, message) => {
    expect(() => inputRequired(options as never)).toThrow(message)
  })
})
