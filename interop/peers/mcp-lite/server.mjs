import { getRequestListener } from '@hono/node-server'
import { InMemoryClientRequestAdapter, InMemorySessionAdapter, McpServer, StreamableHttpTransport } from 'mcp-lite'
import { z } from 'zod'
import { listen } from '../../lib/listen.mjs'
import { picture } from '../work.mjs'

const reporting = new Set()
const text = (value) => ({ content: [{ type: 'text', text: value }] })
const server = new McpServer({ name: 'interop-server', version: '1.0.0', schemaAdapter: (one) => z.toJSONSchema(one) })

server.tool('echo', { inputSchema: z.object({ text: z.string() }), handler: (args) => text(args.text) })
server.tool('add', {
  inputSchema: z.object({ a: z.number(), b: z.number() }),
  outputSchema: z.object({ sum: z.number() }),
  handler: ({ a, b }) => ({ ...text(JSON.stringify({ sum: a + b })), structuredContent: { sum: a + b } }),
})
server.tool('picture', { handler: () => ({ content: [{ type: 'image', data: picture, mimeType: 'image/png' }] }) })
server.tool('large', {
  inputSchema: z.object({ bytes: z.number() }),
  handler: ({ bytes }) => text('x'.repeat(bytes)),
})
server.tool('fail', { handler: () => ({ ...text('It did not work'), isError: true }) })
server.tool('count', {
  inputSchema: z.object({ to: z.number() }),
  handler: async ({ to }, ctx) => {
    for (let progress = 1; progress <= to; progress++) await ctx.progress?.({ progress, total: to })
    return text('Counted')
  },
})
server.tool('report', {
  handler: async (_args, ctx) => {
    for (let progress = 1; progress <= 5; progress++) await ctx.progress?.({ progress, total: 5 })
    await new Promise((resolve) => reporting.add(resolve))
    return text('Released')
  },
})
server.tool('release', {
  handler: () => {
    for (const goOn of reporting) goOn()
    return text('Done')
  },
})
server.tool('ask_model', {
  inputSchema: z.object({ question: z.string() }),
  handler: async ({ question }, ctx) => {
    const { content } = await ctx.sample({ prompt: question, maxTokens: 100 })
    return text(content.text)
  },
})
server.tool('ask_user', {
  handler: async (_args, ctx) => {
    const schema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }
    const { action, content } = await ctx.elicit({ message: 'Who are you?', schema })
    return text(action === 'accept' ? `The user is ${content.name}` : 'The user did not say')
  },
})

const plain = { mimeType: 'text/plain' }
server.resource('note:///motto', { name: 'motto', ...plain }, ({ href }) => ({
  contents: [{ uri: href, ...plain, text: 'Measure twice' }],
}))
server.resource('note:///picture', { name: 'picture', mimeType: 'image/png' }, ({ href }) => ({
  contents: [{ uri: href, mimeType: 'image/png', blob: picture }],
}))
server.resource('note:///by/{name}', { name: 'note', ...plain }, ({ href }, { name }) => ({
  contents: [{ uri: href, ...plain, text: `A note by ${name}` }],
}))
server.prompt('greet', {
  arguments: z.object({ name: z.string() }),
  handler: ({ name }) => ({ messages: [{ role: 'user', content: { type: 'text', text: `Greet ${name}` } }] }),
})

const sessionAdapter = new InMemorySessionAdapter({ maxEventBufferSize: 1024 })
const clientRequestAdapter = new InMemoryClientRequestAdapter({ defaultTimeoutMs: 30_000 })
const handle = new StreamableHttpTransport({ sessionAdapter, clientRequestAdapter }).bind(server)
await listen(
  getRequestListener((request) => handle(request)),
  '/mcp',
)
