/**
 * The program that runs a server for `tenon dev`: loads the file as if it had been started by itself, and serves the
 * server it exports over standard input and output, unless the file does so itself.
 */
import { createRequire, register } from 'node:module'
import { type AddressInfo, Server as NetServer } from 'node:net'
import { pathToFileURL } from 'node:url'
import type { Server } from '@tenon/sdk/server'
import { serveStdio } from '@tenon/sdk/stdio'
import { prefixVariable, writeRunnerMessage } from './runner-messages.ts'

const [node, self, file = '', ...args] = process.argv
const prefix = process.env[prefixVariable] ?? ''
// The file sees the same `argv` and variables as without the runner.
process.argv = [node!, file, ...args]
const { TENON_DEV_URL: ownUrl } = process.env
delete process.env[prefixVariable]
delete process.env.TENON_DEV_URL

const listening: string[] = []
register(import.meta.url.replace(/runner(\.\w+)$/, 'loader$1'), { data: prefix })
noteListening()

let module: { [name: string]: unknown }
try {
  module = await import(pathToFileURL(file).href)
} finally {
  tellOfRequired()
}
// A server behind an address is not served here; it ends with `tenon dev`, and so do its child processes.
if (ownUrl !== undefined) process.stdin.once('end', endAll).resume()
else await serve(module)

function endAll(): void {
  process.kill(process.platform === 'win32' ? process.pid : -process.pid, 'SIGKILL')
}

/** A file that listens can be reached where it listens. */
function noteListening(): void {
  const { listen } = NetServer.prototype
  NetServer.prototype.listen = function (this: NetServer, ...given: unknown[]): NetServer {
    this.once('listening', () => {
      const address = this.address() as AddressInfo | string | null
      if (typeof address !== 'object' || address === null) return
      const host = address.address === '::' || address.address === '0.0.0.0' ? '127.0.0.1' : address.address
      listening.push(`http://${host.includes(':') ? `[${host}]` : host}:${address.port}`)
    })
    return Reflect.apply(listen, this, given) as NetServer
  } as typeof listen
}

/** CommonJS modules do not go through the hooks. */
function tellOfRequired(): void {
  for (const name of Object.keys(createRequire(import.meta.url).cache)) {
    const path = name.replace(/^file:\/\//, '').replace(/\?.*$/, '')
    if (!path.includes('/node_modules/') && path !== self) writeRunnerMessage(prefix, { kind: 'loaded', file: path })
  }
}

/** True if the file listens to standard input. */
function servesItself(): boolean {
  return process.stdin.listenerCount('data') + process.stdin.listenerCount('readable') > 0
}

/** Serves the exported server, unless the file serves itself; reports if there is none. */
async function serve(exported: { [name: string]: unknown }): Promise<void> {
  const found = [exported.default, exported.server, ...Object.values(exported)].find(isServer)
  // Many files end with `main()`, which needs a moment to get to the point.
  await served(found === undefined ? 1_500 : 20)
  if (servesItself()) return
  if (found !== undefined) {
    await serveStdio(found)
    return
  }
  const [foreign] = Object.entries(exported).find(([, value]) => isForeign(value)) ?? []
  if (listening[0] !== undefined) writeRunnerMessage(prefix, { kind: 'listening', url: listening[0] })
  else if (foreign !== undefined) writeRunnerMessage(prefix, { kind: 'foreign', name: foreign })
  else writeRunnerMessage(prefix, { kind: 'nothing', exported: Object.keys(exported) })
}

/** Waits until the file serves; not for long if it listens elsewhere. */
async function served(patienceMs: number): Promise<void> {
  const start = performance.now()
  while (!servesItself() && performance.now() < start + (listening.length > 0 ? 200 : patienceMs)) {
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

function isServer(value: unknown): value is Server {
  return hasMethod(value, 'connect') && !isForeign(value)
}

/** Servers of the official SDK are connected to transports of their own. */
function isForeign(value: unknown): boolean {
  return hasMethod(value, 'connect') && (hasMethod(value, 'registerTool') || hasMethod(value, 'setRequestHandler'))
}

function hasMethod(value: unknown, name: string): boolean {
  return (
    typeof value === 'object' && value !== null && typeof (value as { [name: string]: unknown })[name] === 'function'
  )
}
