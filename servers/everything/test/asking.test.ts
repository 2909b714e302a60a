import { type CreateMessageParams, connect, type ElicitParams, revisions } from '@tenon/sdk/client'
import { createEverythingServer } from '@tenon/server-everything'
import { expect, test } from 'vitest'
import { collect, deferred } from './helpers.ts'

const latest = { revisions: ['2025-11-25'] } as const

test('planning a trip asks for every kind of field and uses the defaults', async () => {
  const asked: ElicitParams[] = []
  await using client = await connect(createEverythingServer(), {
    ...latest,
    elicit: (request) => {
      asked.push(request)
      return {
        action: 'accept',
        content: {
          traveller: 'Ada',
          email: 'ada@example.com',
          start: '2026-12-30',
          budget: 80,
          needs: ['quiet'],
          meetAt: '2026-12-30T09:00:00+01:00',
        },
      }
    },
  })
  const { structured } = await client.callTool('plan_trip', { destination: 'Lisbon' })
  expect(structured).toEqual({
    destination: 'Lisbon',
    traveller: 'Ada',
    from: '2026-12-30',
    to: '2027-01-02',
    travelBy: 'train',
    cost: 240,
    wishes: ['steady', 'food', 'quiet'],
  })
  expect(asked).toMatchObject([
    {
      message: 'Tell me about your trip to Lisbon',
      requestedSchema: {
        properties: {
          traveller: { type: 'string', maxLength: 80 },
          email: { format: 'email' },
          website: { format: 'uri' },
          start: { format: 'date' },
          meetAt: { format: 'date-time' },
          nights: { type: 'integer', minimum: 1, maximum: 30, default: 3 },
          budget: { type: 'number' },
          flexible: { type: 'boolean', default: false },
          pace: { enum: ['slow', 'steady', 'fast'], default: 'steady' },
          travelBy: { oneOf: [{ const: 'train', title: 'By train' }, {}, {}], default: 'train' },
          interests: { items: { enum: ['food', 'music', 'nature'] }, default: ['food'] },
          needs: { items: { anyOf: [{ const: 'quiet', title: 'A quiet room' }, {}, {}] } },
        },
        required: ['traveller', 'email', 'start'],
      },
    },
  ])
})

test.each([
  ['decline', 'The user does not want to plan this trip'],
  ['cancel', 'The user closed the form'],
] as const)('a form answered with %s is an error that says so', async (action, text) => {
  await using client = await connect(createEverythingServer(), { ...latest, elicit: () => ({ action }) })
  expect(await client.callTool('plan_trip', { destination: 'Lisbon' })).toMatchObject({ isError: true, text })
})

test('a page is opened with consent, and the client hears when it is done', async () => {
  const asked: unknown[] = []
  const { promise, resolve } = deferred<string>()
  await using client = await connect(createEverythingServer(), {
    ...latest,
    elicit: {
      url: (request) => {
        asked.push(request.url, request.elicitationId)
        return { action: 'accept' }
      },
    },
    onElicitationComplete: resolve,
  })
  expect(await client.callTool('open_page')).toMatchObject({ text: 'The user opened the page.' })
  expect(asked).toEqual(['https://example.com/', await promise])
})

test('a summary is written by the model of the client', async () => {
  const asked: CreateMessageParams[] = []
  await using client = await connect(createEverythingServer(), {
    ...latest,
    sample: (request) => {
      asked.push(request)
      return { role: 'assistant', model: 'canned', content: { type: 'text', text: 'A short summary.' } }
    },
  })
  expect(await client.callTool('summarize', { text: 'A long text.' })).toMatchObject({ text: 'A short summary.' })
  expect(asked).toMatchObject([{ messages: [{ content: { text: 'A long text.' } }], maxTokens: 200 }])
})

test('a model that can call tools chooses by calling one', async () => {
  await using client = await connect(createEverythingServer(), {
    ...latest,
    sample: {
      tools: true,
      handler: ({ tools }) => ({
        role: 'assistant',
        model: 'canned',
        stopReason: 'toolUse',
        content: { type: 'tool_use', id: '1', name: tools![0]!.name, input: { option: 'tea' } },
      }),
    },
  })
  const { structured } = await client.callTool('choose_with_model', { question: 'Drink?', options: ['tea', 'coffee'] })
  expect(structured).toEqual({ choice: 'tea' })
})

test('a tool for models that call tools does not exist for other clients', async () => {
  await using client = await connect(createEverythingServer(), latest)
  expect((await collect(client.tools())).map(({ name }) => name)).not.toContain('choose_with_model')
  await expect(client.callTool('choose_with_model', { question: '?', options: ['a', 'b'] })).rejects.toMatchObject({
    code: -32602,
  })
})

test('roots are listed, and a change of them is noticed', async () => {
  await using client = await connect(createEverythingServer(), {
    ...latest,
    roots: [{ uri: 'file:///home/ada', name: 'Home' }],
  })
  expect((await client.callTool('list_roots')).text).toBe('Home: file:///home/ada')
  await client.setRoots([{ uri: 'file:///tmp' }])
  expect((await client.callTool('list_roots')).text).toBe('file:///tmp')
  expect((await client.callTool('describe_connection')).structured).toMatchObject({ rootsChanges: 1 })
})

test.each(revisions.filter((revision) => revision < '2026'))(
  'in %s a client that can answer nothing is told which capability is missing',
  async (revision) => {
    await using client = await connect(createEverythingServer(), { revisions: [revision] })
    expect(await client.callTool('list_roots')).toMatchObject({ isError: true, text: expect.stringContaining('roots') })
    const summary = await client.callTool('summarize', { text: 'x' })
    expect(summary).toMatchObject({ isError: true, text: expect.stringContaining('sampling') })
    const trip = await client.callTool('plan_trip', { destination: 'Rome' })
    expect(trip).toMatchObject({ isError: true, text: expect.stringContaining('elicitation') })
  },
)
