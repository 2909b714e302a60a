/** Subscriptions to servers that end: real processes, killed and started again. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, test } from 'vitest'
import { type ConnectOptions, connect } from '../src/client.ts'

const script = fileURLToPath(new URL('news-server.mjs', import.meta.url))
const started: ChildProcess[] = []
const patience = { timeout: 100_000 }
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL')
})

async function serve(revision: string, port = 0): Promise<{ child: ChildProcess; port: number }> {
  const child = fork(script, [revision, String(port)], { execArgv: [] })
  started.push(child)
  return { child, port: (await once(child, 'message'))[0] as number }
}

describe.each(['2025-11-25', '2026-07-28'])('in %s', (revision) => {
  // [sub.end.stdio-relisten]
  test('a server process that is started again tells what the old one told', async () => {
    const news: string[] = []
    const target = { command: process.execPath, args: [script, revision], restart: true }
    await using client = await connect(target)
    expect(client.server.revision).toBe(revision)
    const before = client.server.info?.name
    await using _watch = await client.watch('note:///a', ({ uri }) => news.push(uri))
    await client.callTool('change')
    await expect.poll(() => news, patience).toHaveLength(1)
    await client.callTool('crash').catch(() => {})
    // A notification makes up for those missed meanwhile.
    await expect.poll(() => news, patience).toHaveLength(2)
    expect(client.server.info?.name).not.toBe(before)
    await client.callTool('change')
    await expect.poll(() => news, patience).toHaveLength(3)
  })

  test('a server process ends with its client', async () => {
    const client = await connect({ command: process.execPath, args: [script, revision] })
    const pid = Number(client.server.info?.name)
    await client.watch('note:///a', () => {})
    await client.close()
    expect(() => process.kill(pid, 0)).toThrow()
  })
})

describe.each(['SIGKILL', 'close'])('a web server that ends by %s', (how) => {
  // [sub.end.reconnect] [sub.end.http-reissue]
  test('and comes back is listened to again', async () => {
    const { child, port } = await serve('2026-07-28')
    const news: string[] = []
    const errors: string[] = []
    const options: ConnectOptions = {
      httpLimits: { reconnectMs: 20, maxReconnectMs: 100 },
      onError: ({ message }) => errors.push(message),
    }
    await using client = await connect(`http://127.0.0.1:${port}/mcp`, options)
    await using _watch = await client.watch('note:///a', ({ uri }) => news.push(uri))
    await client.callTool('change')
    await expect.poll(() => news, patience).toHaveLength(1)
    if (how === 'close') child.send('close')
    else child.kill('SIGKILL')
    await once(child, 'exit')
    await expect.poll(() => errors.length, patience).toBeGreaterThan(2)
    // The end in order is no error; the attempts that find no server are.
    if (how === 'close') expect(errors[0]).toMatch(/opened again in \d+ ms: .*ECONNREFUSED/)
    await serve('2026-07-28', port)
    await expect.poll(() => news, patience).toHaveLength(2)
    await client.callTool('change')
    await expect.poll(() => news, patience).toHaveLength(3)
  })
})
