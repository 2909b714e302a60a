// The everything server over the given transport, with tools that show a cancellation and wait for the client.
import { tool } from '@tenon/sdk/server'
import { createEverythingServer } from '@tenon/server-everything'
import { restartUrl } from '../lib/control.mjs'
import { announce } from '../lib/listen.mjs'

const transport = process.argv[2]
const { REDIS_URL } = process.env
/** With `REDIS_URL` this is one of several processes, and its tools work across all of them. */
const shared = REDIS_URL === undefined ? undefined : (await import('@tenon/redis')).redis(REDIS_URL)
let cancelled = 0

const reporting = new Set()

const report = tool({
  name: 'report',
  description: 'Reports progress five times, and goes on when it is released',
  async run(_input, ctx) {
    for (let step = 1; step <= 5; step++) await ctx.progress(step, 5)
    await new Promise((resolve) => reporting.add(resolve))
    return 'Released'
  },
})
const goOn = await everywhere('release', () => {
  for (const resolve of reporting) resolve()
})
const release = tool({
  name: 'release',
  description: 'Lets all calls of report go on',
  async run() {
    await goOn()
    return 'Done'
  },
})

const countUp = await everywhere('cancelled', () => {
  cancelled++
})
const wait = tool({
  name: 'wait',
  description: 'Waits until it is cancelled',
  async run(_input, ctx) {
    await ctx.progress(1)
    await new Promise((resolve) => ctx.signal.addEventListener('abort', resolve, { once: true }))
    await countUp()
    return 'Cancelled'
  },
})
const count = tool({
  name: 'cancellations',
  description: 'How many calls of wait were cancelled',
  run: () => `${cancelled}`,
})

const large = tool({
  name: 'large',
  description: 'As many characters as wanted',
  input: { type: 'object', properties: { bytes: { type: 'number' } }, required: ['bytes'] },
  run: ({ bytes }) => 'x'.repeat(bytes),
})

/** Lets a function run in all processes of this server. */
async function everywhere(topic, run) {
  if (shared === undefined) return run
  const { bus } = shared.sessions
  await bus.subscribe(`interop ${topic}`, run)
  return () => bus.publish(`interop ${topic}`, '')
}

const server = createEverythingServer({
  onError: (error) => console.error(error),
  ...(shared && { stateKeys: ['one key for all processes of this server'] }),
})
const whoami = tool({ name: 'whoami', description: 'Who is calling', run: (_, ctx) => `${ctx.auth?.principal}` })
server.tools.add(report, release, wait, count, whoami, large)

/** The same server, for clients with a token of an authorization server beside it. */
async function serveProtected(serveHttp) {
  const { serveIssuer } = await import('@tenon/issuer')
  const { bearer } = await import('@tenon/sdk/auth/server')
  const as = await serveIssuer({ users: [{ subject: 'ada', name: 'Ada' }] })
  return (await serveHttp(server, { port: 0, auth: bearer({ issuer: as.url }) })).url
}

// Loaded lazily: over stdio a server is started for every task.
if (transport.startsWith('stdio')) {
  const { serveStdio } = await import('@tenon/sdk/stdio')
  await serveStdio(server)
} else if (transport === 'websocket') {
  const { serveWebSocket } = await import('@tenon/sdk/websocket')
  announce((await serveWebSocket(server, { port: 0 })).url)
} else if (shared) {
  const { serveHttp } = await import('@tenon/sdk/node')
  console.log((await serveHttp(server, { port: 0, ...shared })).url)
} else {
  const { serveHttp } = await import('@tenon/sdk/node')
  let http = await serveHttp(server, { port: 0 })
  const { url, port } = http
  const restart = async () => {
    await http.close()
    http = await serveHttp(server, { port })
  }
  const more = { restartUrl: await restartUrl(restart), protectedUrl: await serveProtected(serveHttp) }
  announce(transport === 'sse' ? new URL('/sse', url).href : url, more)
}
