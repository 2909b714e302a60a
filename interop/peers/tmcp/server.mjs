import { getRequestListener } from '@hono/node-server'
import { ZodJsonSchemaAdapter } from '@tmcp/adapter-zod'
import { HttpTransport } from '@tmcp/transport-http'
import { SseTransport } from '@tmcp/transport-sse'
import { StdioTransport } from '@tmcp/transport-stdio'
import { McpServer } from 'tmcp'
import { z } from 'zod'
import { listen } from '../../lib/listen.mjs'
import { names, picture } from '../work.mjs'

const transport = process.argv[2]
const text = (value) => ({ content: [{ type: 'text', text: value }] })
const server = new McpServer(
  { name: 'interop-server', version: '1.0.0', description: 'For the interop run' },
  {
    adapter: new ZodJsonSchemaAdapter(),
    capabilities: {
      tools: { listChanged: true },
      prompts: { listChanged: true },
      resources: { subscribe: true, listChanged: true },
      completions: {},
      logging: {},
    },
  },
)
const reporting = new Set()
let cancelled = 0
let extended = false

const add = (name, options, run) => server.tool({ name, description: name, ...options }, run)

add('echo', { schema: z.object({ text: z.string() }) }, (args) => text(args.text))
add(
  'add',
  { schema: z.object({ a: z.number(), b: z.number() }), outputSchema: z.object({ sum: z.number() }) },
  ({ a, b }) => ({ ...text(JSON.stringify({ sum: a + b })), structuredContent: { sum: a + b } }),
)
add('picture', {}, () => ({ content: [{ type: 'image', data: picture, mimeType: 'image/png' }] }))
add('large', { schema: z.object({ bytes: z.number() }) }, ({ bytes }) => text('x'.repeat(bytes)))
add('fail', {}, () => ({ ...text('It did not work'), isError: true }))
add('count', { schema: z.object({ to: z.number() }) }, ({ to }) => {
  for (let progress = 1; progress <= to; progress++) server.progress(progress, to)
  return text('Counted')
})
add('report', {}, async () => {
  for (let progress = 1; progress <= 5; progress++) server.progress(progress, 5)
  await new Promise((resolve) => reporting.add(resolve))
  return text('Released')
})
add('release', {}, () => {
  for (const goOn of reporting) goOn()
  return text('Done')
})
add('wait', {}, async () => {
  const { signal } = server.ctx
  server.progress(1, 2)
  await new Promise((resolve) => signal?.addEventListener('abort', resolve, { once: true }))
  cancelled++
  return text('Cancelled')
})
add('cancellations', {}, () => text(`${cancelled}`))
add('ask_model', { replayable: true, schema: z.object({ question: z.string() }) }, async ({ question }) => {
  const messages = [{ role: 'user', content: { type: 'text', text: question } }]
  const { content } = await server.message({ messages, maxTokens: 100 })
  return text(content.text)
})
add('ask_user', { replayable: true }, async () => {
  const answer = await server.elicitation('Who are you?', z.object({ name: z.string() }))
  return text(answer.action === 'accept' ? `The user is ${answer.content.name}` : 'The user did not say')
})
add('show_roots', {}, async () => {
  await server.refreshRoots()
  return text(server.roots.map(({ uri }) => uri).join('\n'))
})
add('touch', {}, () => {
  server.changed('resource', 'note:///motto')
  return text('Touched')
})
add('extra', { enabled: () => extended }, () => text('Extra'))
add('extend', { schema: z.object({ on: z.boolean() }) }, ({ on }) => {
  extended = on
  server.changed('tools')
  return text('Done')
})
add('log', {}, () => {
  server.log('info', 'A line in the log')
  return text('Logged')
})

const plain = { mimeType: 'text/plain' }
server.resource({ name: 'motto', description: 'A motto', uri: 'note:///motto', ...plain }, (uri) => ({
  contents: [{ uri, ...plain, text: 'Measure twice' }],
}))
server.resource({ name: 'picture', description: 'A picture', uri: 'note:///picture' }, (uri) => ({
  contents: [{ uri, mimeType: 'image/png', blob: picture }],
}))
server.template({ name: 'note', description: 'A note', uri: 'note:///by/{name}' }, (uri, { name }) => ({
  contents: [{ uri, ...plain, text: `A note by ${name}` }],
}))
const complete = { name: (typed) => ({ completion: { values: names.filter((one) => one.startsWith(typed)) } }) }
const greet = { name: 'greet', description: 'Greets', schema: z.object({ name: z.string() }), complete }
server.prompt(greet, ({ name }) => ({
  messages: [{ role: 'user', content: { type: 'text', text: `Greet ${name}` } }],
}))

const notFound = () => new Response('Not found', { status: 404 })
const overFetch = (serving) => getRequestListener(async (request) => (await serving.respond(request)) ?? notFound())

if (transport.startsWith('stdio')) new StdioTransport(server).listen()
else if (transport === 'sse') await listen(overFetch(new SseTransport(server)), '/sse')
else await listen(overFetch(new HttpTransport(server, { path: '/mcp' })), '/mcp')
