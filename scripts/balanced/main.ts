import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { startRedis } from '../test-redis.ts'
import { RoundRobin } from './round-robin.ts'

const processes = 4

/**
 * Starts four processes of a server script, a Redis that they find in `REDIS_URL`, and a balancer, and prints its URL. The
 * script prints its own URL in its first line. All of it ends with this process.
 */
export async function main([script, ...args]: string[]): Promise<number> {
  if (script === undefined) {
    console.error('Usage: node scripts/balanced/run.mjs <script> [arguments of the script]')
    return 2
  }
  const redis = await startRedis()
  const children: ChildProcess[] = []
  const stop = async (): Promise<void> => {
    for (const child of children) child.kill('SIGKILL')
    await redis.stop()
  }
  const ended = new Promise<number>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve(0))
    // With an IPC channel or a pipe the parent may also just be gone.
    process.once('disconnect', () => resolve(0))
    for (let index = 0; index < processes; index++) {
      const env = { ...process.env, PORT: '0', REDIS_URL: redis.url, PROCESS: String(index) }
      const child = spawn(process.execPath, [script, ...args], { env, stdio: ['ignore', 'pipe', 'inherit'] })
      child.once('exit', (code) => {
        console.error(`process ${index} of ${script} ended (${code})`)
        resolve(1)
      })
      children.push(child)
    }
  })
  try {
    const urls = await Promise.race([Promise.all(children.map(urlOf)), ended])
    if (typeof urls === 'number') return urls
    const balancer = await RoundRobin.start(urls)
    const { url } = balancer
    console.log(`listening on ${url}`)
    process.send?.({ url })
    const code = await ended
    await balancer.close()
    return code
  } finally {
    for (const child of children) child.removeAllListeners('exit')
    await stop()
    if (process.connected) process.disconnect()
  }
}

async function urlOf(child: ChildProcess): Promise<string> {
  const lines = createInterface({ input: child.stdout! })
  const [line] = (await once(lines, 'line')) as [string]
  child.stdout!.resume()
  return /https?:\/\/\S+/.exec(line)?.[0] ?? line
}
