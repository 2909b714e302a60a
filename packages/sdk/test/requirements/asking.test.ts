/** Requirements for elicitation, sampling and roots that no other test cites. */
import { createServer as createHttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { connect } from '../../src/client/connect.ts'
import { chooseModel } from '../../src/client/input/choose-model.ts'
import { legacyServer, modernServer } from '../../src/client/scripted-server.suite.ts'
import type { JsonObject, Payload } from '../../src/jsonrpc/message.ts'
import type { ClientCapabilities } from '../../src/model/capabilities.ts'
import { metaKeys } from '../../src/model/meta.ts'
import { revisions } from '../../src/model/revision.ts'
import type { CreateMessageParams, CreateMessageResult } from '../../src/model/sampling.ts'
import { createServer, inputRequired, tool } from '../../src/server.ts'
import { openWire, testClient } from '../../src/testing.ts'
import { featureServer } from '../fixture.ts'
import { asking } from '../task-driver.ts'

const modernMeta = (capabilities: ClientCapabilities = asking): JsonObject => ({
  [metaKeys.protocolVersion]: '2026-07-28',
  [metaKeys.clientCapabilities]: capabilities as JsonObject,
})

interface Answered {
  id?: number
  result?: JsonObject
  error?: { code: number }
}

/** All messages for one call, up to its answer. */
async function talk(server: ReturnType<typeof featureServer>, params: JsonObject, id = 1): Promise<Answered[]> {
  await using wire = openWire(server)
  wire.send({ jsonrpc: '2.0', id, method: 'tools/call', params: { arguments: {}, ...params, _meta: modernMeta() } })
  const said: Payload[] = [await wire.next()]
  await new Promise((resolve) => setTimeout(resolve, 5))
  return [...said, ...wire.waiting] as unknown[] as Answered[]
}

const questions = (result: JsonObject): [string, { method: string; params: JsonObject }][] =>
  Object.entries(result.inputRequests as { [key: string]: { method: string; params: JsonObject } })

describe('without a handshake', () => {
  // [mrtr.only-way] [elicit.request.via-mrtr] [roots.list.via-mrtr] [sampling.via-mrtr]
  test.each([
    ['ask', 'elicitation/create'],
    ['visit', 'elicitation/create'],
    ['think', 'sampling/createMessage'],
    ['where', 'roots/list'],
  ])('%s sends %s inside its result, and nothing else', async (name, method) => {
    const said = await talk(featureServer(), { name })
    expect(said).toHaveLength(1)
    const [{ id, result }] = said as [Answered]
    expect(id).toBe(1)
    expect(said[0]).not.toHaveProperty('method')
    expect(result!.resultType).toBe('input_required')
    expect(questions(result!).map(([, question]) => question.method)).toEqual([method])
  })

  // [elicit.url.complete-removed]
  test('a URL has no id, and nobody is told that it is done', async () => {
    const server = featureServer()
    const [first] = await talk(server, { name: 'visit' })
    expect(JSON.stringify(first)).not.toContain('elicitationId')
    const { requestState } = first!.result!
    const inputResponses = Object.fromEntries(questions(first!.result!).map(([key]) => [key, { action: 'accept' }]))
    const said = await talk(server, { name: 'visit', inputResponses, requestState })
    expect(said).toMatchObject([{ result: { resultType: 'complete', content: [{ text: 'accept' }] } }])
  })

  // [elicit.server.handle-decline]
  test.each([
    [{ action: 'decline' }, { result: { content: [{ text: 'decline' }] } }],
    [{ action: 'cancel' }, { result: { content: [{ text: 'cancel' }] } }],
    [{ action: 'accept', content: { name: 7 } }, { error: { code: -32602 } }],
    [{ nonsense: true }, { error: { code: -32602 } }],
  ])('a form that is answered with %j is dealt with', async (answer, expected) => {
    const server = featureServer()
    const [first] = await talk(server, { name: 'ask' })
    const { requestState } = first!.result!
    const inputResponses = Object.fromEntries(questions(first!.result!).map(([key]) => [key, answer as JsonObject]))
    expect(await talk(server, { name: 'ask', inputResponses, requestState })).toMatchObject([expected])
  })

  // [rpc.stateless.explicit-identifiers]
  test('what happened before is known by the state that is sent, not by the connection', async () => {
    const server = featureServer()
    await using wire = openWire(server)
    const call = (id: number, more: JsonObject = {}) => {
      const params = { name: 'where', arguments: {}, ...more, _meta: modernMeta() }
      wire.send({ jsonrpc: '2.0', id, method: 'tools/call', params })
      return wire.next() as Promise<unknown> as Promise<Answered>
    }
    const first = await call(1)
    // The same connection does not remember its input request.
    const second = await call(2)
    expect(second.result!.resultType).toBe('input_required')
    const [[key]] = questions(first.result!) as [[string, unknown]]
    const answers = { inputResponses: { [key]: { roots: [{ uri: 'file:///a' }] } } }
    const { requestState } = first.result!
    // Another connection has all it needs in the request.
    expect(await talk(server, { name: 'where', ...answers, requestState })).toMatchObject([
      { result: { resultType: 'complete', content: [{ text: 'file:///a' }] } },
    ])
  })
})

describe('a page that a server wants to be opened', () => {
  const counting = async () => {
    let visits = 0
    const pages = createHttpServer((_request, response) => {
      visits++
      response.end('here')
    })
    await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(pages.address() as AddressInfo).port}/sign-in?next=%2Fa%2Fb#here`
    const close = () => new Promise((resolve) => pages.close(resolve))
    return { url, close, visits: () => visits }
  }

  // [elicit.urlsafe.no-prefetch] [elicit.urlsafe.no-open-without-consent]
  test.each(['accept', 'decline', 'cancel'] as const)('is not visited by the client, which says %s', async (action) => {
    const page = await counting()
    const shown: string[] = []
    const visit = tool({ name: 'visit', run: async (_, ctx) => (await ctx.elicitUrl('Sign in', page.url)).action })
    const server = createServer({ name: 'a', version: '1', onError: () => {}, tools: [visit] })
    for (const revision of ['2025-11-25', '2026-07-28'] as const) {
      await using client = await testClient(server, {
        revision,
        elicit: {
          url: ({ url }) => {
            shown.push(url)
            return { action }
          },
        },
      })
      expect((await client.callTool('visit')).text).toBe(action)
    }
    expect(shown).toEqual([page.url, page.url])
    expect(page.visits()).toBe(0)
    await page.close()
  })

  // [elicit.urlsafe.https]
  test('is one of https, or on this machine', async () => {
    const visit = tool({
      name: 'visit',
      input: { type: 'object', properties: { url: { type: 'string' } }, required: ['url'] },
      run: async ({ url }, ctx) => (await ctx.elicitUrl('Sign in', url)).action,
    })
    const server = createServer({ name: 'a', version: '1', onError: () => {}, tools: [visit] })
    await using client = await testClient(server, { elicit: { url: () => ({ action: 'accept' }) } })
    const taken = ['https://example.com/', 'http://localhost:3000/', 'http://127.0.0.1/', 'http://[::1]:8/']
    for (const url of taken) expect((await client.callTool('visit', { url })).text, url).toBe('accept')
    const refused = ['http://example.com/', 'http://localhost.example.com/', 'http://127.0.0.1.example.com/']
    for (const url of refused) expect((await client.callTool('visit', { url })).isError, url).toBe(true)
  })

  // [elicit.oauth.no-transit]
  test('brings nothing back through the client but consent', async () => {
    const seen: object[] = []
    const visit = tool({
      name: 'visit',
      async run(_, ctx) {
        const answer = await ctx.elicitUrl('Sign in', 'https://example.com/')
        seen.push({ ...answer })
        return answer.action
      },
    })
    const server = createServer({ name: 'a', version: '1', onError: () => {}, tools: [visit] })
    const content = { token: 'secret' }
    for (const revision of ['2025-11-25', '2026-07-28'] as const) {
      await using client = await testClient(server, {
        revision,
        elicit: { url: () => ({ action: 'accept', content }) },
      })
      await client.callTool('visit')
      expect(JSON.stringify(client.transcript.entries)).not.toContain('secret')
    }
    // If a client sends it nevertheless, it is ignored.
    const [first] = await talk(server, { name: 'visit' })
    const { requestState } = first!.result!
    const inputResponses = Object.fromEntries(
      questions(first!.result!).map(([key]) => [key, { action: 'accept', content }]),
    )
    await talk(server, { name: 'visit', inputResponses, requestState })
    expect(seen).toHaveLength(3)
    for (const answer of seen) expect(Object.keys(answer).sort()).toEqual(['action', 'complete'])
  })
})

