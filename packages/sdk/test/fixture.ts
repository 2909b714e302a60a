import { z } from 'zod'
import {
  audio,
  createServer,
  embed,
  image,
  prompt,
  resource,
  resourceLink,
  resourceTemplate,
  type Server,
  ToolError,
  ToolResult,
  text,
  tool,
} from '../src/server.ts'

const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const icons = [
  { src: `data:image/png;base64,${pixel}`, mimeType: 'image/png', sizes: ['1x1'], theme: 'light' as const },
]

const echo = tool({
  name: 'echo',
  title: 'Echo',
  description: 'Says what you say',
  input: z.object({ text: z.string() }),
  annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  icons,
  meta: { 'example.com/kind': 'demo' },
  run: ({ text: said }) => said,
})

const add = tool({
  name: 'add',
  input: z.object({ a: z.number(), b: z.number() }),
  output: z.object({ sum: z.number() }),
  run: ({ a, b }) => ({ sum: a + b }),
})

const list = tool({
  name: 'list',
  output: z.array(z.number()),
  run: () => [1, 2, 3],
})

const gallery = tool({
  name: 'gallery',
  run: () => [
    'plain',
    text('annotated', { annotations: { audience: ['user'], priority: 0.5, lastModified: '2026-01-01T00:00:00Z' } }),
    image(pixel, 'image/png'),
    audio(new Uint8Array([1, 2, 3]), 'audio/wav'),
    resourceLink({ uri: 'note:///a', name: 'a', title: 'Note A', icons }),
    embed({ uri: 'note:///a', text: 'embedded', mimeType: 'text/plain' }, { meta: { x: 1 } }),
    embed({ uri: 'note:///b', blob: new Uint8Array([255, 0]) }),
  ],
})

const fail = tool({
  name: 'fail',
  input: z.object({ how: z.enum(['tool', 'result', 'crash']) }),
  run({ how }, ctx) {
    if (how === 'result') return ctx.error('as a result')
    throw how === 'tool' ? new ToolError('as an error') : new Error('secret')
  },
})

const work = tool({
  name: 'work',
  async run(_input, ctx) {
    for (let step = 1; step <= 3; step++) {
      await ctx.progress(step, 3, `step ${step}`)
      await ctx.log(step === 3 ? 'warning' : 'info', { step }, 'worker')
    }
    return new ToolResult({ content: 'done', meta: { took: 3 } })
  },
})

const wait = tool({
  name: 'wait',
  run: (_input, ctx) =>
    new Promise<string>((_resolve, reject) => ctx.signal.addEventListener('abort', () => reject(ctx.signal.reason))),
})

const form = z.object({
  name: z.string().min(1).max(50).meta({ title: 'Your name', description: 'As on the card' }),
  mail: z.email(),
  age: z.number().int().min(0).max(150).default(30),
  news: z.boolean().default(false),
  size: z.enum(['s', 'm', 'l']).default('m'),
  colors: z
    .array(z.enum(['red', 'green']))
    .min(1)
    .max(2)
    .default(['red']),
})

const ask = tool({
  name: 'ask',
  async run(_input, ctx) {
    const answer = await ctx.elicit('Who are you?', form)
    return answer.action === 'accept' ? JSON.stringify(answer.content) : answer.action
  },
})

const visit = tool({
  name: 'visit',
  async run(_input, ctx) {
    const answer = await ctx.elicitUrl('Please sign in', 'https://example.com/sign-in')
    answer.complete()
    return answer.action
  },
})

const think = tool({
  name: 'think',
  input: z.object({ tools: z.boolean().default(false) }),
  async run({ tools }, ctx) {
    const answer = await ctx.sample({
      messages: [{ role: 'user', content: { type: 'text', text: 'Hi' } }],
      maxTokens: 10,
      systemPrompt: 'Be brief',
      modelPreferences: { hints: [{ name: 'small' }], speedPriority: 1 },
      ...(tools && { tools: [{ name: 'look', inputSchema: { type: 'object' } }], toolChoice: { mode: 'auto' } }),
    })
    return JSON.stringify(answer.content)
  },
})

const where = tool({
  name: 'where',
  run: async (_input, ctx) => (await ctx.roots()).map(({ uri }) => uri).join(' '),
})

const hostile = tool({ name: '__proto__', run: () => 'just a tool' })
const inherited = tool({ name: 'constructor', run: () => 'just a tool too' })

const motto = resource({
  uri: 'note:///motto',
  name: 'motto',
  title: 'The motto',
  description: 'Read it',
  mimeType: 'text/plain',
  size: 24,
  icons,
  annotations: { audience: ['assistant'], priority: 1 },
  meta: { y: 2 },
  read: () => 'Measure twice, cut once.',
})

const pixels = resource({
  uri: 'image:///pixel',
  name: 'pixel',
  mimeType: 'image/png',
  read: () => new Uint8Array([1, 2]),
})

const note = resourceTemplate({
  uriTemplate: 'note:///{shelf}/{name}',
  name: 'note',
  mimeType: 'text/plain',
  complete: {
    shelf: (typed) => ['kitchen', 'kit'].filter((shelf) => shelf.startsWith(typed)),
    name: (typed, { shelf }) => [`${shelf ?? 'any'}-${typed}`],
  },
  read: ({ variables }) => (variables.shelf === 'kitchen' ? `${variables.name} of ${variables.shelf}` : undefined),
})

const greet = prompt({
  name: 'greet',
  title: 'Greeting',
  description: 'Greets someone',
  icons,
  arguments: z.object({ name: z.string().meta({ description: 'Who' }), tone: z.enum(['kind', 'kurt']).optional() }),
  run: ({ name, tone = 'kind' }) => [
    { role: 'user', content: text(`Greet ${name}, be ${tone}`) },
    { role: 'assistant', content: image(pixel, 'image/png') },
    { role: 'user', content: embed({ uri: 'note:///motto', text: 'Measure twice' }) },
  ],
})

const plain = prompt({ name: 'plain', run: () => 'Just say it' })

/** A server with every feature, for tests. */
export const featureServer = (options: { pageSize?: number; onError?: (error: unknown) => void } = {}): Server =>
  createServer({
    name: 'features',
    version: '1.2.3',
    title: 'Features',
    description: 'Everything at once',
    websiteUrl: 'https://example.com',
    icons,
    instructions: 'Use it well',
    tools: [echo, add, list, gallery, fail, work, wait, ask, visit, think, where, hostile, inherited],
    resources: [motto, pixels, note],
    prompts: [greet, plain],
    ...options,
  })
