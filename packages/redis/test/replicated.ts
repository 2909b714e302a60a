/** Several Redis for tests, of which one takes over when another dies: when it is told to, so that no load decides it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { vi } from 'vitest'
import { freePort, startRedis, type TestRedis } from '../../../scripts/test-redis.ts'
import type { RedisConnectionOptions } from '../src/index.ts'
import { newCertificate } from './certificate.ts'

interface Cluster extends Replicated {
  /** Ends a process and starts it again, so that the others connect to it anew. */
  restart(node: Redis): Promise<void>
}

/** Redis that survives the death of the process that has the keys of tasks and sessions. */
export interface Replicated {
  readonly url: string
  /** More than the address says. */
  readonly options: RedisConnectionOptions
  /** A client of one of its processes, to look behind the stores. */
  readonly nodes: readonly Redis[]
  /** Kills a primary, once its replica has everything, and resolves when the replica took over. */
  failOver(): Promise<void>
  stop(): Promise<void>
}

/** Resolves when something is so; a failure says that it is not yet. */
const until = (check: () => Promise<boolean>): Promise<void> =>
  vi.waitFor(
    async () => {
      if (!(await check())) throw new Error('It did not come to that')
    },
    { timeout: 60_000, interval: 20 },
  )

const password = 'geheim-7'
const secured = ['--requirepass', password, '--masterauth', password, '--repl-diskless-sync-delay', '0']

const clientOf = ({ socket }: TestRedis): Redis => {
  const client = new Redis(socket, { password })
  client.on('error', () => {})
  return client
}

const infoOf = async (client: Redis, field: string): Promise<string | undefined> =>
  new RegExp(`^${field}:(.*?)\\r?$`, 'm').exec(
    `${await client.info()}\n${await client.cluster('INFO').catch(() => '')}`,
  )?.[1]

async function replicates(replica: Redis): Promise<void> {
  await until(async () => (await infoOf(replica, 'master_link_status')) === 'up')
}

/** Kills a primary when its replica has everything that was acknowledged. */
async function killCaughtUp(primary: Redis, process: TestRedis): Promise<void> {
  // Redis waits for the writes of this connection, and so for all that came before.
  await primary.set('{tasks}:caught-up', '1')
  await until(async () => (await primary.wait(1, 60_000)) === 1)
  await process.kill()
}

/** Three primaries, and a replica of the one that has the keys of tasks. */
export async function startCluster(): Promise<Cluster> {
  const ports = await Promise.all([1, 2, 3, 4].map(async () => [await freePort(), await freePort()] as const))
  const processes: TestRedis[] = []
  for (const [port, bus] of ports) {
    const cluster = ['--cluster-enabled', 'yes', '--cluster-port', String(bus), '--cluster-node-timeout', '60000']
    processes.push(await startRedis({ args: ['--port', String(port), ...cluster, ...secured] }))
  }
  const nodes = processes.map(clientOf)
  const [first, , , spare] = nodes as [Redis, Redis, Redis, Redis]
  for (const [port, bus] of ports.slice(1)) await first.call('CLUSTER', 'MEET', '127.0.0.1', port, bus)
  const ranges = [
    [0, 5_460],
    [5_461, 10_922],
    [10_923, 16_383],
  ] as const
  for (const [index, [from, to]] of ranges.entries()) await nodes[index]!.call('CLUSTER', 'ADDSLOTSRANGE', from, to)
  const slot = Number(await first.cluster('KEYSLOT', 'tasks'))
  const owner = ranges.findIndex(([from, to]) => from <= slot && slot <= to)
  const ownerId = String(await nodes[owner]!.cluster('MYID'))
  await until(() => spare.cluster('REPLICATE', ownerId).then(() => true))
  await replicates(spare)
  const isWhole = async (node: Redis): Promise<boolean> =>
    (await infoOf(node, 'cluster_state')) === 'ok' && (await infoOf(node, 'cluster_known_nodes')) === '4'
  for (const node of nodes) await until(() => isWhole(node))
  const named = [owner, (owner + 1) % 3].map((index) => `127.0.0.1:${ports[index]![0]}`)
  return {
    options: {},
    url: `redis+cluster://:${password}@${named.join(',')}`,
    nodes,
    async restart(node) {
      const process = processes[nodes.indexOf(node)]!
      await process.kill()
      await process.restart()
    },
    async failOver() {
      await killCaughtUp(nodes[owner]!, processes[owner]!)
      await spare.cluster('FAILOVER', 'TAKEOVER')
      await until(async () => (await infoOf(spare, 'role')) === 'master')
      await until(async () => (await infoOf(spare, 'cluster_state')) === 'ok')
    },
    async stop() {
      for (const node of nodes) node.disconnect()
      for (const process of processes) await process.stop()
    },
  }
}

/** A primary, a replica and a sentinel that has a password of its own, all over TLS. */
export async function startSentinel(): Promise<Replicated> {
  const folder = mkdtempSync(join(tmpdir(), 'tenon-sentinel-'))
  const { ca, files } = await newCertificate(folder)
  const ports = [await freePort(), await freePort(), await freePort()] as const
  const encrypted = [...files, '--tls-auth-clients', 'no', '--tls-replication', 'yes']
  const start = (port: number): Promise<TestRedis> =>
    startRedis({ args: ['--tls-port', String(port), ...encrypted, ...secured] })
  const [primary, replica] = [await start(ports[0]), await start(ports[1])]
  const nodes = [primary, replica].map(clientOf)
  const [first, spare] = nodes as [Redis, Redis]
  await spare.replicaof('127.0.0.1', ports[0])
  await replicates(spare)
  const lines = [
    'port 0',
    `dir ${folder}`,
    'bind 127.0.0.1',
    'requirepass geheim-8',
    `sentinel monitor bakery 127.0.0.1 ${ports[0]} 1`,
    `sentinel auth-pass bakery ${password}`,
    'sentinel down-after-milliseconds bakery 60000',
  ]
  writeFileSync(join(folder, 'sentinel.conf'), lines.join('\n'))
  const args = [join(folder, 'sentinel.conf'), '--sentinel', '--tls-port', String(ports[2]), ...encrypted]
  const sentinel: ChildProcess = spawn('redis-server', args, { stdio: 'ignore' })
  const asking = new Redis({ port: ports[2], password: 'geheim-8', tls: { ca }, retryStrategy: () => 20 })
  asking.on('error', () => {})
  const knows = async (): Promise<string> => String(await asking.call('SENTINEL', 'REPLICAS', 'bakery'))
  await until(async () => (await knows()).includes('slave-priority'))
  return {
    url: `rediss+sentinel://:${password}@127.0.0.1:${ports[2]}/bakery/2`,
    options: { tls: { ca }, sentinel: { password: 'geheim-8' } },
    nodes,
    async failOver() {
      await killCaughtUp(first, primary)
      await until(async () => (await asking.call('SENTINEL', 'FAILOVER', 'bakery')) === 'OK')
      await until(async () => (await infoOf(spare, 'role')) === 'master')
    },
    async stop() {
      for (const client of [...nodes, asking]) client.disconnect()
      if (sentinel.exitCode === null) {
        sentinel.kill('SIGKILL')
        await once(sentinel, 'exit')
      }
      await Promise.all([primary.stop(), replica.stop()])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
