import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Bridge, bridge } from '@tenon/bridge'
import type { ConnectOptions, ProcessTarget } from '@tenon/sdk/client'
import { type AnyServer, createServer, type Server, ToolError, tool } from '@tenon/sdk/server'
import { type SocketServer, serveSocket, socketChannel } from '@tenon/sdk/socket'
import type { TlsTrust } from '../server/tls-trust.ts'
import { version } from '../version.ts'
import { makeRuntimeFolder } from './runtime-folder.ts'
import { keeperSocket } from './server-identity.ts'
import { addressOf, newAddress, publishAddress, withdrawAddress } from './socket-address.ts'

/** A server to keep: how it is reached, and the name of its socket. */
export interface KeepRequest {
  name: string
  socket: string
  target: ProcessTarget | string
  options: Pick<ConnectOptions, 'headers' | 'timeoutMs' | 'httpLimits'>
  /** The certificates that are trusted, if not those that Node trusts. */
  trust?: TlsTrust
  /** Options of the command line changed the connection, which no later command can repeat. */
  hasOwnOptions: boolean
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
  /** `tenon up` was given options for the connection. */
  hasOwnOptions: boolean
  problem?: string
}

interface Kept {
  status: Omit<KeptServer, 'commands'>
  link: Bridge
  listening: SocketServer
}

// A connection is kept until the keeper ends, which looks after idle times itself.
const unlimitedMs = 2 ** 31 - 1

type Authorize = (url: string, trust: TlsTrust | undefined) => ConnectOptions['auth']

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
    this.#control = await this.#serve(this.#controls(), keeperSocket)
    // Sockets of a keeper that was killed lead nowhere.
    for (const name of readdirSync(this.#folder))
      if (/-.*\.sock$/.test(name)) rmSync(join(this.#folder, name), { force: true })
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
        properties: {
          ...{ name, socket: name, target: {}, options: { type: 'object' }, url: name },
          ...{ trust: { type: 'object' }, hasOwnOptions: { type: 'boolean' } },
        },
        required: ['name', 'socket', 'target', 'options', 'hasOwnOptions'],
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
    const { name, socket, target, options, trust, url, hasOwnOptions } = request
    if (!/^[\da-f]+-[\da-f]+-[\da-f]+\.sock$/.test(socket)) throw new ToolError('socket: expected the name of a socket')
    const before = this.#kept.get(name)?.status
    if (before?.socket === socket && !before.hasOwnOptions && !hasOwnOptions) return
    await this.#giveUp(name)
    const status: Kept['status'] = { name, socket, state: 'waiting', hasOwnOptions }
    const auth = url === undefined ? undefined : this.#authorize(url, trust)
    const agent = trust && new (await import('node:https')).Agent({ keepAlive: true, ...trust })
    const link = bridge(
      {
        target: typeof target === 'string' ? target : { ...target, stderr: () => {} },
        connect: { ...options, ...(agent && { agent }), ...(auth && { auth }), onError: () => {} },
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
    const listening = await this.#serve(link.server, socket)
    this.#kept.set(name, { status, link, listening })
  }

  /** Serves on a socket of the folder. */
  async #serve(server: AnyServer, name: string): Promise<SocketServer> {
    const path = join(this.#folder, name)
    const address = newAddress(path)
    if (await isTaken(path, address)) throw new Error(`${path} is in use`)
    const listening = await serveSocket(server, { path: address })
    publishAddress(path, address)
    return {
      ...{ address: listening.address, [Symbol.asyncDispose]: () => listening.close() },
      get connections() {
        return listening.connections
      },
      close: async () => {
        withdrawAddress(path, address)
        await listening.close()
      },
    }
  }

  async #giveUp(name: string): Promise<void> {
    const kept = this.#kept.get(name)
    if (kept === undefined) return
    this.#kept.delete(name)
    await kept.listening.close()
    await kept.link.close()
  }
}

/** Paths collide, the names of pipes do not: then the file may lead to another keeper. */
async function isTaken(path: string, address: string): Promise<boolean> {
  const other = address === path ? undefined : addressOf(path)
  if (other === undefined) return false
  const channel = await socketChannel({ path: other }).catch(() => undefined)
  await channel?.close()
  return channel !== undefined
}
