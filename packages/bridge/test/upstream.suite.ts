/** A server with one feature of each kind, which counts its calls. */
import {
  createServer,
  prompt,
  type Revision,
  resource,
  resourceTemplate,
  type Server,
  ToolError,
  tool,
} from '@tenon/sdk/server'
import { z } from 'zod'

export interface Upstream {
  server: Server
  /** How often each tool began its work. */
  runs: Map<string, number>
  /** The calls, in order. */
  seen: string[]
  /** `steps` waits for this after its last step. */
  beforeAnswer(): Promise<void>
}

export function upstreamServer(...revisions: Revision[]): Upstream {
  const runs = new Map<string, number>()
  const seen: string[] = []
  const count = (name: string): void => void runs.set(name, (runs.get(name) ?? 0) + 1)
  const empty = z.object({})

  const echo = tool({
    name: 'echo',
    title: 'Echo',
    description: 'Says it again',
    input: z.object({ text: z.string() }),
    output: z.object({ text: z.string() }),
    run: ({ text }) => ({ text }),
  })
  const book = tool({
    name: 'book',
    input: z.object({ restaurant: z.string() }),
    async run({ restaurant }, ctx) {
      count('book')
      const when = await ctx.elicit('When?', z.object({ time: z.string() }))
      if (when.action !== 'accept') return `not booked: ${when.action}`
      const people = await ctx.elicit('How many?', z.object({ people: z.number().int() }))
      if (people.action !== 'accept') return `not booked: ${people.action}`
      await ctx.once('booked', () => count('booked'))
      return `${restaurant} at ${when.content.time} for ${people.content.people}`
    },
  })
  const both = tool({
    name: 'both',
    input: empty,
    async run(_, ctx) {
      const [a, b] = await Promise.all([
        ctx.elicit('A?', z.object({ a: z.string() })),
        ctx.elicit('B?', z.object({ b: z.string() })),
      ])
      return JSON.stringify([a.content, b.content])
    },
  })
  const open = tool({
    name: 'open',
    input: empty,
    async run(_, ctx) {
      const { action } = await ctx.elicitUrl('Please sign in', 'https://example.com/sign-in')
      return action
    },
  })
  const write = tool({
    name: 'write',
    input: empty,
    async run(_, ctx) {
      const { text, model } = await ctx.sample({
        messages: [{ role: 'user', content: { type: 'text', text: 'A word, please' } }],
        maxTokens: 10,
      })
      return `${model} wrote ${text}`
    },
  })
  const where = tool({
    name: 'where',
    input: empty,
    run: async (_, ctx) => (await ctx.roots()).map(({ uri }) => uri).join(' '),
  })
  const steps = tool({
    name: 'steps',
    input: empty,
    async run(_, ctx) {
      await ctx.progress(1, 2, 'half')
      await ctx.log('warning', { note: 'careful' }, 'steps')
      await ctx.progress(2, 2, 'done')
      await upstream.beforeAnswer()
      return 'stepped'
    },
  })
  const wait = tool({
    name: 'wait',
    input: empty,
    run: (_, ctx) =>
      new Promise<string>((_resolve, reject) => {
        seen.push('wait')
        ctx.signal.addEventListener('abort', () => {
          seen.push('cancelled')
          reject(new Error('cancelled'))
        })
      }),
  })
  const fail = tool({
    name: 'fail',
    input: empty,
    run: () => {
      throw new ToolError('It does not work')
    },
  })
  const grow = tool({
    name: 'grow',
    input: empty,
    run: () => {
      server.tools.add(tool({ name: `grown-${server.tools.size}`, input: empty, run: () => 'new' }))
      server.resources.changed('note://one')
      return 'grown'
    },
  })
  const slow = tool({
    name: 'slow',
    input: z.object({ ask: z.boolean().optional() }),
    task: { required: true },
    async run({ ask }, ctx) {
      await ctx.once('count', () => count('slow'))
      if (!ask) return 'took its time'
      const answer = await ctx.elicit('Go on?', z.object({ yes: z.boolean() }))
      return `said ${answer.action}`
    },
  })

  const server = createServer({
    name: 'upstream',
    version: '2.1.0',
    title: 'Upstream',
    instructions: 'Ask nicely',
    revisions,
    tools: [echo, book, both, open, write, where, steps, wait, fail, grow, slow],
    resources: [
      resource({ uri: 'note://one', name: 'one', mimeType: 'text/plain', read: () => 'first' }),
      resourceTemplate({
        uriTemplate: 'note://{name}',
        name: 'notes',
        complete: { name: (value) => ['alpha', 'beta'].filter((each) => each.startsWith(value)) },
        read: ({ variables: { name } }) => `note ${name}`,
      }),
    ],
    prompts: [
      prompt({
        name: 'greet',
        arguments: z.object({ who: z.string() }),
        complete: { who: (value) => ['Ada', 'Alan'].filter((each) => each.startsWith(value)) },
        run: ({ who }) => `Say hello to ${who}`,
      }),
    ],
  })
  const upstream: Upstream = { server, runs, seen, beforeAnswer: async () => {} }
  return upstream
}
