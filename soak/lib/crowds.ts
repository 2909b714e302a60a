/** Many small things at once: sessions and streams cost little each, and are freed completely. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('../crowded.mjs', import.meta.url))
const megabyte = 1024 * 1024

interface Measured {
  heap: number
  sockets: number
}

/** A server process that reports its usage, after garbage collection. */
class Crowded {
  readonly #child: ChildProcess
  readonly url: URL

  private constructor(child: ChildProcess, url: string) {
    this.#child = child
    this.url = new URL(url)
  }

  static async start(options: object): Promise<Crowded> {
    const child = fork(program, [JSON.stringify(options)], { execArgv: ['--expose-gc'] })
    return new Crowded(child, await told<string>(child))
  }

  ask(command: 'measure' | 'close'): Promise<Measured> {
    const answer = told<Measured>(this.#child)
    this.#child.send(command)
    return answer
  }

  connect(): Socket {
    return connect(Number(this.url.port), '127.0.0.1')
  }

  async noSockets(): Promise<void> {
    while ((await this.ask('measure')).sockets > 0) await new Promise((resolve) => setTimeout(resolve, 50))
  }

  /** The status of a request in a session. */
  async post(session: string, message: object): Promise<number> {
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-session-id': session,
    }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, ...message })
    const response = await fetch(this.url, { method: 'POST', headers, body })
    await response.text()
    return response.status
  }

  stop(): void {
    this.#child.kill('SIGKILL')
  }
}

async function told<Answer>(child: ChildProcess): Promise<Answer> {
  const [message] = (await once(child, 'message')) as [{ answer: Answer }]
  return message.answer
}

export interface Crowd {
  readonly name: string
  readonly options: object
  /** Reports all faults. */
  run(server: Crowded, complain: (problem: string) => void): Promise<void>
}

const ping = { method: 'ping' }
const progress = {
  method: 'tools/call',
  params: { name: 'progress', arguments: {}, _meta: { progressToken: 1 } },
}

export const crowds: readonly Crowd[] = [
  {
    name: '10,000 abandoned sessions',
    options: { sessions: { max: 500 } },
    async run(server, complain) {
      const [listening] = await openSessions(server, 1)
      const stream = server.connect()
      stream.write(
        `GET /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\nMcp-Session-Id: ${listening}\r\n\r\n`,
      )
      await once(stream, 'data')
      const [first] = await abandon(server, 1_000)
      const before = await server.ask('measure')
      const ids = await abandon(server, 10_000)
      const after = await server.ask('measure')
      if (new Set(ids).size !== 10_000) complain(`${new Set(ids).size} of 10,000 ids differ`)
      // The records of the sessions alone would be more, and so would their events in the log.
      if (after.heap - before.heap > 2 * megabyte) complain(`${after.heap - before.heap} bytes stay`)
      const statuses = [first!, ids[0]!, ids.at(-1)!, listening!].map((id) => server.post(id, ping))
      const found = (await Promise.all(statuses)).join()
      if (found !== '404,404,200,200') complain(`the oldest, an old, the newest and a used session answer ${found}`)
      stream.destroy()
      const { heap } = await server.ask('close')
      if (heap > before.heap) complain(`${heap - before.heap} bytes stay when the server is closed`)
    },
  },
  {
    name: '5,000 idle sessions',
    options: { sessions: { max: 10_000 } },
    async run(server, complain) {
      await openSessions(server, 1_000)
      const before = await server.ask('measure')
      await openSessions(server, 5_000)
      const each = ((await server.ask('measure')).heap - before.heap) / 5_000
      if (each > 1.5 * 1024) complain(`each takes ${Math.round(each)} bytes`)
    },
  },
  {
    name: `${streamCount().toLocaleString('en')} open streams`,
    options: {},
    async run(server, complain) {
      await closeAll(await openStreams(server, 500))
      await server.noSockets()
      const before = await server.ask('measure')
      const streams = await openStreams(server, streamCount())
      const during = await server.ask('measure')
      if (during.sockets !== streams.length) complain(`${during.sockets} of ${streams.length} are open`)
      const each = (during.heap - before.heap) / streams.length
      if (each > 40 * 1024) complain(`each takes ${Math.round(each)} bytes`)
      await closeAll(streams)
      await server.noSockets()
      const left = (await server.ask('measure')).heap - before.heap
      if (left > 5 * megabyte) complain(`${left} bytes stay when all are closed`)
    },
  },
]

/** Runs a crowd against a server of its own. Returns the faults. */
export async function runCrowd({ name, options, run }: Crowd): Promise<string[]> {
  const problems: string[] = []
  const server = await Crowded.start(options)
  try {
    await run(server, (problem) => problems.push(`${name}: ${problem}`))
  } finally {
    server.stop()
  }
  return problems
}

/** 10,000, or as many as the system lets a process open. */
function streamCount(): number {
  const report = process.report.getReport() as unknown as { userLimits?: { open_files: { soft: number | string } } }
  const limit = Number(report.userLimits?.open_files.soft)
  return Number.isNaN(limit) ? 10_000 : Math.min(10_000, limit - 256)
}

/** Opens sessions, and leaves them; every tenth has an event in the log. Returns their ids. */
async function abandon(server: Crowded, count: number): Promise<string[]> {
  const ids: string[] = []
  while (ids.length < count) {
    const some = await openSessions(server, 50)
    const talkers = some.filter((_, i) => i % 10 === 0)
    const statuses = await Promise.all(talkers.map((id) => server.post(id, progress)))
    if (statuses.some((status) => status !== 200)) throw new Error(`calls are answered with ${statuses.join()}`)
    ids.push(...some)
  }
  return ids
}

const initialize = JSON.stringify({
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'crowd', version: '1' } },
})
const head = `POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${initialize.length}`

/** Sends many requests at once over one connection, and reads the ids out of the answers. */
async function openSessions(server: Crowded, count: number): Promise<string[]> {
  const socket = server.connect()
  const ids: string[] = []
  while (ids.length < count) ids.push(...(await openSome(socket, Math.min(50, count - ids.length))))
  socket.destroy()
  return ids
}

async function openSome(socket: Socket, count: number): Promise<string[]> {
  socket.write(`${head}\r\n\r\n${initialize}`.repeat(count))
  let received = ''
  for (;;) {
    received += ((await once(socket, 'data')) as [Buffer])[0]
    const ids = [...received.matchAll(/mcp-session-id: (\S+)\r\n/gi)].map((match) => match[1]!)
    if (ids.length === count && received.endsWith('}')) return ids
  }
}

const streamRequest = 'GET /sse HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n'

/** Opens streams and waits for the first event of each, some at a time, as the queue of new connections is short. */
async function openStreams(server: Crowded, count: number): Promise<Socket[]> {
  const sockets: Socket[] = []
  while (sockets.length < count) {
    const some = Array.from({ length: Math.min(250, count - sockets.length) }, () => {
      const socket = server.connect()
      socket.write(streamRequest)
      return socket
    })
    sockets.push(...some)
    for (const [beginning] of await Promise.all(some.map((socket) => once(socket, 'data')))) {
      if (!String(beginning).startsWith('HTTP/1.1 200')) throw new Error(`a stream begins with ${beginning}`)
    }
  }
  return sockets
}

async function closeAll(sockets: Socket[]): Promise<void> {
  const closed = sockets.map((socket) => once(socket, 'close'))
  for (const socket of sockets) socket.destroy()
  await Promise.all(closed)
}
