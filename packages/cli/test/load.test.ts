/** `tenon load` on a real server. Times are measured, and never decide. */
import { createServer as createHttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { everything, onEverything, onTerminal, parsed, tenon } from './tenon.ts'

interface Measured {
  calls: number
  succeeded: number
  failed: number
  missed?: number
  latencyMs: { p50: number; p99: number; max: number }
  serviceMs?: object
  errors: { kind: string; count: number; message: string }[]
}

const measured = async (
  words: readonly string[],
): Promise<{ code: number | null; result: Measured; stderr: string }> => {
  const outcome = await onEverything(['load', ...words, '--json'])
  return { code: outcome.code, result: parsed(outcome).result as Measured, stderr: outcome.stderr }
}

test('calls a tool as often as wanted, several times at once', async () => {
  const { code, result, stderr } = await measured(['add', 'a=19', 'b=23', '--count', '60', '--concurrency', '20'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(result).toMatchObject({ calls: 60, succeeded: 60, failed: 0, errors: [] })
  expect(result.latencyMs.p50).toBeLessThanOrEqual(result.latencyMs.max)
  expect(result).not.toHaveProperty('serviceMs')
})

test('at a rate, calls are made or counted as missed', async () => {
  const { code, result } = await measured(['add', '1', '2', '--rate', '1000', '--duration', '100ms'])
  expect(code).toBe(0)
  expect(result.calls + result.missed!).toBe(100)
  expect(result.serviceMs).toBeDefined()
})

test('failures are counted by kind, and decide the exit code', async () => {
  const { code, result } = await measured(['divide', '1', '0', '-n', '3'])
  expect(code).toBe(5)
  expect(result).toMatchObject({ succeeded: 0, failed: 3, errors: [{ kind: 'tool error', count: 3 }] })
  const shown = await onEverything(['load', 'divide', '1', '0', '-n', '3'])
  expect(shown.stdout).toMatch(/^failed {3}3 \(100\.0 %\)$[\s\S]*^error {4}3 × tool error The divisor is 0/m)
})

test('a server that refuses some calls', async () => {
  let calls = 0
  const tools = [{ name: 'x', inputSchema: { type: 'object' } }]
  const http = createHttpServer(async (request, reply) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const { id, method } = JSON.parse(body || '{}')
    const isSecond = method === 'tools/call' && ++calls % 2 === 0
    if (isSecond) return void reply.writeHead(503).end('busy')
    const result =
      method === 'tools/list'
        ? { tools }
        : method === 'tools/call'
          ? { content: [] }
          : { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } }
    if (method === 'server/discover') return void reply.writeHead(400).end()
    if (id === undefined) return void reply.writeHead(202).end()
    reply.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', id, result }))
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void http.close())
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`
  const outcome = await tenon(['load', url, 'x', '-n', '4', '--json'])
  const { result } = parsed(outcome) as { result: Measured }
  expect(outcome.code).toBe(3)
  expect(result).toMatchObject({ succeeded: 2, failed: 2, errors: [{ kind: 'http', count: 2 }] })
})

test.each([
  ['no tool', ['load'], 'Expected the name of a tool'],
  ['an unknown tool', ['load', 'ad'], 'Did you mean add?'],
  ['wrong arguments', ['load', 'add', 'a=one'], 'arguments.b: is required'],
  ['no end', ['load', 'add', '1', '2', '--duration', 'none'], '--duration none needs --count'],
])('refused with 2: %s', async (_name, words, message) => {
  const { code, stderr } = await onEverything(words)
  expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(message) })
})

test('Ctrl-C on a terminal, where a line shows how far it is', async () => {
  const { shown, code } = await onTerminal(
    ['load', 'add', '1', '2', '--duration', '1h', ...everything],
    {},
    async (terminal) => {
      await expect.poll(() => terminal.shown(), { timeout: 100_000 }).toMatch(/[1-9]\d* calls {2}.*\/s {2}p95/)
      terminal.type('\u0003')
    },
  )
  expect(code).toBe(130)
  expect(shown).toContain('Cancel')
})
