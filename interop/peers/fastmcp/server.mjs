import { createServer } from 'node:net'
import { FastMCP, imageContent, UserError } from 'fastmcp'
import { z } from 'zod'
import { announce } from '../../lib/listen.mjs'
import { names, picture } from '../work.mjs'

const transport = process.argv[2]
const quiet = { debug() {}, error: console.error, info() {}, log() {}, warn() {} }
const server = new FastMCP({ name: 'interop-server', version: '1.0.0', logger: quiet })
const reporting = new Set()
let cancelled = 0

/** It adds a session a while after the handshake, when calls may have arrived already. Over stdio there is only one. */
async function sessionWith(id) {
  for (;;) {
    const found = server.sessions.find(({ sessionId }) => sessionId === id)
    if (found) return found
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

server.addTool({ name: 'echo', parameters: z.object({ text: z.string() }), execute: async ({ text }) => text })
server.addTool({
  name: 'add',
  parameters: z.object({ a: z.number(), b: z.number() }),
  outputSchema: z.object({ sum: z.number() }),
  execute: async ({ a, b }) => ({ sum: a + b }),
})
server.addTool({ name: 'picture', execute: () => imageContent({ buffer: Buffer.from(picture, 'base64') }) })
server.addTool({
  name: 'large',
  parameters: z.object({ bytes: z.number() }),
  execute: async ({ bytes }) => 'x'.repeat(bytes),
})
server.addTool({
  name: 'fail',
  execute: async () => {
    throw new UserError('It did not work')
  },
})
server.addTool({
  name: 'count',
  parameters: z.object({ to: z.number() }),
  execute: async ({ to }, { reportProgress }) => {
    for (let progress = 1; progress <= to; progress++) await reportProgress({ progress, total: to })
    return 'Counted'
  },
})
server.addTool({
  name: 'report',
  execute: async (_args, { reportProgress }) => {
    for (let progress = 1; progress <= 5; progress++) await reportProgress({ progress, total: 5 })
    await new Promise((resolve) => reporting.add(resolve))
    return 'Released'
  },
})
server.addTool({
  name: 'release',
  execute: async () => {
    for (const goOn of reporting) goOn()
    return 'Done'
  },
})
server.addTool({
  name: 'wait',
  execute: async (_args, { reportProgress, signal }) => {
    await reportProgress({ progress: 1 })
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
    cancelled++
    return 'Cancelled'
  },
})
server.addTool({ name: 'cancellations', execute: async () => `${cancelled}` })
server.addTool({
  name: 'ask_model',
  parameters: z.object({ question: z.string() }),
  execute: async ({ question }, { sessionId }) => {
    const session = await sessionWith(sessionId)
    const messages = [{ role: 'user', content: { type: 'text', text: question } }]
    const { content } = await session.requestSampling({ messages, maxTokens: 100 })
    return content.text
  },
})
server.addTool({
  name: 'ask_user',
  execute: async (_args, { elicit }) => {
    const requestedSchema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }
    const { action, content } = await elicit({ message: 'Who are you?', requestedSchema })
    return action === 'accept' ? `The user is ${content.name}` : 'The user did not say'
  },
})
server.addTool({
  name: 'show_roots',
  execute: async (_args, { sessionId }) => {
    const session = await sessionWith(sessionId)
    return session.roots.map(({ uri }) => uri).join('\n')
  },
})
server.addTool({
  name: 'touch',
  execute: async () => {
    await server.sendResourceUpdated('note:///motto')
    return 'Touched'
  },
})
server.addTool({
  name: 'extend',
  parameters: z.object({ on: z.boolean() }),
  execute: async ({ on }) => {
    if (on) server.addTool({ name: 'extra', execute: async () => 'Extra' })
    else server.removeTool('extra')
    return 'Done'
  },
})
server.addTool({
  name: 'log',
  execute: async (_args, { log }) => {
    log.info('A line in the log')
    return 'Logged'
  },
})

const motto = { uri: 'note:///motto', name: 'motto', mimeType: 'text/plain' }
server.addResource({ ...motto, load: async () => ({ text: 'Measure twice' }) })
const image = { uri: 'note:///picture', name: 'picture', mimeType: 'image/png' }
server.addResource({ ...image, load: async () => ({ blob: picture }) })
server.addResourceTemplate({
  uriTemplate: 'note:///by/{name}',
  name: 'note',
  mimeType: 'text/plain',
  arguments: [{ name: 'name', required: true }],
  load: async ({ name }) => ({ text: `A note by ${name}` }),
})
const complete = async (typed) => ({ values: names.filter((one) => one.startsWith(typed)) })
server.addPrompt({
  name: 'greet',
  arguments: [{ name: 'name', required: true, complete }],
  load: async ({ name }) => `Greet ${name}`,
})

// It does not report the port that it got for 0.
async function freePort() {
  const probe = createServer()
  await new Promise((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const { port } = probe.address()
  await new Promise((resolve) => probe.close(resolve))
  return port
}

if (transport === 'stdio') await server.start({ transportType: 'stdio' })
else {
  const port = await freePort()
  await server.start({ transportType: 'httpStream', httpStream: { port, host: '127.0.0.1' } })
  announce(`http://127.0.0.1:${port}/${transport === 'sse' ? 'sse' : 'mcp'}`)
}
