/** The packages of the providers against stand-ins that speak their documented wire. */
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { createOpenAI } from '@ai-sdk/openai'
import { describe, expect, test } from 'vitest'
import { type ChatEvent, chat, createTranscript, resolveModel } from '../../src/chat.ts'
import { allOf, ofType, startWorkshop, textIn } from '../chat/workshop.suite.ts'
import { cut, failure, type StandInReply, startStandIn, stream } from './stand-in.suite.ts'
import { wires } from './wires.suite.ts'

const tool = {
  name: 'shop__forecast',
  server: 'shop',
  tool: {
    name: 'forecast',
    description: 'The weather',
    inputSchema: {
      type: 'object',
      properties: { city: { $ref: '#/$defs/City' } },
      $defs: { City: { type: 'string' } },
    },
    annotations: { readOnlyHint: true },
  },
}
const toolbox = {
  tools: [tool],
  callTool: async (_name: string, args: unknown) => ({
    content: [{ type: 'text' as const, text: `Rain: ${JSON.stringify(args)}` }],
  }),
  readResource: () => Promise.reject(new Error('none')),
}

describe.each(Object.entries(wires))('%s', (_name, wire) => {
  const start = async (...replies: StandInReply[]) => {
    const standIn = await startStandIn(replies)
    const baseURL = standIn.url + wire.path
    const name = wire.model.startsWith('#') ? baseURL + wire.model : wire.model
    const model = await resolveModel(name, { apiKey: 'test-key', ...(name === wire.model && { baseURL }) })
    const ask = (retry = { firstDelayMs: 1 }): Promise<ChatEvent[]> =>
      allOf(chat(toolbox, model, 'Rain in Bergen?', { retry }))
    return { model, ask, ...standIn }
  }

  test('a tool call, its result, and an answer', async () => {
    const { ask, requests } = await start(
      wire.call('call_1', tool.name, '{"city":"Bergen"}'),
      wire.say('It will rain.'),
    )
    const events = await ask()
    expect(ofType(events, 'error')).toEqual([])
    expect(ofType(events, 'tool-call')).toMatchObject([{ name: tool.name, arguments: { city: 'Bergen' } }])
    expect(textIn(events)).toBe('It will rain.')
    expect(ofType(events, 'done')[0]).toMatchObject({ reason: 'answered', steps: 2 })
    const { inputTokens, outputTokens, cachedInputTokens } = ofType(events, 'step-end')[1]!.usage
    expect({ outputTokens, cachedInputTokens }).toEqual({ outputTokens: 15, cachedInputTokens: 5 })
    expect(inputTokens).toBeGreaterThanOrEqual(25)
    expect(wire.toolsIn(requests[0]!.body)[tool.name]).toMatchObject({
      type: 'object',
      properties: { city: { type: 'string' } },
    })
    expect(JSON.stringify(wire.resultIn(requests[1]!.body))).toContain('Rain: {\\"city')
  })

  test('the conversation goes on in another process', async () => {
    const { model } = await start(
      wire.call('call_1', tool.name, '{"city":"Bergen"}'),
      wire.say('Yes.'),
      wire.say('No.'),
    )
    const transcript = createTranscript()
    await allOf(chat(toolbox, model, 'Rain in Bergen?', { transcript }))
    const saved = createTranscript(JSON.parse(JSON.stringify(transcript)))
    const events = await allOf(chat(toolbox, model, 'And snow?', { transcript: saved }))
    expect(textIn(events)).toBe('No.')
  })

  test('429 is retried after the time that the provider says, and 5xx after a while', async () => {
    const { ask, requests } = await start(wire.rateLimited(), wire.overloaded(), wire.say('At last.'))
    const events = await ask()
    expect(textIn(events)).toBe('At last.')
    expect(ofType(events, 'notice').map(({ kind }) => kind)).toEqual(['retry', 'retry'])
    expect(requests).toHaveLength(3)
  })

  test('retries are bounded', async () => {
    const limited = await start(wire.rateLimited(), wire.rateLimited(), wire.rateLimited())
    const events = await limited.ask({ firstDelayMs: 1, retries: 2 } as { firstDelayMs: number })
    expect(events.at(-1)).toMatchObject({ type: 'error', error: { code: 'rate_limited', status: 429 } })
    const overloaded = await start(wire.overloaded(), wire.overloaded())
    const others = await overloaded.ask({ firstDelayMs: 1, retries: 1 } as { firstDelayMs: number })
    expect(others.at(-1)).toMatchObject({ type: 'error', error: { code: 'overloaded' } })
  })

  test('a refusal is an error with its own code', async () => {
    const { ask } = await start(wire.refuse())
    expect((await ask()).at(-1)).toMatchObject({ type: 'error', error: { code: 'refused' } })
  })

  test.each([
    ['breaks', cut],
    ['closes', ''],
  ] as const)('a stream that %s is an error with its own code, and is not repeated', async (_how, end) => {
    const { ask, requests } = await start(wire.cutAfter('It will', end), wire.say('never'))
    const events = await ask()
    expect(events.at(-1)).toMatchObject({ type: 'error', error: { code: 'cut_off' } })
    expect(textIn(events)).toBe('It will')
    expect(requests).toHaveLength(1)
  })

  test('a wrong key is an error with its own code, which does not show the key', async () => {
    const { ask } = await start(failure(401, { error: { message: 'invalid x-api-key', type: 'authentication_error' } }))
    const [last] = (await ask()).slice(-1)
    expect(last).toMatchObject({ type: 'error', error: { code: 'unauthorized', status: 401 } })
    expect(String((last as { error: Error }).error)).not.toContain('test-key')
  })

  test('a picture in a result reaches the model as a picture', async () => {
    const { toolbox: shop } = await startWorkshop()
    const { model, requests } = await start(wire.call('call_1', 'shop__media', '{}'), wire.say('Nice.'))
    const events = await allOf(chat(shop, model, 'Show me'))
    expect(textIn(events)).toBe('Nice.')
    const body = JSON.stringify(requests[1]!.body)
    // As text it would cost thousands of tokens.
    expect(body).toMatch(/data:image\/png;base64,iVBOR|"data":"iVBOR/)
    expect(body.match(/iVBOR/g)).toHaveLength(1)
  })
})

test('an overload within the stream, before any text, is retried', async () => {
  const overloaded = stream({
    event: 'error',
    data: { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
  })
  const { url } = await startStandIn([overloaded, wires['Anthropic Messages']!.say('Here.')])
  const model = await resolveModel('anthropic/x', { apiKey: 'k', baseURL: `${url}/v1` })
  const events = await allOf(chat(toolbox, model, 'Hi', { retry: { firstDelayMs: 1 } }))
  expect(textIn(events)).toBe('Here.')
})

test('a provider that cannot be reached is named as that', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  const model = await resolveModel(`http://127.0.0.1:${port}/v1#none`)
  const events = await allOf(chat(toolbox, model, 'Hi', { retry: { retries: 1, firstDelayMs: 1 } }))
  expect(events).toMatchObject([
    { type: 'notice', kind: 'retry' },
    { type: 'error', error: { code: 'unreachable' } },
  ])
})

test('the signature of a thought goes back to Anthropic', async () => {
  const wire = wires['Anthropic Messages']!
  const { url, requests } = await startStandIn([wire.call('toolu_1', tool.name, '{"city":"Bergen"}'), wire.say('Yes.')])
  const model = await resolveModel('anthropic/x', { apiKey: 'k', baseURL: `${url}/v1` })
  await allOf(chat(toolbox, model, 'Rain?'))
  const { messages } = requests[1]!.body
  expect(messages[1].content[0]).toEqual({ type: 'thinking', thinking: 'A tool knows', signature: 'c2lnbmVk' })
  expect(messages[1].content[1]).toMatchObject({ type: 'tool_use', id: 'toolu_1', input: { city: 'Bergen' } })
  expect(requests[0]!.headers['x-api-key']).toBe('k')
})

test('the conversation is marked for the cache of Anthropic', async () => {
  const wire = wires['Anthropic Messages']!
  const { url, requests } = await startStandIn([wire.call('toolu_1', tool.name, '{}'), wire.say('Yes.')])
  const model = await resolveModel('anthropic/x', { apiKey: 'k', baseURL: `${url}/v1` })
  await allOf(chat(toolbox, model, 'Rain?'))
  const { system, messages } = requests[1]!.body
  expect(system[0].cache_control).toEqual({ type: 'ephemeral' })
  expect(messages.at(-1).content.at(-1).cache_control).toEqual({ type: 'ephemeral' })
  expect(JSON.stringify(requests[1]!.body).match(/cache_control/g)).toHaveLength(2)
})

test('a provider that wants to be left alone for an hour is not waited for', async () => {
  const busy = failure(429, { error: { message: 'Come back later' } }, { 'retry-after': '3600' })
  const { url, requests } = await startStandIn([busy, wires['OpenAI-compatible chat completions']!.say('never')])
  const model = await resolveModel(`${url}/v1#x`)
  const events = await allOf(chat(toolbox, model, 'Hi'))
  expect(events).toMatchObject([{ type: 'error', error: { code: 'rate_limited', status: 429 } }])
  expect(requests).toHaveLength(1)
})

test('a wait before a retry ends with the signal', async () => {
  const busy = failure(429, { error: { message: 'Slow down' } }, { 'retry-after': '50' })
  const { url } = await startStandIn([busy])
  const model = await resolveModel(`${url}/v1#x`)
  const stop = new AbortController()
  const events: ChatEvent[] = []
  for await (const event of chat(toolbox, model, 'Hi', { signal: stop.signal })) {
    events.push(event)
    stop.abort()
  }
  expect(events).toMatchObject([
    { type: 'notice', delayMs: 50_000 },
    { type: 'done', reason: 'cancelled' },
  ])
})

describe('a refusal that OpenAI writes out', () => {
  test('in chat completions', async () => {
    const chunk = (delta: object, finish: string | null = null) => ({
      data: {
        id: 'c',
        object: 'chat.completion.chunk',
        created: 1,
        model: 'x',
        choices: [{ index: 0, delta, finish_reason: finish }],
      },
    })
    const reply = stream(chunk({ role: 'assistant', refusal: 'I cannot help' }), chunk({}, 'stop'), 'data: [DONE]\n\n')
    const { url } = await startStandIn([reply])
    const model = createOpenAI({ apiKey: 'k', baseURL: `${url}/v1` }).chat('x')
    expect((await allOf(chat(toolbox, model, 'Hi'))).at(-1)).toMatchObject({
      type: 'error',
      error: { code: 'refused' },
    })
  })

  test('in a response', async () => {
    const place = { item_id: 'msg_1', output_index: 0, content_index: 0, sequence_number: 1 }
    const item = { id: 'msg_1', type: 'message', role: 'assistant', status: 'in_progress', content: [] }
    const content = [{ type: 'refusal', refusal: 'I cannot help' }]
    const response = {
      id: 'r',
      object: 'response',
      created_at: 1,
      model: 'x',
      status: 'completed',
      output: [{ ...item, content }],
    }
    const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 }
    const typed = (type: string, more: object) => ({ event: type, data: { type, ...more } })
    const reply = stream(
      typed('response.created', { response: { ...response, status: 'in_progress', output: [] } }),
      typed('response.output_item.added', { output_index: 0, item }),
      typed('response.refusal.delta', { ...place, delta: 'I cannot help' }),
      typed('response.refusal.done', { ...place, refusal: 'I cannot help' }),
      typed('response.output_item.done', { output_index: 0, item: { ...item, status: 'completed', content } }),
      typed('response.completed', { response: { ...response, usage } }),
    )
    const { url } = await startStandIn([reply])
    const model = await resolveModel('openai/x', { apiKey: 'k', baseURL: `${url}/v1` })
    expect((await allOf(chat(toolbox, model, 'Hi'))).at(-1)).toMatchObject({
      type: 'error',
      error: { code: 'refused' },
    })
  })
})
