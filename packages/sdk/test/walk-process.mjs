// Prints the modules of the library that run while a tool is called: `server` for the side of a server, `client` for a
// call that asks the user. Started with the condition `module`, so that each module is a file.
import { writeSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { PassThrough } from 'node:stream'
import { connect } from '@tenon/sdk/client'
import { createServer, tool } from '@tenon/sdk/server'
import { serveStdio } from '@tenon/sdk/stdio'

const name = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }
const greet = tool({ name: 'greet', input: name, run: ({ name }) => `Hello ${name}` })
const ask = tool({
  name: 'ask',
  run: async (_, ctx) => {
    const answer = await ctx.elicit('Your name?', name)
    return answer.action
  },
})
const server = createServer({ name: 'walk', version: '1', tools: [greet, ask] })

/** Calls `greet` over stdio, in the newest revision. */
function overStdio() {
  const [input, output] = [new PassThrough(), new PassThrough()]
  serveStdio(server, { input, output })
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const params = { _meta, name: 'greet', arguments: { name: 'Ada' } }
  let id = 0
  return async () => {
    const answered = new Promise((resolve) => output.once('data', resolve))
    input.write(`${JSON.stringify({ jsonrpc: '2.0', id: ++id, method: 'tools/call', params })}\n`)
    await answered
  }
}

async function withQuestion() {
  const elicit = async () => ({ action: 'accept', content: { name: 'Ada' } })
  const client = await connect(server, { elicit })
  return () => client.callTool('ask')
}

const call = process.argv[2] === 'client' ? await withQuestion() : overStdio()
// Lazy modules are loaded and lists are known by the second call.
await call()
await call()
const session = new Session()
session.connect()
await session.post('Profiler.enable')
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
await session.post('Profiler.takePreciseCoverage')
await call()
const { result } = await session.post('Profiler.takePreciseCoverage')
const ran = result
  .filter(({ functions }) => functions.some(({ functionName, ranges }) => functionName !== '' && ranges[0].count > 0))
  .flatMap(({ url }) => /\/dist\/modules\/(.*)\.js$/.exec(url)?.[1] ?? [])
writeSync(1, JSON.stringify(ran))
process.exit()
