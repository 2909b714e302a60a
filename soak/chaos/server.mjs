// One of the processes under chaos, against the built packages: node server.mjs <name> <Redis> <ledger file> serve|work [port] [host]
import { appendFileSync } from 'node:fs'
import { redis, runTasks } from '@tenon/redis'
import { serveHttp } from '@tenon/sdk/node'
import { createServer, isMcpError, resource, tool } from '@tenon/sdk/server'

const [name, url, ledger, kind, port = '0', host = '127.0.0.1'] = process.argv.slice(2)
const text = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] }
const number = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] }
const word = { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] }

/** Outside of Redis, so that a kill of anything loses none of it. */
const note = (what, id) => appendFileSync(ledger, `${what} ${id}\n`)
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
const poll = { pollIntervalMs: 100 }

const tools = [
  tool({ name: 'echo', input: text, run: ({ id }) => id }),
  tool({
    name: 'effect',
    input: text,
    run: ({ id }) => {
      note('effect', id)
      return id
    },
  }),
  tool({
    name: 'count',
    input: number,
    async run({ n }, ctx) {
      for (let step = 1; step <= n; step++) {
        await ctx.progress(step, n)
        await pause(10)
      }
      return String(n)
    },
  }),
  tool({ name: 'ask', run: async (_, ctx) => (await ctx.elicit('Which word?', word)).content?.word }),
  tool({ name: 'touch', run: () => void server.resources.changed('note:///board') }),
  tool({
    name: 'fragile',
    input: text,
    task: poll,
    async run({ id }) {
      note('fragile', id)
      await pause(150)
      return id
    },
  }),
  tool({
    name: 'repeatable',
    input: text,
    task: { ...poll, retry: { attempts: 20, delayMs: 50 } },
    async run({ id }) {
      note('repeatable', id)
      await pause(150)
      return id
    },
  }),
  tool({
    name: 'steps',
    input: text,
    task: { ...poll, retry: { attempts: 20, delayMs: 50 } },
    async run({ id }, ctx) {
      const first = await ctx.once('first', () => `first of ${id}`)
      const { content } = await ctx.elicit('Which word?', word)
      return `${first}, ${content?.word}`
    },
  }),
]

const server = createServer({
  name: 'chaos',
  version: '1',
  tools,
  resources: [resource({ uri: 'note:///board', name: 'board', read: () => 'a note' })],
  stateKeys: ['one key for all processes under chaos'],
  tasks: { leaseMs: 2_000 },
  onError: (error, { during }) => {
    if (isMcpError(error) && error.code === 'unavailable') return
    if (during !== 'connection') console.error(`${name}, ${during}: ${error?.stack ?? error}`)
  },
})

const shared = redis(url, { timeoutMs: 2_000, tasks: { work: kind === 'work' } })
if (kind === 'work') {
  await runTasks(server, { connection: shared })
  console.log('works')
} else {
  const http = await serveHttp(server, { port: Number(port), host, allowedHosts: '*', ...shared })
  console.log(http.url)
}
