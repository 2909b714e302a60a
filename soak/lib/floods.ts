import { Flooded, type KeptKind } from './flooded.ts'

/** More data of one kind than a process with this little memory could keep. */
export interface Flood {
  readonly name: string
  /** The share that is taken, and released when the attackers have left; absent for data that outlives them. */
  readonly givesBack?: KeptKind
  /** Returns the number of refused requests; undefined if none has to be. */
  run(server: Flooded): Promise<number | undefined>
}

const megabyte = 1_000_000
const filler = (bytes: number): string => 'x'.repeat(bytes)

/** Sends one after the other, some at a time. Returns the number of refused ones. */
async function many(
  count: number,
  atOnce: number,
  send: (index: number) => Promise<{ status: number }>,
): Promise<number> {
  let refused = 0
  for (let from = 0; from < count; from += atOnce) {
    const some = Array.from({ length: Math.min(atOnce, count - from) }, (_, i) => send(from + i))
    for (const { status } of await Promise.all(some)) if (status === 503) refused++
  }
  return refused
}

export const floods: readonly Flood[] = [
  {
    name: 'initialize with 4 MB that nobody needs',
    async run(server) {
      const request = server.initialize({ _meta: { junk: filler(4 * megabyte) } })
      await many(80, 2, () => server.send(request))
      return undefined
    },
  },
  {
    name: 'sessions with 60 kB of capabilities',
    async run(server) {
      const request = server.initialize({}, { experimental: { junk: { text: filler(60_000) } } })
      await many(2_000, 8, () => server.send(request))
      return undefined
    },
  },
  {
    name: 'subscriptions that name 4 MB',
    givesBack: 'subscriptions',
    async run(server) {
      const notifications = { resourceSubscriptions: ['note:///a', `none:${filler(1_000)}`] }
      const request = server.request('subscriptions/listen', { notifications, junk: filler(4 * megabyte) })
      await many(60, 2, () => server.send(request, { reads: false }))
      return undefined
    },
  },
  {
    name: 'subscriptions that keep 900 kB',
    givesBack: 'subscriptions',
    run(server) {
      const resourceSubscriptions = Array.from({ length: 30 }, (_, i) => `note:///${i}${filler(30_000)}`)
      const request = server.request('subscriptions/listen', { notifications: { resourceSubscriptions } })
      return many(40, 2, () => server.send(request, { reads: false }))
    },
  },
  {
    name: 'tasks with 4 MB of arguments',
    async run(server) {
      const request = server.request('tools/call', { name: 'job', arguments: { text: filler(4 * megabyte) } })
      await many(80, 2, () => server.send(request))
      return undefined
    },
  },
  {
    name: 'tasks with results of 2 MB',
    async run(server) {
      await many(200, 4, () =>
        server.send(server.request('tools/call', { name: 'job', arguments: { n: 2 * megabyte } })),
      )
      return undefined
    },
  },
  {
    name: 'bodies that never end',
    givesBack: 'bodies',
    async run(server) {
      const head = server.text({ ...server.request('tools/call', { name: 'small' }), body: '' }, 4 * megabyte + 1)
      const body = Buffer.from(head + filler(4 * megabyte))
      let refused = 0
      for (let count = 0; count < 200; count++) {
        const socket = server.open(body)
        const answered = new Promise<boolean>((resolve) => {
          socket
            .once('data', (chunk) => resolve(String(chunk).startsWith('HTTP/1.1 503')))
            .once('close', () => resolve(true))
          socket.resume()
        })
        // It is either read as far as it came, or refused.
        const isFull = Promise.race([answered, untilTaken(server, socket)])
        if (await isFull) refused++
      }
      return refused
    },
  },
  {
    name: 'calls that wait, with 1 MB of arguments',
    givesBack: 'calls',
    async run(server) {
      const text = server.text(server.request('tools/call', { name: 'hold', arguments: { text: filler(megabyte) } }))
      let refused = 0
      for (let count = 0; count < 100; count++) {
        const before = (await server.stats()).kept.calls.bytes
        const socket = server.open(text)
        const answered = new Promise<boolean>((resolve) => {
          socket
            .once('data', (chunk) => resolve(String(chunk).startsWith('HTTP/1.1 503')))
            .once('close', () => resolve(true))
          socket.resume()
        })
        if (await Promise.race([answered, untilMore(server, 'calls', before)])) refused++
      }
      return refused
    },
  },
  {
    name: 'events in the log',
    async run(server) {
      const { session } = await server.send(server.initialize())
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })
      const headers = { 'content-type': 'application/json', accept: 'text/event-stream', 'mcp-session-id': session! }
      const socket = server.open('')
      socket.resume()
      for (let round = 0; round < 100; round++) {
        socket.write(server.text({ headers, body }).repeat(500))
        let answers = 0
        for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
          answers += String(chunk).split('HTTP/1.1 200').length - 1
          if (answers >= 490) break
        }
      }
      return undefined
    },
  },
  {
    name: 'answers of 3 MB that nobody reads',
    givesBack: 'unsent',
    async run(server) {
      const one = server.text(server.request('tools/call', { name: 'big', arguments: { n: 3 * megabyte } }))
      for (let count = 0; count < 8; count++) server.open(one.repeat(100))
      await untilMore(server, 'unsent', 0)
      return undefined
    },
  },
  {
    name: 'answers of 3 MB that are made at the same time, and nobody reads',
    givesBack: 'unsent',
    async run(server) {
      const one = server.text(server.request('tools/call', { name: 'later', arguments: { n: 3 * megabyte } }))
      for (let count = 0; count < 3; count++) server.open(one.repeat(50))
      // They wait or were ended for it: after so many answers to us, the server has made all of theirs.
      for (let turn = 0; turn < 50; turn++) await server.stats()
      return undefined
    },
  },
]

