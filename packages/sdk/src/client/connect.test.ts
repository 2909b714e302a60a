import { describe, expect, test } from 'vitest'
import { type Revision, revisions } from '../model/revision.ts'
import { prompt } from '../server/features/prompt.ts'
import { resource } from '../server/features/resource.ts'
import { tool } from '../server/features/tool.ts'
import { createServer, type Server } from '../server/server.ts'
import { connect } from './connect.ts'

const legacy = revisions.filter((revision) => revision !== '2026-07-28')

const add = tool({
  name: 'add',
  input: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } }, required: ['a', 'b'] },
  output: { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] },
  run: (input) => {
    const { a, b } = input as { a: number; b: number }
    return { sum: a + b }
  },
})

const ask = tool({
  name: 'ask',
  async run(_, ctx) {
    const form = {
      type: 'object',
      properties: { name: { type: 'string' }, news: { type: 'boolean', default: true } },
    } as const
    const answer = await ctx.elicit('Who?', form)
    return JSON.stringify(answer)
  },
})

const survey = tool({
  name: 'survey',
  async run(_, ctx) {
    const message = { role: 'user' as const, content: { type: 'text' as const, text: 'hi' } }
    const [roots, { model }] = await Promise.all([ctx.roots(), ctx.sample({ messages: [message], maxTokens: 5 })])
    return `${roots.length} ${model}`
  },
})

const count = tool({
  name: 'count',
  async run(_, ctx) {
    await ctx.progress(1, 2)
    await ctx.log('warning', 'counting')
    return 'done'
  },
})

const wait = tool({
  name: 'wait',
  run: (_, ctx) =>
    new Promise<string>((resolve) => {
      waiting()
      ctx.signal.addEventListener('abort', () => {
        stopped()
        resolve('too late')
      })
    }),
})
let waiting: () => void = () => {}
let stopped: () => void = () => {}

const note = resource({ uri: 'note:///1', name: 'note', read: () => 'a note' })
const greet = prompt({ name: 'greet', run: () => 'hello' })

const define = (): Server =>
  createServer({
    name: 'demo',
    version: '1',
    tools: [add, ask, survey, count, wait],
    resources: [note],
    prompts: [greet],
    pageSize: 2,
  })

async function names<T extends { name: string }>(items: AsyncIterable<T>): Promise<string[]> {
  const all: string[] = []
  for await (const { name } of items) all.push(name)
  return all.sort()
}

test('two newest sides agree on the newest revision', async () => {
  await using client = await connect(define())
  expect(client.server).toMatchObject({ revision: '2026-07-28', info: { name: 'demo', version: '1' } })
})

describe.each(revisions)('%s', (revision) => {
  const options = { revisions: [revision] as Revision[], validate: 'strict' as const }

  test('lists, reads and calls', async () => {
    await using client = await connect(define(), options)
    expect(client.server.revision).toBe(revision)
    expect(await names(client.tools())).toEqual(['add', 'ask', 'count', 'survey', 'wait'])
    expect(await names(client.resources())).toEqual(['note'])
    expect(await names(client.prompts())).toEqual(['greet'])
    expect((await client.readResource('note:///1')).contents).toMatchObject([{ text: 'a note' }])
    expect((await client.getPrompt('greet')).messages).toMatchObject([{ content: { text: 'hello' } }])
    expect(JSON.parse((await client.callTool('add', { a: 1, b: 2 })).text)).toEqual({ sum: 3 })
    await client.ping()
  })

  test('reports progress and logs', async () => {
    const logs: unknown[] = []
    const progress: unknown[] = []
    await using client = await connect(define(), { ...options, onLog: ({ data }) => logs.push(data) })
    await client.setLoggingLevel('info')
    await client.callTool('count', {}, { onProgress: (report) => progress.push(report) })
    expect(progress).toEqual([{ progress: 1, total: 2 }])
    expect(logs).toEqual(['counting'])
  })

  test('cancels', async () => {
    const started = new Promise<void>((resolve) => {
      waiting = resolve
    })
    const ended = new Promise<void>((resolve) => {
      stopped = resolve
    })
    await using client = await connect(define(), options)
    const stop = new AbortController()
    const call = client.callTool('wait', {}, { signal: stop.signal })
    await started
    stop.abort()
    await expect(call).rejects.toMatchObject({ code: 'cancelled' })
    await ended
  })
})

describe.each(legacy)('%s', (revision) => {
  test('answers the server and hears of changes', async () => {
    const server = define()
    await using client = await connect(server, {
      revisions: [revision],
      roots: [{ uri: 'file:///a' }],
      sample: () => ({ role: 'assistant', content: { type: 'text', text: 'hi' }, model: 'tiny' }),
    })
    expect((await client.callTool('survey')).text).toBe('1 tiny')

    const updated = new Promise((resolve) =>
      client.watch('note:///1', resolve).then(() => server.resources.changed('note:///1')),
    )
    expect(await updated).toEqual({ uri: 'note:///1' })
    const changed = new Promise<void>((resolve) => client.onChange('tools', resolve))
    server.tools.remove('wait')
    await changed
    expect(await names(client.tools())).not.toContain('wait')
  })
})

test('2026-07-28 answers the server in rounds', async () => {
  await using client = await connect(define(), {
    roots: [{ uri: 'file:///a' }],
    sample: () => ({ role: 'assistant', content: { type: 'text', text: 'hi' }, model: 'tiny' }),
  })
  expect(client.server.revision).toBe('2026-07-28')
  expect((await client.callTool('survey')).text).toBe('1 tiny')
})

test.each(['2025-06-18', '2025-11-25', '2026-07-28'] as const)(
  '%s asks the user with a form and fills in defaults',
  async (revision) => {
    await using client = await connect(define(), {
      revisions: [revision],
      elicit: () => ({ action: 'accept', content: { name: 'Ada' } }),
    })
    expect(JSON.parse((await client.callTool('ask')).text)).toEqual({
      action: 'accept',
      content: { name: 'Ada', news: true },
    })
  },
)