const message = { role: 'user' as const, content: { type: 'text' as const, text: 'Hi' } }
const written: CreateMessageResult = { role: 'assistant', content: { type: 'text', text: 'Yes' }, model: 'm' }

describe('sampling', () => {
  const sampling = (params: Partial<CreateMessageParams>) =>
    createServer({
      name: 'a',
      version: '1',
      tools: [
        tool({
          name: 'think',
          run: async (_, ctx) => (await ctx.sample({ messages: [message], maxTokens: 5, ...params })).text,
        }),
        tool({
          name: 'spelled',
          run: (_, ctx) =>
            ctx.inputResponses.q === undefined
              ? inputRequired({
                  requests: {
                    q: {
                      method: 'sampling/createMessage',
                      params: { messages: [message], maxTokens: 5, ...params },
                    },
                  },
                })
              : 'Yes',
        }),
      ],
    })

  // [sampling.context.needs-capability]
  test.each(revisions)('%s: context is asked of clients that know it', async (revision) => {
    for (const [context, includeContext] of [
      [true, 'allServers'],
      [false, 'thisServer'],
      [false, 'none'],
    ] as const) {
      const asked: CreateMessageParams[] = []
      const handler = (params: CreateMessageParams) => {
        asked.push(params)
        return written
      }
      await using client = await testClient(sampling({ includeContext }), { revision, sample: { handler, context } })
      // Older clients could not declare it.
      const allowed = context || includeContext === 'none' || revision < '2025-11-25'
      for (const name of ['think', 'spelled'] as const) {
        const answer = await client.callTool(name).then(
          (result) => (result.isError ? 'refused' : result.text),
          (error: { code: number }) => (error.code === -32021 ? 'refused' : String(error)),
        )
        expect([name, includeContext, answer]).toEqual([name, includeContext, allowed ? 'Yes' : 'refused'])
      }
      expect(asked).toHaveLength(allowed ? 2 : 0)
    }
  })

  // [sampling.context.avoid]
  test('nobody asks for context who was not told to', async () => {
    const asked: CreateMessageParams[] = []
    const handler = (params: CreateMessageParams) => {
      asked.push(params)
      return written
    }
    for (const revision of revisions) {
      await using client = await testClient(sampling({}), { revision, sample: { handler, context: true, tools: true } })
      await client.callTool('think')
    }
    expect(asked).toHaveLength(revisions.length)
    for (const params of asked) expect(params).not.toHaveProperty('includeContext')
  })

  // [sampling.tools.choice-auto]
  test('without a choice the model may use tools, and need not', async () => {
    const use: CreateMessageResult = {
      ...written,
      content: { type: 'tool_use', id: '1', name: 'look', input: {} },
      stopReason: 'toolUse',
    }
    const tools = [{ name: 'look', inputSchema: { type: 'object' as const } }]
    const params = { messages: [message], maxTokens: 5, tools }
    const answerTo = async (result: CreateMessageResult, more: JsonObject = {}) => {
      const server = legacyServer()
      await using _client = await connect(server.open, { sample: { handler: () => result, tools: true } })
      return await server.ask('sampling/createMessage', { ...params, ...more } as never)
    }
    expect((await answerTo(use)).result).toMatchObject({ stopReason: 'toolUse' })
    expect((await answerTo(written)).result).toMatchObject({ content: { text: 'Yes' } })
    expect((await answerTo(use, { toolChoice: { mode: 'auto' } })).result).toMatchObject({ stopReason: 'toolUse' })
    expect((await answerTo(use, { toolChoice: { mode: 'none' } })).error).toBeDefined()
  })

  // [sampling.pref.hints-in-order] [sampling.pref.substring]
  test('the first hint that is part of a name chooses the model', () => {
    const models = ['tiny-1', 'large-2', 'large-3']
    const choose = (...names: (string | undefined)[]) =>
      chooseModel({ hints: names.map((name) => (name === undefined ? {} : { name })) }, models)
    expect(choose('large', 'tiny')).toBe('large-2')
    expect(choose('tiny', 'large')).toBe('tiny-1')
    expect(choose('huge', undefined, 'e-3', 'tiny')).toBe('large-3')
    expect(choose('large-2-turbo')).toBeUndefined()
    expect(chooseModel(undefined, models)).toBeUndefined()
    expect(chooseModel({ speedPriority: 1 }, models)).toBeUndefined()
  })
})

