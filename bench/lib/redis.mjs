// A Redis for one driver, on the loopback interface.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { Redis } from 'ioredis'
import { findProgram } from '../../scripts/programs.mjs'

/** Undefined if the program is missing. */
export async function startRedis() {
  const program = findProgram('redis-server')
  if (program === undefined) return undefined
  const port = await freePort()
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
  const child = spawn(program, args, { stdio: 'ignore' })
  const client = new Redis(port, '127.0.0.1', { retryStrategy: () => 20, maxRetriesPerRequest: null })
  client.on('error', () => {})
  await client.ping()
  const stop = async () => {
    client.disconnect()
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  process.once('exit', () => child.kill('SIGKILL'))
  return { url: `redis://127.0.0.1:${port}`, client, usedBytes: () => usedBytes(client), stop }
}

export const missing = { unavailable: 'redis-server is missing' }

async function usedBytes(client) {
  return Number(/used_memory:(\d+)/.exec(await client.info('memory'))[1])
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return port
}
