import { McpError } from '../../errors.ts'
import { type HttpClientOptions, httpDefaults } from '../../http-client/http-options.ts'
import { remember, verdictFor } from '../../http-client/verdicts.ts'
import type { MaybePromise } from '../../internal/maybe-promise.ts'
import type { AuthInfo } from '../../jsonrpc/auth-info.ts'
import type { Channel } from '../../jsonrpc/channel.ts'
import { describe, isObject } from '../../jsonrpc/classify.ts'
import type { Revision } from '../../model/revision.ts'
import type { SpawnOptions } from '../../transport/process/process.ts'
import { clientConversationFor } from '../choose-conversation.ts'
import type { ClientConversation } from '../conversation.ts'
import { omitUndefined } from '../omit-undefined.ts'

/** How often, and after which pause, a process that ended by itself is started again. */
export interface RestartOptions {
  /** Starts in a row without a stable time in between; after that the client closes. 5. */
  maxAttempts?: number
  /** The pause before the second start; it doubles with each further one. 250. */
  backoffMs?: number
  /** A server that ran this long counts as stable. 30,000. */
  stableMs?: number
}

/** The same for any target. */
export interface RestartPlan extends RestartOptions {
  /** The longest pause. */
  maxBackoffMs?: number
  /** The server runs by itself: after the attempts in a row the client stays open, and tries again with each call. */
  persistent?: boolean
}

/** A server to be started as a process that speaks on its stdin and stdout. */
export interface ProcessTarget extends SpawnOptions {
  /** Restarts the process when it ends by itself. Calls in flight fail at once, later ones wait for the new process. */
  restart?: boolean | RestartOptions
}

/** A server definition, as `createServer` makes it. */
export interface ServerTarget {
  connect(channel: Channel, info?: { transport: string; auth?: AuthInfo }): unknown
}

/** A server that `connect` can connect to. */
export type Target = ProcessTarget | ServerTarget | Channel | (() => MaybePromise<Channel>) | URL | string

/** How channels to a target are made. */
export interface Opener {
  open(): MaybePromise<Channel>
  /** Whether `open` works more than once. */
  reopenable: boolean
  restart?: RestartPlan
  /** How earlier connections to the same server were opened. */
  memory?: {
    /** The first revision to try, of some given newest first. */
    first(revisions: readonly Revision[]): Revision | undefined
    learn(conversation: ClientConversation): void
  }
  /** Whether earlier connections found that the server can ask only in a session. */
  asking?: AskingMemory
}

interface AskingMemory {
  needsSession(): boolean
  learn(): void
}

const askingMemory = (server: URL | string): AskingMemory => ({
  needsSession: () => verdictFor(server).asksInSession === true,
  learn: () => remember(server, { asksInSession: true }),
})

/** Options for opening a target. */
interface OpenOptions extends HttpClientOptions {
  warn?: (message: string) => void
}

/** The opener for a target. A new kind of target is a line here. */
export function openTarget(target: Target, options: OpenOptions = {}): Opener {
  if (typeof target === 'function') return { open: target, reopenable: true }
  if (typeof target === 'string' || target instanceof URL) return urlOpener(String(target), options)
  if (isProcess(target)) return processOpener(target)
  if (isServer(target)) return { open: () => openInMemory(target), reopenable: true }
  if (isChannel(target)) return { open: () => target, reopenable: false }
  const expected = 'a URL, { command }, a server, a channel or a function that opens one'
  throw new McpError('invalid_argument', `target: expected ${expected}, got ${nameTarget(target)}`)
}

function nameTarget(target: unknown): string {
  if (target instanceof Promise) return 'a promise, which has to be awaited first'
  return isObject(target) ? `an object with the members ${Object.keys(target).join(', ') || 'none'}` : describe(target)
}

const has = (target: object, member: string, type: string): boolean =>
  typeof (target as Record<string, unknown> | null)?.[member] === type

const isProcess = (target: object): target is ProcessTarget => has(target, 'command', 'string')
const isServer = (target: object): target is ServerTarget => has(target, 'connect', 'function')
const isChannel = (target: object): target is Channel =>
  has(target, 'open', 'function') && has(target, 'send', 'function') && has(target, 'close', 'function')

