/** Servers that are kept between commands: real commands, a real background process, and a server of an older revision. */
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createServer, tool } from '@tenon/sdk/server'
import { serveSocket } from '@tenon/sdk/socket'
import { expect, onTestFinished, test } from 'vitest'
import { begin, parsed, temporaryFolder, tenon } from './tenon.ts'

const server = fileURLToPath(new URL('fixtures/remembers.mjs', import.meta.url))

interface Home {
  cwd: string
  /** The folder of sockets. */
  run: string
  /** Writes the entry of the server, with this variable. */
  write(greeting: string): void
  count(...options: string[]): Promise<{ pid: number; calls: number; cancelled: number }>
  up(...options: string[]): Promise<number>
}

/** A home with a server that can be kept; nothing of it is left after the test. */
function home(): Home {
  const cwd = temporaryFolder()
  const write = (greeting: string): void => {
    const entry = { command: process.execPath, args: [server], env: { GREETING: greeting } }
    writeFileSync(join(cwd, '.mcp.json'), JSON.stringify({ mcpServers: { mine: entry } }))
  }
  write('hello')
  onTestFinished(async () => void (await tenon(['down'], { cwd })))
  return {
    cwd,
    run: join(cwd, '.config/tenon/run'),
    write,
    count: async (...options) =>
      JSON.parse((await tenon(['call', 'mine.count', '-o', 'text', ...options], { cwd })).stdout),
    up: async (...options) => {
      const outcome = await tenon(['up', 'mine', '--json', ...options], { cwd })
      expect(outcome).toMatchObject({ code: 0, stderr: '' })
      return (parsed(outcome).result as { pid: number }).pid
    },
  }
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
const gone = (pid: number): Promise<void> => expect.poll(() => isAlive(pid), { timeout: 100_000 }).toBe(false)

test('commands share one process, which keeps its state; --fresh and tenon down do as they say', async () => {
  const { cwd, run, count, up } = home()
  const keeper = await up()
  expect(statSync(run).mode & 0o777).toBe(0o700)
  for (const name of readdirSync(run)) expect(statSync(join(run, name)).mode & 0o777).toBe(0o600)
  const first = await count()
  expect(await count()).toEqual({ ...first, calls: first.calls + 1 })
  expect((await count('--fresh')).pid).not.toBe(first.pid)
  expect((await count('-e', 'GREETING=hi')).pid).not.toBe(first.pid)
  expect((await tenon(['up'], { cwd })).stdout).toBe('mine  connected  remembers 2025-11-25\n')
  expect(await tenon(['down', 'min'], { cwd })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Did you mean mine?'),
  })
  expect(await tenon(['down', 'mine'], { cwd })).toMatchObject({ code: 0, stdout: 'Ended mine\n' })
  await gone(first.pid)
  await gone(keeper)
  expect((await tenon(['up'], { cwd })).stderr).toContain('No servers are kept.')
})

test('questions, progress, logs and Ctrl-C belong to the command that calls', async () => {
  const { cwd, count, up } = home()
  await up()
  const before = await count()
  const line = ['call', 'mine', 'order', '--elicit', '{"size":"large"}', '--log-level', 'info', '-o', 'text', '-v']
  const order = await tenon(line, { cwd })
  expect(order).toMatchObject({ code: 0, stdout: '{"action":"accept","content":{"size":"large"}}' })
  expect(order.stderr).toMatch(/asking/)
  expect(order.stderr).toMatch(/notifications\/progress/)
  const waiting = begin(['call', 'mine', 'wait', '--log-level', 'info'], { cwd })
  await expect.poll(waiting.stderr, { timeout: 100_000 }).toContain('waiting')
  waiting.interrupt()
  expect(await waiting.ended).toBe(130)
  await expect.poll(async () => (await count()).cancelled, { timeout: 100_000 }).toBe(1)
  expect((await count()).pid).toBe(before.pid)
})

test('a changed entry is connected anew, and stays kept', async () => {
  const { cwd, write, count, up } = home()
  const keeper = await up()
  const before = await count()
  write('good morning')
  expect((await tenon(['call', 'mine.greeting'], { cwd })).stdout).toBe('good morning\n')
  const after = await count()
  expect(after.pid).not.toBe(before.pid)
  expect((await count()).calls).toBe(after.calls + 1)
  await gone(before.pid)
  expect(await up()).toBe(keeper)
})

test('sockets of a keeper that was killed are in nobody’s way', async () => {
  const { cwd, run, count, up } = home()
  process.kill(await up(), 'SIGKILL')
  await expect.poll(async () => (await tenon(['up'], { cwd })).stderr, { timeout: 100_000 }).toContain('No servers')
  expect(existsSync(join(run, 'keeper.sock'))).toBe(true)
  expect((await count()).calls).toBe(1)
  await up()
  await count()
  expect((await count()).calls).toBe(2)
})

test('a keeper of another version is asked to end, an idle one ends by itself', async () => {
  const { run, up } = home()
  mkdirSync(run, { recursive: true, mode: 0o700 })
  const end = (): string => {
    setImmediate(() => void other.close())
    return 'ended'
  }
  const down = tool({ name: 'down', run: end })
  const old = createServer({ name: 'tenon-keeper', version: '99.0.0', tools: [down] })
  const other = await serveSocket(old, { path: join(run, 'keeper.sock') })
  onTestFinished(() => other.close())
  await gone(await up('--idle', '1ms'))
  expect(readdirSync(run)).toEqual([])
})

test('a folder that others can write is not used, and a server that cannot start is told', async () => {
  const { cwd, run, count } = home()
  mkdirSync(run, { recursive: true })
  chmodSync(run, 0o777)
  expect(await tenon(['up', 'mine'], { cwd })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('yours alone'),
  })
  expect((await count()).calls).toBe(1)
  chmodSync(run, 0o700)
  writeFileSync(join(cwd, '.mcp.json'), '{ "mcpServers": { "mine": { "command": "no-such-program" } } }')
  expect(await tenon(['up', 'mine'], { cwd })).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('no-such-program'),
  })
  expect((await tenon(['up'], { cwd })).stderr).toContain('No servers are kept.')
  expect(await tenon(['up', 'mien'], { cwd })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Did you mean mine?'),
  })
})
