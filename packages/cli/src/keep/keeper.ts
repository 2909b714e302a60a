import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Bridge, bridge } from '@tenon/bridge'
import type { ConnectOptions, ProcessTarget } from '@tenon/sdk/client'
import { createServer, type Server, ToolError, tool } from '@tenon/sdk/server'
import { type SocketServer, serveSocket } from '@tenon/sdk/socket'
import { version } from '../version.ts'
import { isWindows, makeRuntimeFolder, socketPath } from './runtime-folder.ts'
import { keeperSocket } from './server-identity.ts'

/** A server to keep: how it is reached, and the name of its socket. */
export interface KeepRequest {
  name: string
  socket: string
  target: ProcessTarget | string
  options: Pick<ConnectOptions, 'headers' | 'timeoutMs'>
  /** Kept tokens are used for this address. */
  url?: string
}

/** A kept server, as `tenon up` shows it. */
export interface KeptServer {
  name: string
  socket: string
  state: 'waiting' | 'connected' | 'ended' | 'failed'
  /** The server's own name, and the revision that it speaks. */
  server?: string
  revision?: string
  /** Commands that use it at the moment. */
  commands: number
  problem?: string
}

interface Kept {
  status: Omit<KeptServer, 'commands'>
  link: Bridge
  listening: SocketServer
}

// A connection is kept until the keeper ends, which looks after idle times itself.
const unlimitedMs = 2 ** 31 - 1

type Authorize = (url: string) => ConnectOptions['auth']

/** Keeps connections to servers, each behind a socket of its own. It is a bridge, so every message passes. */
export class Keeper {
  readonly #folder: string
  readonly #authorize: Authorize
  readonly #kept = new Map<string, Kept>()
  #control: SocketServer | undefined
  #end: () => void = () => {}
  /** Resolves when the last server was given up. */
  readonly ended: Promise<void> = new Promise((resolve) => {
    this.#end = resolve
  })

  constructor(folder: string, authorize: Authorize) {
    this.#folder = folder
    this.#authorize = authorize
  }

  /** Listens; throws if another keeper does. */
  async listen(): Promise<void> {
    makeRuntimeFolder(this.#folder)
    this.#control = await serveSocket(this.#controls(), { path: socketPath(this.#folder, keeperSocket) })
    // Sockets of a keeper that was killed lead nowhere.
    if (!isWindows) {
      for (const name of readdirSync(this.#folder))
        if (/-.*\.sock$/.test(name)) rmSync(join(this.#folder, name), { force: true })
    }
  }

  /** Whether a command is connected. */
  get isBusy(): boolean {
    return [...this.#kept.values()].some(({ listening }) => listening.connections > 0) || this.#control!.connections > 0
  }

  async close(): Promise<void> {
    await Promise.all([...this.#kept.keys()].map((name) => this.#giveUp(name)))
    await this.#control?.close()
  }

  #controls(): Server {
    const name = { type: 'string' } as const
    const up = tool({
      name: 'up',
      input: {
        type: 'object',
        properties: { name, socket: name, target: {}, options: { type: 'object' }, url: name },
        required: ['name', 'socket', 'target', 'options'],
      } as const,
      run: async (request) => {
        await this.#keep(request as unknown as KeepRequest)
        return 'kept'
      },
    })
    const down = tool({
      name: 'down',
      input: { type: 'object', properties: { name } } as const,
      run: async ({ name: one }) => {
        const names = one === undefined ? [...this.#kept.keys()] : [one]
        const known = names.filter((each) => this.#kept.has(each))
        await Promise.all(known.map((each) => this.#giveUp(each)))
        if (this.#kept.size === 0) setImmediate(this.#end)
        return JSON.stringify(known)
      },
    })
    const state = tool({ name: 'state', run: () => JSON.stringify({ pid: process.pid, servers: this.#state() }) })
    return createServer({ name: 'tenon-keeper', version, tools: [up, down, state] })
  }

  #state(): KeptServer[] {
    return [...this.#kept.values()].map(({ status, listening }) => ({ ...status, commands: listening.connections }))
  }

  async #keep(request: KeepRequest): Promise<void> {
    const { name, socket, target, options, url } = request
    if (!/^[\da-f]+-[\da-f]+-[\da-f]+\.sock$/.test(socket)) throw new ToolError('socket: expected the name of a socket')
    if (this.#kept.get(name)?.status.socket === socket) return
    await this.#giveUp(name)
    const status: Kept['status'] = { name, socket, state: 'waiting' }
    const auth = url === undefined ? undefined : this.#authorize(url)
    const link = bridge(
      {
        target: typeof target === 'string' ? target : { ...target, stderr: () => {} },
        connect: { ...options, ...(auth && { auth }), onError: () => {} },
      },
      {
        name: 'tenon',
        version,
        shared: true,
        idleMs: unlimitedMs,
        onError: () => {},
        onEvent: (event) => {
          if (event.kind === 'opened')
            Object.assign(status, { state: 'connected', server: event.server, revision: event.revision })
          else if (event.kind === 'lost') Object.assign(status, { state: 'ended', problem: event.reason.message })
          else if (event.kind === 'failed') Object.assign(status, { state: 'failed', problem: String(event.error) })
        },
      },
    )
    const listening = await serveSocket(link.server, { path: socketPath(this.#folder, socket) })
    this.#kept.set(name, { status, link, listening })
  }

  async #giveUp(name: string): Promise<void> {
    const kept = this.#kept.get(name)
    if (kept === undefined) return
    this.#kept.delete(name)
    await kept.listening.close()
    await kept.link.close()
  }
}
