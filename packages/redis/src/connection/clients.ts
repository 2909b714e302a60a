import type { Duplex } from 'node:stream'
import { Cluster, type ClusterOptions, Redis, type RedisOptions } from 'ioredis'
import type { Address, Place } from './address.ts'
import { type ScriptName, scripts } from './scripts.ts'

/** One Redis, however it is found, or a cluster. */
export type RedisClient = Redis | Cluster

type Argument = string | number
export type CommandClient = RedisClient & { [name in ScriptName]: (...args: Argument[]) => Promise<unknown> }

/** BullMQ asks for the next job this long, and an answer takes a while on top. */
const longestWaitMs = 15_000

/** A client for commands. Nothing is queued for Redis while it is away, and nothing is sent twice. */
export function commandClient(address: Address, timeoutMs: number): CommandClient {
  const { at } = address
  if (at.kind !== 'cluster')
    return tolerateLateErrors(new Redis({ ...clientOptions(address, timeoutMs), scripts })) as CommandClient
  const options = clusterOptions(address, timeoutMs, timeoutMs)
  // A command whose connection was lost may have been done.
  const impatience = { retryDelayOnFailover: 0, retryDelayOnClusterDown: 0, lazyConnect: true, scripts }
  return unreferenced(new Cluster([...at.places], { ...options, ...impatience })) as CommandClient
}

/**
 * A client for messages. Every node of a cluster passes on the messages of all, so it is connected to one of them, and to
 * another after that.
 */
export function messageClient(address: Address, timeoutMs: number, nodes: () => readonly Place[]): Redis {
  const client = new Redis(clientOptions(address, timeoutMs))
  if (address.at.kind !== 'cluster') return tolerateLateErrors(client)
  let turn = Math.floor(Math.random() * nodes().length)
  return tolerateLateErrors(client, () => {
    const all = nodes()
    Object.assign(client.options, all[turn++ % all.length])
  })
}

interface Patience {
  readonly timeoutMs: number
  /** A connection is asked this often whether it is still there. */
  readonly pingMs: number
}

/** A client for a library that waits for Redis by itself: commands are kept until it is back. */
export function patientClient(address: Address, { timeoutMs, pingMs }: Patience): RedisClient {
  const { at } = address
  const patience = { enableOfflineQueue: true, autoResendUnfulfilledCommands: true, maxRetriesPerRequest: null }
  if (at.kind !== 'cluster')
    return askRegularly(
      alwaysTogether(
        tolerateLateErrors(new Redis({ ...clientOptions(address, timeoutMs), ...patience, lazyConnect: false })),
      ),
      { timeoutMs, pingMs },
    )
  const options = clusterOptions(address, timeoutMs, timeoutMs + longestWaitMs)
  const waits = { retryDelayOnFailover: 500, retryDelayOnClusterDown: 500, maxRedirections: 100 }
  const redisOptions = { ...options.redisOptions, maxRetriesPerRequest: null }
  return new Cluster([...at.places], { ...options, ...waits, redisOptions })
}

/** The library sends through this one method. */
function alwaysTogether(client: Redis): Redis {
  const send = client.sendCommand.bind(client)
  client.sendCommand = (...given) => {
    writeTogether(client)
    return send(...given)
  }
  return client
}

/** Commands of one turn of the event loop leave in one packet. */
export function writeTogether(client: Redis): void {
  const stream = client.stream as Duplex | undefined
  if (stream === undefined || stream.writableCorked > 0) return
  stream.cork()
  setImmediate(() => stream.uncork())
}

/** A connection that is silent may be half open: whoever waits on it would wait for ever. */
function askRegularly(client: Redis, { timeoutMs, pingMs }: Patience): Redis {
  const connectAnew = (): void => {
    if (client.status === 'ready') client.disconnect(true)
  }
  const ask = async (): Promise<void> => {
    if (client.status !== 'ready') return
    const timer = setTimeout(connectAnew, timeoutMs).unref()
    await client.ping().catch(() => {})
    clearTimeout(timer)
  }
  const pinger = setInterval(() => void ask(), pingMs).unref()
  return client.once('end', () => clearInterval(pinger))
}

const credentials = ({ username, password }: Pick<Address, 'username' | 'password'>) => ({
  ...(username !== undefined && { username }),
  ...(password !== undefined && { password }),
})

/** Half of the pause is random: processes that lost Redis together do not return together. */
const pause = (attempt: number): number => Math.min(2_000, 25 * 2 ** attempt) * (0.5 + Math.random() / 2)

const clientOptions = (address: Address, timeoutMs: number): RedisOptions => ({
  ...placeOptions(address, timeoutMs),
  ...credentials(address),
  ...(address.tls && { tls: address.tls }),
  db: address.database,
  lazyConnect: true,
  connectTimeout: Math.max(timeoutMs, 1_000),
  keepAlive: 10_000,
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  autoResubscribe: false,
  maxRetriesPerRequest: 0,
  disableClientInfo: true,
  retryStrategy: pause,
  // A primary that became a replica: the address leads to the new one.
  reconnectOnError: ({ message }: Error) => message.startsWith('READONLY'),
})

function placeOptions({ at, tls, sentinel }: Address, timeoutMs: number): RedisOptions {
  if (at.kind === 'one') return at.socket
  if (at.kind === 'cluster') return { ...at.places[0] }
  return {
    sentinels: [...at.places],
    name: at.name,
    sentinelRetryStrategy: pause,
    sentinelCommandTimeout: timeoutMs,
    ...(sentinel.username !== undefined && { sentinelUsername: sentinel.username }),
    ...(sentinel.password !== undefined && { sentinelPassword: sentinel.password }),
    ...(tls && { sentinelTLS: tls, enableTLSForSentinelMode: true }),
  }
}

const clusterOptions = (address: Address, timeoutMs: number, silenceMs: number): ClusterOptions => ({
  // A timer of the library would keep the process running; redirections tell of every change.
  slotsRefreshInterval: 0,
  slotsRefreshTimeout: Math.max(timeoutMs, 1_000),
  clusterRetryStrategy: pause,
  // Names stay names: certificates have them.
  dnsLookup: (name, done) => done(null, name),
  redisOptions: {
    ...credentials(address),
    ...(address.tls && { tls: address.tls }),
    connectTimeout: Math.max(timeoutMs, 1_000),
    // A node that is silent is given up, and the others are not.
    socketTimeout: silenceMs,
    keepAlive: 10_000,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    disableClientInfo: true,
  },
})

/** The library listens for one error of a socket, and TLS may report another after it, which would end the process. */
function tolerateLateErrors(client: Redis, beforeConnect: () => void = () => {}): Redis {
  const { connector } = client as unknown as { connector: { connect(...given: unknown[]): Promise<Duplex> } }
  const connect = connector.connect.bind(connector)
  connector.connect = (...given) => {
    beforeConnect()
    return connect(...given).then((socket) => socket.on('error', () => {}))
  }
  return client
}

function unreferenced(cluster: Cluster): Cluster {
  cluster.on('+node', (node: Redis) => {
    tolerateLateErrors(node).on('connect', () => unreference(node))
  })
  return cluster
}

/** Whoever waits for an answer has a timer, which keeps the process running; nobody else has to. */
export const unreference = (client: Redis): void => (client.stream as Duplex & { unref?(): void }).unref?.()
