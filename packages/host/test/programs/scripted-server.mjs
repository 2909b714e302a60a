// A server written by hand, whose behaviour is a JSON file that it reads for every request: it can say anything.
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

const [file] = process.argv.slice(2)
const script = () => JSON.parse(readFileSync(file, 'utf8'))
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const waiting = new Map()
let count = 0

const ask = (method, params) =>
  new Promise((resolve) => {
    const id = `s${++count}`
    waiting.set(id, resolve)
    send({ id, method, params })
  })

const text = (value) => ({
  content: [{ type: 'text', text: typeof value === 'string' ? value : JSON.stringify(value) }],
})

async function call({ name, arguments: args }) {
  const { asks = {}, results = {}, crashes = [] } = script()
  if (crashes.includes(name)) process.exit(3)
  if (name === 'pid') return text(String(process.pid))
  if (name === 'changed') send({ method: 'notifications/tools/list_changed' })
  if (Object.hasOwn(asks, name)) return text(await ask(asks[name].method, asks[name].params))
  return Object.hasOwn(results, name) ? results[name] : text(args ?? {})
}

const methods = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion: protocolVersion === '2026-07-28' ? '2025-11-25' : protocolVersion,
    capabilities: { tools: { listChanged: true }, resources: {}, prompts: {} },
    serverInfo: { name: 'scripted', version: '1.0.0' },
  }),
  ping: () => ({}),
  'tools/list': () => ({ tools: (script().tools ?? []).map((tool) => ({ inputSchema: { type: 'object' }, ...tool })) }),
  'resources/list': () => ({ resources: script().resources ?? [] }),
  'resources/templates/list': () => ({ resourceTemplates: [] }),
  'prompts/list': () => ({ prompts: script().prompts ?? [] }),
  'resources/read': ({ uri }) => ({ contents: [{ uri, text: `${process.argv[3] ?? 'scripted'} has ${uri}` }] }),
  'tools/call': call,
}

process.stderr.write(`started ${process.pid}\n`)
if (script().dies) process.exit(4)
createInterface({ input: process.stdin }).on('line', async (line) => {
  const { id, method, params, result, error } = JSON.parse(line)
  if (method === undefined) return waiting.get(id)?.(result ?? { error })
  if (id === undefined) return
  if (script().silent?.includes(method)) return
  const answer = methods[method]
  if (answer === undefined) return send({ id, error: { code: -32601, message: 'Method not found' } })
  send({ id, result: await answer(params ?? {}) })
})
