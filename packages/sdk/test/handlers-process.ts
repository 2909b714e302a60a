/** A server process with all handlers: `stdio`, or `http`, which prints its URL; then the folder for tasks. */
import { fileTaskStore, serveHttp } from '../src/node.ts'
import { createServer, type ServerTool } from '../src/server.ts'
import { serveStdio } from '../src/stdio.ts'
import { cases } from './replay-handlers.ts'

const asTask = (tool: ServerTool): ServerTool =>
  Object.freeze({
    ...tool,
    task: { required: false, start: 'at-once' as const },
    listed: { ...tool.listed, execution: { taskSupport: 'optional' as const } },
  })

const server = createServer({
  name: 'handlers',
  version: '1.0.0',
  tools: cases.map((one) => asTask(one.tool)),
  tasks: { store: fileTaskStore(process.argv[3]!), pollIntervalMs: 50 },
  stateKeys: ['the same key for every process, long enough'],
})

if (process.argv[2] === 'stdio') {
  await serveStdio(server)
} else {
  const http = await serveHttp(server, { port: 0 })
  process.stdout.write(`${http.url}\n`)
}
