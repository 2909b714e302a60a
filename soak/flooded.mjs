// A flooded server, with all defaults, against the built package. Started with little memory by lib/floods.ts.
import { serveHttp } from '@tenon/sdk/node'
import { createServer, resourceTemplate, tool } from '@tenon/sdk/server'

const input = { type: 'object', properties: { n: { type: 'integer' }, text: { type: 'string' } } }
const turn = () => new Promise((resolve) => setImmediate(resolve))

const server = createServer({
  name: 'flooded',
  version: '1',
  tools: [
    tool({ name: 'small', run: () => 'small' }),
    tool({ name: 'big', input, run: ({ n }) => 'x'.repeat(n) }),
    tool({ name: 'later', input, run: ({ n }) => turn().then(() => 'x'.repeat(n)) }),
    tool({
      name: 'hold',
      input,
      run: (_, { signal }) => new Promise((resolve) => signal.addEventListener('abort', resolve)),
    }),
    tool({ name: 'job', input, task: true, run: ({ n = 0 }) => 'y'.repeat(n) }),
  ],
  resources: [resourceTemplate({ uriTemplate: 'note:///{id}', name: 'note', read: () => 'a note' })],
})
const http = await serveHttp(server)

process.on('message', () => process.send({ kept: server.kept, maxRss: process.resourceUsage().maxRSS * 1024 }))
process.send({ url: http.url })
