/** Requirements for standard streams, with real processes. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { connect } from '../../src/client/connect.ts'
import { discovered } from '../../src/client/scripted-server.suite.ts'
import type { JsonObject } from '../../src/jsonrpc/message.ts'
import { metaKeys } from '../../src/model/meta.ts'

const folder = mkdtempSync(join(tmpdir(), 'tenon-requirements-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Records its input, and answers calls with its process id, or not at all. */
const recorder = (file: string): string => `
  const { appendFileSync } = require('node:fs')
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    appendFileSync(${JSON.stringify(file)}, line + '\\n')
    const { id, method, params } = JSON.parse(line)
    if (id === undefined || params.name === 'never') return
    const called = { resultType: 'complete', content: [{ type: 'text', text: String(process.pid) }] }
    const result = method === 'server/discover' ? ${JSON.stringify(discovered())} : called
    process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n')
  })`

// [stdio.metadata.in-body] [discover.stdio-probe] [rpc.stateless.stdio-process-not-conversation]
test('a client asks what a process speaks, says everything in its messages, and keeps it', async () => {
  const file = join(folder, 'received')
  const pids: string[] = []
  {
    const target = { command: process.execPath, args: ['-e', recorder(file)] }
    await using client = await connect(target, { info: { name: 'me', version: '1' }, roots: [] })
    pids.push((await client.callTool('pid')).text)
    // One call is cancelled, while others continue and begin.
    const stop = new AbortController()
    const given = client.callTool('never', {}, { signal: stop.signal })
    pids.push((await client.callTool('pid')).text)
    stop.abort()
    await expect(given).rejects.toMatchObject({ code: 'cancelled' })
    pids.push((await client.callTool('pid')).text)
  }
  expect(new Set(pids).size).toBe(1)
  const received = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as JsonObject)
  expect(received[0]).toMatchObject({ jsonrpc: '2.0', method: 'server/discover' })
  const requests = received.filter(({ id }) => id !== undefined)
  expect(requests).toHaveLength(5)
  for (const { params } of requests) {
    expect((params as JsonObject)._meta).toMatchObject({
      [metaKeys.protocolVersion]: '2026-07-28',
      [metaKeys.clientCapabilities]: { roots: {} },
      [metaKeys.clientInfo]: { name: 'me', version: '1' },
    })
  }
})

const program = `
  import { createServer, tool } from '@tenon/sdk/server'
  import { serveStdio } from '@tenon/sdk/stdio'
  const form = { type: 'object', properties: { name: { type: 'string' } } }
  const message = { role: 'user', content: { type: 'text', text: 'Hi' } }
  const tools = [
    tool({ name: 'elicit', run: async (_, ctx) => (await ctx.elicit('Who?', form)).action }),
    tool({ name: 'sample', run: async (_, ctx) => (await ctx.sample({ messages: [message], maxTokens: 5 })).text }),
    tool({ name: 'roots', run: async (_, ctx) => String((await ctx.roots()).length) }),
  ]
  await serveStdio(createServer({ name: 'asking', version: '1', tools }))`

// [stdio.stdout.no-requests]
test('a server that has to ask writes no request to its output', async () => {
  const cwd = fileURLToPath(new URL('../..', import.meta.url))
  const server = spawn(process.execPath, ['--input-type=module', '--eval', program], { cwd })
  const said: JsonObject[] = []
  const lines = createInterface({ input: server.stdout }).on('line', (line) => said.push(JSON.parse(line)))
  const _meta = {
    [metaKeys.protocolVersion]: '2026-07-28',
    [metaKeys.clientCapabilities]: { elicitation: { form: {} }, sampling: {}, roots: {} },
  }
  for (const [id, name] of ['elicit', 'sample', 'roots'].entries()) {
    const params = { name, arguments: {}, _meta }
    server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params })}\n`)
  }
  server.stdin.end()
  await Promise.all([once(server, 'close'), once(lines, 'close')])
  expect(said).toHaveLength(3)
  for (const message of said) {
    expect(message).not.toHaveProperty('method')
    expect(message).toMatchObject({ result: { resultType: 'input_required' } })
  }
})
