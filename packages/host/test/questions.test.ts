import { createServer, tool } from '@tenon/sdk/server'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type Ask, createHost, type HostOptions, policy, type Question, type Sample } from '../src/index.ts'
import { scripted } from './scripted.ts'

const consent = policy({ otherwise: 'allow' })

const asking = createServer({
  name: 'asking',
  version: '1.0.0',
  tools: [
    tool({
      name: 'book',
      input: z.object({ people: z.number() }),
      run: async ({ people }, ctx) => {
        const answer = await ctx.elicit('When?', z.object({ time: z.string() }))
        return answer.action === 'accept' ? `${people} at ${answer.content.time}` : 'not booked'
      },
    }),
    tool({ name: 'pay', run: async (_, ctx) => (await ctx.elicitUrl('Pay here', 'https://pay.example/7')).action }),
    tool({
      name: 'think',
      run: async (_, ctx) => {
        const text = { type: 'text' as const, text: 'Say something' }
        const { content } = await ctx.sample({ messages: [{ role: 'user', content: text }], maxTokens: 50_000 })
        return JSON.stringify(content)
      },
    }),
    tool({ name: 'where', run: async (_, ctx) => JSON.stringify(await ctx.roots()) }),
  ],
})

interface Noted {
  readonly host: Awaited<ReturnType<typeof createHost>>
  readonly questions: Question[]
}

async function noting(options: HostOptions, answer: Ask): Promise<Noted> {
  const questions: Question[] = []
  const ask: Ask = (question) => {
    questions.push(question)
    return answer(question)
  }
  return { host: await createHost({ consent, ask, ...options }), questions }
}

const sample: Sample = ({ maxTokens }) => ({
  role: 'assistant',
  content: { type: 'text', text: `at most ${maxTokens}` },
  model: 'test',
})

describe.each([['2025-11-25'], ['2026-07-28']] as const)('in %s', (revision) => {
  const server = { server: asking, connect: { revisions: [revision] } }

  test('a form reaches the person with its server and its call', async () => {
    const { host, questions } = await noting({ servers: { tables: server } }, () => {
      return { action: 'accept', content: { time: 'eight' } }
    })
    await using _ = host
    expect((await host.callTool('tables__book', { people: 2 }, { callId: 'c7' })).text).toBe('2 at eight')
    expect(questions).toMatchObject([
      { kind: 'form', server: 'tables', message: 'When?', call: { tool: 'book', args: { people: 2 }, callId: 'c7' } },
    ])
  })

  test('a page is shown with the host that gets the data, and is not opened', async () => {
    const { host, questions } = await noting({ servers: { tables: server } }, () => ({ action: 'decline' }))
    await using _ = host
    expect((await host.callTool('tables__pay')).text).toBe('decline')
    expect(questions).toMatchObject([
      { kind: 'page', url: 'https://pay.example/7', host: 'pay.example', call: { tool: 'pay' } },
    ])
  })

  test('a model request is asked for, bounded, and refused when the tokens are used up', async () => {
    const servers = { tables: { ...server, sampling: { maxTokens: 100, maxTotalTokens: 150 } } }
    const { host, questions } = await noting({ servers, sample }, () => 'session')
    await using _ = host
    expect((await host.callTool('tables__think')).text).toContain('at most 100')
    expect((await host.callTool('tables__think')).text).toContain('at most 50')
    const third = await host.callTool('tables__think').catch(() => ({ isError: true }))
    expect(third.isError).toBe(true)
    expect(questions).toMatchObject([{ kind: 'sample', request: { maxTokens: 100 }, call: { tool: 'think' } }])
  })

  test('roots are those of the server', async () => {
    const servers = {
      a: { ...server, roots: [{ uri: 'file:///a' }] },
      b: { ...server, roots: [{ uri: 'file:///b' }] },
    }
    const { host } = await noting({ servers }, () => 'deny')
    await using _ = host
    expect((await host.callTool('a__where')).text).toBe('[{"uri":"file:///a"}]')
    expect((await host.callTool('b__where')).text).toBe('[{"uri":"file:///b"}]')
  })
})

test('questions of parallel calls name their own call where the protocol tells', async () => {
  const { host, questions } = await noting({ servers: { tables: asking } }, (question) => {
    return { action: 'accept', content: { time: String(question.call?.args.people) } }
  })
  await using _ = host
  const people = [1, 2, 3, 4, 5]
  const results = await Promise.all(people.map((count) => host.callTool('tables__book', { people: count })))
  expect(results.map(({ text }) => text)).toEqual(people.map((count) => `${count} at ${count}`))
  expect(questions).toHaveLength(5)
})

test('a question of a task names its call', async () => {
  const server = createServer({
    name: 'slow',
    version: '1.0.0',
    tools: [
      tool({
        name: 'book',
        task: true,
        run: async (_, ctx) => (await ctx.elicit('When?', z.object({}))).action,
      }),
    ],
  })
  const { host, questions } = await noting({ servers: { slow: server } }, () => ({ action: 'accept', content: {} }))
  await using _ = host
  expect((await host.callTool('slow__book', { a: 1 }, { task: true })).text).toBe('accept')
  expect(questions).toMatchObject([{ kind: 'form', call: { tool: 'book' } }])
})

test('a server is offered only the questions that somebody answers', async () => {
  using server = scripted({
    tools: [{ name: 'form' }],
    asks: {
      form: {
        method: 'elicitation/create',
        params: { message: 'x', requestedSchema: { type: 'object', properties: {} } },
      },
    },
  })
  await using host = await createHost({ servers: { s: server.config }, consent })
  expect((await host.callTool('s__form')).text).toContain('error')
})

test('a wrong answer of `ask` is refused and allows nothing', async () => {
  using server = scripted({ tools: [{ name: 'go' }] })
  await using host = await createHost({ servers: { s: server.config }, ask: () => 'yes' as 'once' })
  await expect(host.callTool('s__go')).rejects.toThrow(/ask answered consent with "yes": expected one of once/)
})

test('an aborted call does not wait for an answer', async () => {
  using server = scripted({ tools: [{ name: 'go' }] })
  const stop = new AbortController()
  const ask: Ask = (question) => {
    stop.abort(new Error('enough'))
    expect(question.signal.aborted).toBe(true)
    return new Promise(() => {})
  }
  await using host = await createHost({ servers: { s: server.config }, ask })
  await expect(host.callTool('s__go', {}, { signal: stop.signal })).rejects.toThrow('enough')
})

test.each([-1_000_000, 0.5])('a wish for %j tokens adds none to the account of a server', async (maxTokens) => {
  const params = { messages: [{ role: 'user', content: { type: 'text', text: 'Hi' } }], maxTokens }
  const ask = { method: 'sampling/createMessage', params }
  const honest = { ...ask, params: { ...params, maxTokens: 60 } }
  using server = scripted({ tools: [{ name: 'lie' }, { name: 'think' }], asks: { lie: ask, think: honest } })
  const granted: number[] = []
  await using host = await createHost({
    servers: { s: { ...server.config, sampling: { maxTotalTokens: 100, ask: false } } },
    consent,
    sample: (request, context) => {
      granted.push(request.maxTokens)
      return sample(request, context)
    },
  })
  await host.callTool('s__lie').catch(() => {})
  for (const _ of [1, 2, 3]) await host.callTool('s__think').catch(() => {})
  expect(granted.every((tokens) => tokens > 0)).toBe(true)
  expect(granted.reduce((sum, tokens) => sum + tokens, 0)).toBeLessThanOrEqual(100)
})
