// The server that clients misbehave to, as users write one, against the built package.
import { serveHttp } from '@tenon/sdk/node'
import { createServer, tool } from '@tenon/sdk/server'
import { serveStdio } from '@tenon/sdk/stdio'

const text = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] }
const question = { type: 'object', properties: { name: { type: 'string' } } }

const server = createServer({
  name: 'target',
  version: '1',
  logging: true,
  tools: [
    tool({ name: 'echo', input: text, run: ({ text }) => text }),
    tool({ name: 'keys', input: { type: 'object' }, run: (input) => JSON.stringify(Object.keys(input)) }),
    tool({ name: 'wait', run: (_, { signal }) => new Promise((resolve) => signal.addEventListener('abort', resolve)) }),
    tool({ name: 'ask', run: async (_, ctx) => JSON.stringify(await ctx.elicit('Who?', question)) }),
  ],
})

if (process.argv[2] === 'http') {
  const { port } = await serveHttp(server, { bodyTimeoutMs: 1_000 })
  console.log(port)
} else await serveStdio(server, { maxLineBytes: 100_000 })
