import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type BuildOptions, build } from 'esbuild'

/** A process that serves the same clients as the others. */
export class ServerProcess {
  readonly url: string
  readonly #child: ChildProcess
  /** The words that it printed. */
  readonly said: string[] = []

  private constructor(child: ChildProcess, url: string) {
    this.#child = child
    this.url = url
    child.stdout!.on('data', (chunk: Buffer) => this.said.push(...chunk.toString().trim().split('\n')))
  }

  static async start(script: string, name: string, redis: string, ...more: string[]): Promise<ServerProcess> {
    const child = spawn(process.execPath, [script, name, redis, ...more], { stdio: ['pipe', 'pipe', 'inherit'] })
    const [line] = (await once(child.stdout!, 'data')) as [Buffer]
    return new ServerProcess(child, line.toString().trim())
  }

  /** Lets the slow call finish. */
  release(): void {
    this.#child.stdin!.write('release\n')
  }

  /** Ends it with nothing said to anybody, or as an operator stops it. Returns its exit code. */
  async kill(signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL'): Promise<number | null> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return this.#child.exitCode
    this.#child.kill(signal)
    await once(this.#child, 'exit')
    return this.#child.exitCode
  }
}

/** How a program becomes one file. */
const bundling = {
  bundle: true,
  platform: 'node',
  format: 'esm',
  logLevel: 'error',
  conditions: ['tenon-source'],
  banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
} as const satisfies BuildOptions

/** The program of such a process, in one file in a folder. */
export async function buildServer(folder: string): Promise<string> {
  const outfile = join(folder, 'server.mjs')
  await build({
    entryPoints: [fileURLToPath(new URL('server-process.ts', import.meta.url))],
    outfile,
    ...bundling,
  })
  return outfile
}

/** Sends every request to the next process that is there. */
export class RoundRobin {
  readonly #server: Server
  processes: ServerProcess[]
  /** The process that got the last GET: a client listens there. */
  listening: ServerProcess | undefined
  #next = 0

  private constructor(processes: ServerProcess[]) {
    this.processes = processes
    this.#server = createServer((incoming, outgoing) => void this.#forward(incoming, outgoing))
  }

  static async start(processes: ServerProcess[]): Promise<RoundRobin> {
    const proxy = new RoundRobin(processes)
    proxy.#server.listen(0, '127.0.0.1')
    await once(proxy.#server, 'listening')
    return proxy
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/mcp`
  }

  close(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  async #forward(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = Buffer.concat(await incoming.toArray())
    const target = this.processes[this.#next++ % this.processes.length]!
    if (incoming.method === 'GET') this.listening = target
    const url = new URL(target.url)
    const headers = { ...incoming.headers, host: url.host }
    const asked = request(url, { method: incoming.method, headers }, (reply) => {
      outgoing.writeHead(reply.statusCode!, reply.headers)
      outgoing.flushHeaders()
      reply.pipe(outgoing)
      reply.on('error', () => outgoing.destroy()).on('aborted', () => outgoing.destroy())
    })
    outgoing.on('close', () => asked.destroy())
    asked.on('error', () => outgoing.destroy())
    asked.end(body)
  }
}

const endingProgram = `
  import { redis } from '@tenon/redis'
  import { serveHttp } from '@tenon/sdk/node'
  import { createServer } from '@tenon/sdk/server'
  const shared = redis(process.argv[2])
  const http = await serveHttp(createServer({ name: 'desk', version: '1' }), { ...shared })
  await shared.sessions.store.get('s')
  await http.close()
  console.log('done')
`

/** What a process prints that uses Redis, closes its server, and leaves the connection open: it has to end by itself. */
export async function outputOfEnding(url: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'redis-end-'))
  const outfile = join(folder, 'program.mjs')
  try {
    const stdin = { contents: endingProgram, resolveDir: import.meta.dirname, loader: 'ts' } as const
    await build({ stdin, ...bundling, outfile })
    return (await promisify(execFile)(process.execPath, [outfile, url], { timeout: 100_000 })).stdout
  } finally {
    rmSync(folder, { recursive: true })
  }
}
