/** A server of its own process with all handlers: `stdio`, or `http`, which prints its URL. */
import { serveHttp } from '../src/node.ts'
import { createServer } from '../src/server.ts'
import { serveStdio } from '../src/stdio.ts'
import { cases } from './replay-handlers.ts'

const server = createServer({
  name: 'handlers',
  version: '1.0.0',
  tools: cases.map((one) => one.tool),
  stateKeys: ['the same key for every process, long enough'],
})

if (process.argv[2] === 'stdio') {
  await serveStdio(server)
} else {
  const http = await serveHttp(server, { port: 0 })
  process.stdout.write(`${http.url}\n`)
}
