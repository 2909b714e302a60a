import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
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
export const bundling = {
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
