/** The server side of stdio, as a real process, driven by bytes. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, test } from 'vitest'
import { connect } from '../src/client.ts'
import { revisions } from '../src/model/revision.ts'
import '../src/testing/vitest.ts'

const server = fileURLToPath(new URL('stdio-server.mjs', import.meta.url))
const started: ChildProcess[] = []

function start() {
  const child = spawn(process.execPath, [server], { stdio: 'pipe' })
  started.push(child)
  let out = ''
  let err = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text
  })
  return {
    child,
    exited: once(child, 'close') as Promise<[number | null, string | null]>,
    write: (text: string) => child.stdin.write(text),
    say: (...messages: unknown[]) =>
      child.stdin.write(messages.map((message) => `${JSON.stringify(message)}\n`).join('')),
    get lines() {
      return out
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line))
    },
    get err() {
      return err
    },
  }
}

afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL')
})

const initialize = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
}
const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' }
const call = (id: number, name: string, args: object = {}) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args },
})

describe('at the end of standard input', () => {
  // [stdio.shutdown.server-exits-on-eof]
  test('the server exits by itself', async () => {
    const process = start()
    process.say(initialize, initialized)
    process.child.stdin.end()
    expect(await process.exited).toEqual([0, null])
    expect(process.lines).toMatchObject([{ id: 0, result: { protocolVersion: '2025-11-25' } }])
  })

  test('what was asked before is still answered', async () => {
    const process = start()
    process.say(initialize, initialized, call(1, 'slow'), call(2, 'echo', { text: 'hi' }))
    process.child.stdin.end()
    expect(await process.exited).toEqual([0, null])
    expect(process.lines.map(({ id }) => id)).toEqual([0, 2, 1])
  })

  test('a subscription ends at once, with an answer', async () => {
    const process = start()
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    }
    const params = { _meta, notifications: { toolsListChanged: true } }
    process.say({ jsonrpc: '2.0', id: 'l', method: 'subscriptions/listen', params })
    await expect.poll(() => process.lines.length, { timeout: 100_000 }).toBe(1)
    process.child.stdin.end()
    expect(await process.exited).toEqual([0, null])
    // Requests still open after `drainMs` are cut off without one.
    expect(process.lines.slice(1)).toMatchObject([
      { id: 'l', result: { resultType: 'complete' } },
      { method: 'notifications/cancelled', params: { requestId: 'l' } },
    ])
  })

  test('a tool that does not end does not keep it', async () => {
    const process = start()
    process.say(initialize, initialized, call(1, 'never'))
    process.child.stdin.end()
    expect(await process.exited).toEqual([0, null])
  })
})

// [stdio.stdout.messages-only]
test('nothing but messages reaches standard output', async () => {
  const process = start()
  process.say(initialize, initialized, call(1, 'noisy'))
  await expect.poll(() => process.lines.length).toBe(2)
  for (const text of ['console.log', 'console.info', 'process.stdout.write']) expect(process.err).toContain(text)
})

test('half lines, split characters, blank lines and carriage returns are put together', async () => {
  const process = start()
  const bytes = Buffer.from(
    `\r\n${JSON.stringify(initialize)}\r\n\n${JSON.stringify(call(1, 'echo', { text: 'žluťoučký 🐎' }))}\n`,
  )
  for (const byte of bytes) {
    process.child.stdin.write(Buffer.from([byte]))
    if (byte > 127) await new Promise((resolve) => setTimeout(resolve, 1))
  }
  await expect.poll(() => process.lines.length).toBe(2)
  expect(process.lines[1]).toMatchObject({ result: { content: [{ text: 'žluťoučký 🐎' }] } })
})

test('lines that are too long, too deep or no JSON are answered and skipped', async () => {
  const process = start()
  process.say(initialize, initialized, call(1, 'echo', { text: 'x'.repeat(200_000) }))
  process.write(`${'['.repeat(1_000)}\n`)
  process.write('not json\n')
  process.say(call(2, 'echo', { text: 'still here' }))
  await expect.poll(() => process.lines.length).toBe(5)
  expect(process.lines.slice(1)).toMatchObject([
    { id: 1, error: { code: -32600, message: expect.stringContaining('100000') } },
    { error: { code: -32600, message: expect.stringContaining('64') } },
    { error: { code: -32700 } },
    { id: 2, result: { content: [{ text: 'still here' }] } },
  ])
})

test('a client that stops reading does not crash the server', async () => {
  const process = start()
  process.say(initialize, initialized)
  await expect.poll(() => process.lines.length).toBe(1)
  process.child.stdout.destroy()
  process.say(call(1, 'echo', { text: 'x' }), call(2, 'echo', { text: 'y' }))
  expect(await process.exited).toEqual([0, null])
  expect(process.err).toBe('')
})

test('a client that only writes makes the server wait, not grow', async () => {
  const process = start()
  process.say(initialize, initialized)
  await expect.poll(() => process.lines.length).toBe(1)
  process.child.stdout.pause()
  const text = 'x'.repeat(50_000)
  const count = 400
  for (let id = 1; id <= count; id++) process.say(call(id, 'echo', { text }))
  // Time for a server without a bound to read all of it.
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  expect(process.child.stdin.writableLength).toBeGreaterThan(4 * 1024 * 1024)
  process.child.stdout.resume()
  await expect.poll(() => process.lines.length, { timeout: 100_000 }).toBe(count + 1)
})

describe.each(revisions)('a client of %s', (revision) => {
  // [stdio.client-support]
  test('talks to it as to any other server', async () => {
    await using client = await connect({ command: process.execPath, args: [server] }, { revisions: [revision] })
    expect(client.server).toMatchObject({ revision, info: { name: 'stdio-fixture' } })
    expect(await client.callTool('echo', { text: 'hi' })).toHaveText('hi')
    const many = await Promise.all(Array.from({ length: 200 }, (_, n) => client.callTool('echo', { text: `${n}` })))
    expect(many.map(({ text }) => text)).toEqual(Array.from({ length: 200 }, (_, n) => `${n}`))
  })
})
