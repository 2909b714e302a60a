// A server under load, as users write one, against the built package: node server.mjs <kind> <port>
import cluster from 'node:cluster'
import { existsSync, readdirSync } from 'node:fs'
import { serveHttp } from '@tenon/sdk/node'
import { createServer, prompt, resource, tool } from '@tenon/sdk/server'
import { serveSocket } from '@tenon/sdk/socket'
import { serveStdio } from '@tenon/sdk/stdio'
import { serveWebSocket } from '@tenon/sdk/websocket'

const [, , kind, port = '0'] = process.argv
const runs = new Map()
const number = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] }
const text = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] }
const answer = { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] }

/** Ends early when it is aborted. */
const sleep = (ms, signal) =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end)
  })

const tools = [
  tool({ name: 'echo', input: text, run: ({ text }) => text }),
  tool({ name: 'big', input: number, run: ({ n }) => 'x'.repeat(n) }),
  tool({
    name: 'once',
    input: text,
    run({ text }) {
      runs.set(text, (runs.get(text) ?? 0) + 1)
      return String(runs.get(text))
    },
  }),
  tool({
    name: 'slow',
    input: number,
    async run({ n }, { signal }) {
      await sleep(n, signal)
      return 'slept'
    },
  }),
  tool({
    name: 'count',
    input: number,
    async run({ n }, ctx) {
      for (let step = 1; step <= n; step++) {
        ctx.progress(step, n)
        await sleep(1, ctx.signal)
      }
      return String(n)
    },
  }),
  tool({ name: 'ask', run: async (_, ctx) => JSON.stringify(await ctx.elicit('Which word?', answer)) }),
  tool({ name: 'die', run: () => process.kill(process.pid, 'SIGKILL') }),
  tool({
    name: 'stats',
    async run() {
      runs.clear()
      for (let round = 0; round < 3; round++) {
        globalThis.gc?.()
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      const { heapUsed, external } = process.memoryUsage()
      const handles = process.getActiveResourcesInfo().length
      const files = existsSync('/proc/self/fd') ? readdirSync('/proc/self/fd').length : 0
      return JSON.stringify({ memory: heapUsed + external, handles, files })
    },
  }),
]

/** Workers are killed and connections cut on purpose; everything else is written, and the run reports it. */
function onError(error, { during }) {
  if (during !== 'http worker' && during !== 'connection') console.error(`${during}: ${error?.stack ?? error}`)
}

const server = createServer({
  onError,
  name: 'soak',
  version: '1',
  tools,
  resources: [resource({ uri: 'note:///a', name: 'a', read: () => 'a note' })],
  prompts: [prompt({ name: 'hello', run: () => 'Say hello.' })],
})

// The data of clients that left expires soon, so that its release is visible.
const sessions = { idleMs: 1_500 }
const ways = {
  stdio: () => serveStdio(server),
  http: () => serveHttp(server, { port: Number(port), sessions, eventLog: { ttlMs: 1_500 } }),
  workers: () => serveHttp(server, { port: Number(port), sessions, workers: 2 }),
  websocket: () => serveWebSocket(server, { port: Number(port) }),
  socket: () => serveSocket(server, { port: Number(port) }),
}

const listening = await ways[kind]()
if (kind !== 'stdio' && cluster.isPrimary) console.log(JSON.stringify({ port: portOf(listening) }))

function portOf({ port, url, address }) {
  return port ?? address?.port ?? Number(new URL(url).port)
}