describe('a server that asks too much', () => {
  const limits = { maxQuestionsPerMinute: 3 }
  const form = { message: 'Who?', requestedSchema: { type: 'object', properties: {} } }

  // [sampling.sec.rate-limit] [elicit.sec.rate-limit]
  test('is told to wait, and nobody is asked', async () => {
    let asked = 0
    const server = legacyServer()
    const count = <T>(answer: T): T => {
      asked++
      return answer
    }
    await using _client = await connect(server.open, {
      limits,
      sample: () => count(written),
      elicit: () => count({ action: 'decline' as const }),
    })
    for (let index = 0; index < 3; index++) {
      const method = index % 2 === 0 ? 'sampling/createMessage' : 'elicitation/create'
      const params = index % 2 === 0 ? { messages: [message], maxTokens: 5 } : form
      expect((await server.ask(method, params as never)).error).toBeUndefined()
    }
    for (const [method, params] of [
      ['sampling/createMessage', { messages: [message], maxTokens: 5 }],
      ['elicitation/create', form],
    ] as const) {
      const { error } = await server.ask(method, params as never)
      expect(error).toMatchObject({ code: -32603, message: expect.stringContaining('3 questions a minute') })
      expect((error!.data as { retryAfterMs: number }).retryAfterMs).toBeGreaterThan(0)
    }
    expect(asked).toBe(3)
    expect((await server.ask('ping')).result).toEqual({})
  })

  test('inside its results fails the call', async () => {
    let asked = 0
    const question = { method: 'elicitation/create', params: form }
    const server = modernServer({
      'tools/call': { resultType: 'input_required', inputRequests: { a: question, b: question }, requestState: 's' },
    })
    await using client = await connect(server.open, {
      limits,
      elicit: () => {
        asked++
        return { action: 'decline' }
      },
    })
    await expect(client.callTool('x')).rejects.toMatchObject({
      code: 'invalid_result',
      message: expect.stringContaining('3 questions a minute'),
    })
    expect(asked).toBe(2)
  })
})