function processOpener({ restart, ...spawn }: ProcessTarget): Opener {
  assertArgs(spawn.args)
  const open = async (): Promise<Channel> => {
    // Loaded when needed: it is the only part of the client that needs Node and a dependency.
    const { spawnChannel } = await import('../../transport/process/process.ts')
    // Bundles for browsers leave that module out, as the manifest says.
    if (spawnChannel === undefined) throw new McpError('unsupported', 'Processes cannot be started in a browser')
    return spawnChannel(spawn)
  }
  const { command, args, cwd } = spawn
  const opener = { open, reopenable: true, asking: askingMemory(JSON.stringify([command, args, cwd])) }
  return restart ? { ...opener, restart: restart === true ? {} : restart } : opener
}

function assertArgs(args: unknown): void {
  if (args === undefined || (Array.isArray(args) && args.every((arg) => typeof arg === 'string'))) return
  const found = Array.isArray(args) ? describe(args.find((arg) => typeof arg !== 'string')) : describe(args)
  throw new McpError('invalid_argument', `args: expected an array of strings, got ${found}`)
}

function urlOpener(text: string, options: OpenOptions): Opener {
  if (!/^(?:https?|wss?):/i.test(text) || !URL.canParse(text)) throw notConnectable(text)
  const url = new URL(text)
  if (url.protocol.startsWith('ws')) return webSocketOpener(url, options)
  const { headers, auth, fetch, agent, dispatcher, onStream, onHttp, httpLimits, warn } = options
  const http = omitUndefined({ headers, auth, fetch, agent, dispatcher, onStream, onHttp, httpLimits, warn })
  return {
    // Loaded when needed: clients of processes do not pay for it.
    open: async () => (await import('../../http-client/open-http.ts')).openHttp(url, http),
    reopenable: true,
    // Only a stream of the oldest transport ends by itself.
    restart: reconnection(options),
    memory: {
      first(revisions) {
        const { opening } = verdictFor(url)
        return revisions.find((revision) => clientConversationFor(revision).opening === opening)
      },
      learn: ({ opening }) => remember(url, { opening }),
    },
    asking: askingMemory(url),
  }
}

const reconnection = ({ httpLimits }: OpenOptions): RestartPlan => {
  const { reconnectMs, maxReconnectMs } = { ...httpDefaults, ...httpLimits }
  return { backoffMs: reconnectMs, maxBackoffMs: maxReconnectMs, persistent: true }
}

function webSocketOpener(url: URL, options: OpenOptions): Opener {
  const { headers, auth, httpLimits } = options
  const open = async (): Promise<Channel> => {
    const given = typeof headers === 'function' ? await headers() : headers
    const { maxMessageBytes } = httpLimits ?? {}
    const added = { ...(given && { headers: given }), ...(maxMessageBytes !== undefined && { maxMessageBytes }) }
    if (auth === undefined) return (await import('../../websocket/connect.ts')).webSocketChannel(url, added)
    return (await import('../../websocket/authorized.ts')).authorizedChannel(url, auth, added)
  }
  // A connection ends with the token that opened it.
  return { open, reopenable: true, ...(auth && { restart: reconnection(options) }) }
}

async function openInMemory(server: ServerTarget): Promise<Channel> {
  // Loaded when needed: most servers are elsewhere.
  const { memoryPair } = await import('../../transport/memory.ts')
  const [near, far] = memoryPair()
  server.connect(far, { transport: 'memory' })
  return near
}

function notConnectable(text: string): McpError {
  if (URL.canParse(text)) {
    return new McpError('unsupported', `Cannot connect to ${text}: expected an http, https, ws or wss URL`)
  }
  // An address with a slip is not a command.
  if (/^(?:https?|wss?):\/\//i.test(text)) {
    const [, port] = /^\w+:\/\/[^/?#]*:(\d+)(?:[/?#]|$)/.exec(text) ?? []
    const why = Number(port) > 65_535 ? `; the port is ${port}, and the largest one is 65535` : ''
    return new McpError('invalid_argument', `target: expected a URL, got ${JSON.stringify(text)}${why}`)
  }
  const [command, ...args] = text.split(' ')
  const example = `{ command: ${JSON.stringify(command)}, args: ${JSON.stringify(args)} }`
  return new McpError(
    'invalid_argument',
    `target: expected a URL, got ${JSON.stringify(text)}; to start a process give ${example}`,
  )
}