/** Resolves to false when the server holds more of a kind than before. */
async function untilMore(server: Flooded, kind: KeptKind, before: number): Promise<false> {
  // It may lose the race and continue after the server was stopped. If the server crashed, the next request fails.
  const holdsMore = async (): Promise<boolean> => (await server.stats()).kept[kind].bytes > before
  while (server.isAlive && !(await holdsMore().catch(() => true))) await pause()
  return false
}

/** Resolves to false when all bytes are written. */
async function untilTaken(server: Flooded, socket: { writableLength: number; destroyed: boolean }): Promise<false> {
  while (socket.writableLength > 0 && !socket.destroyed) await pause()
  if (server.isAlive) await server.stats().catch(() => {})
  return false
}

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5))

const processBytes = 512 * 1024 * 1024
const patienceMs = 20_000

/** Runs a flood against a server of its own. Returns the faults. */
export async function runFlood({ name, givesBack, run }: Flood): Promise<string[]> {
  const server = await Flooded.start()
  const problems: string[] = []
  try {
    const refused = await run(server)
    if (refused === 0) problems.push('nothing was refused')
    const { kept, maxRss } = await server.stats()
    for (const [kind, { bytes, limit }] of Object.entries(kept)) {
      const most = kind === 'unsent' ? 2 * limit : limit
      if (bytes > most + 4 * megabyte) problems.push(`${bytes} bytes of ${kind} are kept, the limit is ${limit}`)
    }
    if (maxRss > processBytes) problems.push(`the process took ${Math.round(maxRss / megabyte)} MB`)
    await eventually(() => server.servesOthers())
    server.leave()
    if (givesBack !== undefined) await eventually(() => isGivenBack(server, givesBack))
  } catch (error) {
    problems.push((error as Error).message)
  } finally {
    await server.stop()
  }
  return problems.map((problem) => `flood of ${name}: ${problem}`)
}

async function isGivenBack(server: Flooded, kind: KeptKind): Promise<void> {
  const { bytes } = (await server.stats()).kept[kind]
  if (bytes > 0) throw new Error(`${bytes} bytes of ${kind} are kept when everybody has left`)
}

/** Retries until it works, or fails with the last error. */
async function eventually(check: () => Promise<void>): Promise<void> {
  const end = performance.now() + patienceMs
  for (;;) {
    try {
      return await check()
    } catch (error) {
      if (performance.now() > end) throw error
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
}
