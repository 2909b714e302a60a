/** Sampling requests of servers, answered by models behind the wires of their providers. */
import { type CreateMessageParams, connect } from '@tenon/sdk/client'
import { createServer, tool } from '@tenon/sdk/server'
import { describe, expect, test } from 'vitest'
import { chooseSamplingModel, isChatError, resolveModel, sampleWith, scriptedModel } from '../../src/chat.ts'
import { startStandIn } from './stand-in.suite.ts'
import { wires } from './wires.suite.ts'

const wire = wires['Anthropic Messages']!
const pixel = 'iVBORw0KGgo='

async function sampleAtStandIn(request: CreateMessageParams, ...replies: Parameters<typeof startStandIn>[0]) {
  const { url, requests } = await startStandIn(replies)
  const model = await resolveModel('anthropic/claude-haiku-4-5', { apiKey: 'k', baseURL: `${url}/v1` })
  return { result: await sampleWith(model, request, { maxTokens: 500 }), requests }
}

test('a request with a picture and settings reaches the model, and its answer the server', async () => {
  const request: CreateMessageParams = {
    systemPrompt: 'Be brief',
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Describe it' },
          { type: 'image', data: pixel, mimeType: 'image/png' },
        ],
      },
    ],
    maxTokens: 9_000,
    temperature: 0.5,
    stopSequences: ['END'],
  }
  const { result, requests } = await sampleAtStandIn(request, wire.say('A pixel.'))
  expect(result).toEqual({
    role: 'assistant',
    content: { type: 'text', text: 'A pixel.' },
    model: 'claude-haiku-4-5',
    stopReason: 'endTurn',
  })
  const { body } = requests[0]!
  expect(body).toMatchObject({
    max_tokens: 500,
    temperature: 0.5,
    stop_sequences: ['END'],
    system: [{ text: 'Be brief' }],
  })
  expect(body.messages[0].content[1]).toMatchObject({ type: 'image', source: { media_type: 'image/png', data: pixel } })
})

test('tools of the server, their uses and their results', async () => {
  const inputSchema = { type: 'object', properties: { city: { type: 'string' } } }
  const request: CreateMessageParams = {
    messages: [
      { role: 'user', content: { type: 'text', text: 'Rain?' } },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'a1', name: 'forecast', input: { city: 'Oslo' } }] },
      { role: 'user', content: [{ type: 'tool_result', toolUseId: 'a1', content: [{ type: 'text', text: 'Dry' }] }] },
    ],
    maxTokens: 100,
    tools: [{ name: 'forecast', inputSchema }],
    toolChoice: { mode: 'required' },
  }
  const { result, requests } = await sampleAtStandIn(request, wire.call('a2', 'forecast', '{"city":"Bergen"}'))
  expect(result).toMatchObject({
    content: { type: 'tool_use', id: 'a2', name: 'forecast', input: { city: 'Bergen' } },
    stopReason: 'toolUse',
  })
  const { body } = requests[0]!
  expect(body.tool_choice).toMatchObject({ type: 'any' })
  expect(body.messages[2].content[0]).toMatchObject({ type: 'tool_result', tool_use_id: 'a1', content: 'Dry' })
})

test('an answer that reached the limit says so', async () => {
  const model = scriptedModel([{ text: 'Once upon', finish: 'length' }])
  const request: CreateMessageParams = {
    messages: [{ role: 'user', content: { type: 'text', text: 'Tell' } }],
    maxTokens: 2,
  }
  expect(await sampleWith(model, request)).toMatchObject({ stopReason: 'maxTokens' })
})

test.each([
  [
    'a result without its use',
    { role: 'user', content: [{ type: 'tool_result', toolUseId: 'x', content: [] }] },
    /no tool_use with the id "x"/,
  ],
  [
    'a use by the user',
    { role: 'user', content: [{ type: 'tool_use', id: 'x', name: 'y', input: {} }] },
    /user cannot have a block of type "tool_use"/,
  ],
] as const)('%s is refused before a model is asked', async (_name, message, expected) => {
  const request = { messages: [message], maxTokens: 2 } as unknown as CreateMessageParams
  const failed = await sampleWith(scriptedModel([{ text: 'never' }]), request).catch((error: unknown) => error)
  expect(isChatError(failed) && failed.code).toBe('rejected')
  expect(String(failed)).toMatch(expected)
})

test('a server in the same process samples through a client', async () => {
  const ask = tool({
    name: 'ask',
    run: async (_input, ctx) => {
      const { content } = await ctx.sample({
        messages: [{ role: 'user', content: { type: 'text', text: 'Six times seven?' } }],
        maxTokens: 10,
      })
      return JSON.stringify(content)
    },
  })
  const model = scriptedModel([{ when: 'seven', text: '42' }])
  await using client = await connect(createServer({ name: 'asking', version: '1.0.0', tools: [ask] }), {
    sample: (request, { signal }) => sampleWith(model, request, { signal }),
  })
  expect((await client.callTool('ask')).text).toBe('{"type":"text","text":"42"}')
})

describe('the choice among several models', () => {
  const named = (modelId: string) => scriptedModel([], { modelId })
  const models = [
    { model: named('large'), name: 'anthropic/claude-opus', intelligent: 1, cheap: 0, fast: 0.2 },
    { model: named('small'), name: 'anthropic/claude-haiku', intelligent: 0.3, cheap: 1, fast: 1 },
  ]
  test.each([
    [undefined, 'large'],
    [{ hints: [{ name: 'gpt' }, { name: 'haiku' }] }, 'small'],
    [{ hints: [{ name: 'gpt' }], costPriority: 1, intelligencePriority: 0.5 }, 'small'],
    [{ intelligencePriority: 1, speedPriority: 0.2 }, 'large'],
    [{ costPriority: Number.NaN, intelligencePriority: 1e308 }, 'large'],
  ])('%j: %s', (preferences, expected) => {
    expect(chooseSamplingModel(models, preferences).modelId).toBe(expected)
  })
})
