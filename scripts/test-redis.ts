import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createConnection, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A Redis for tests: a process of its own, in a folder of its own, that keeps nothing on disk. */
export interface TestRedis {
  /** The address, on a socket in its folder: `unix:///…`. */
  readonly url: string
  readonly socket: string
  /** The port on 127.0.0.1, if it was wanted. */
  readonly port: number | undefined
  /** Ends the process and removes its folder. */
  stop(): Promise<void>
  /** Ends the process and keeps the folder, so that `restart` finds the same address. */
  kill(): Promise<void>
  restart(): Promise<void>
}

export interface TestRedisOptions {
  /** Listens on a free port, too. */
  readonly tcp?: boolean
  /** Further arguments of redis-server, such as `['--requirepass', 'secret']`. */
  readonly args?: readonly string[]
}

/** Starts a Redis for tests; needs `requires('redis')`. */
export async function startRedis({ tcp = false, args = [] }: TestRedisOptions = {}): Promise<TestRedis> {
  const folder = mkdtempSync(join(tmpdir(), 'tenon-redis-'))
  const socket = join(folder, 'redis.sock')
  const port = tcp ? await freePort() : undefined
  const place = ['--port', String(port ?? 0), '--bind', '127.0.0.1', '--unixsocket', socket, '--dir', folder]
  const fixed = [...place, '--save', '', '--appendonly', 'no']
  let redis: ChildProcess | undefined
  const restart = async (): Promise<void> => {
    redis = spawn('redis-server', [...fixed, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
    await listening(redis, socket)
  }
  const kill = async (): Promise<void> => {
    const running = redis
    redis = undefined
    if (running === undefined || running.exitCode !== null || running.signalCode !== null) return
    running.kill('SIGKILL')
    await once(running, 'exit')
  }
  const stop = async (): Promise<void> => {
    await kill()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    await restart()
  } catch (error) {
    await stop()
    throw error
  }
  return { url: `unix://${socket}`, socket, port, stop, kill, restart }
}

/** Resolves when Redis answers; its log says so in words that differ by version. */
async function listening(redis: ChildProcess, socket: string): Promise<void> {
  let log = ''
  redis.stdout!.on('data', (chunk: Buffer) => {
    log = (log + chunk.toString()).slice(-10_000)
  })
  const ended = once(redis, 'exit').then(() => {
    throw new Error(`redis-server ended at its start:\n${log}`)
  })
  ended.catch(() => {})
  for (;;) {
    const isOpen = await Promise.race([ended, canAsk(socket)])
    if (isOpen) return
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 5))])
  }
}

/** True if Redis answers, if only that it wants a password. */
function canAsk(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(path, () => socket.write('PING\r\n'))
    socket.once('data', (answer: Buffer) => {
      socket.destroy()
      resolve(!answer.toString().startsWith('-LOADING'))
    })
    socket.once('error', () => resolve(false)).once('close', () => resolve(false))
  })
}

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}
