// The server for misbehaving clients, as users write one, against the built package.
import { serveHttp } from '@tenon/sdk/node'
import { createServer, tool } from '@tenon/sdk/server'
import { serveStdio } from '@tenon/sdk/stdio'

const text = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] }
const question = { type: 'object', properties: { name: { type: 'string' } } }

const definition = {
  name: 'target',
  version: '1',
  logging: true,
  tools: [
    tool({ name: 'echo', input: text, run: ({ text }) => text }),
    tool({ name: 'keys', input: { type: 'object' }, run: (input) => JSON.stringify(Object.keys(input)) }),
    tool({ name: 'wait', run: (_, { signal }) => new Promise((resolve) => signal.addEventListener('abort', resolve)) }),
    tool({
      name: 'noisy',
      run() {
        console.log('not for the client')
        process.stdout.write('nor this\n')
        return 'quiet'
      },
    }),
    tool({ name: 'ask', run: async (_, ctx) => JSON.stringify(await ctx.elicit('Who?', question)) }),
  ],
}

if (process.argv[2] === 'http') {
  const options = { bodyTimeoutMs: 1_000 }
  const any = await serveHttp(createServer(definition), options)
  const modern = await serveHttp(createServer({ ...definition, revisions: ['2026-07-28'] }), options)
  console.log(JSON.stringify({ http: any.port, 'http-2026': modern.port }))
} else await serveStdio(createServer(definition), { maxLineBytes: 100_000 })
