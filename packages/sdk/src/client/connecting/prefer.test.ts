import { beforeEach, describe, expect, test } from 'vitest'
import { RpcError } from '../../errors.ts'
import {
  callResult,
  discoverResult,
  errorOf,
  type HttpHandler,
  initializeResult,
  resultOf,
  ScriptedHttp,
  sendJson,
  sendText,
} from '../../http-client/scripted-http.suite.ts'
import { forgetServers } from '../../http-client/verdicts.ts'
import type { JsonObject } from '../../jsonrpc/message.ts'
import { connect } from '../connect.ts'
import type { ConnectOptions } from '../options.ts'
import { discovered, initialized, legacyServer, modernServer, ScriptedServer } from '../scripted-server.suite.ts'

beforeEach(() => forgetServers())

const unsupported = new RpcError(-32022, 'Unsupported protocol version', { supported: ['2026-07-28'] })

describe('prefer', () => {
  test('"session" opens a session with a server that has both', async () => {
    const server = legacyServer({ 'server/discover': discovered() })
    await using client = await connect(server.open, { prefer: 'session' })
    expect(client.server.revision).toBe('2025-11-25')
    expect(server.methods).toEqual(['initialize', 'notifications/initialized'])
  })

  test.each([unsupported, new RpcError(-32601, 'Method not found')])(
    '"session" goes on with server/discover at a server that has none: $message',
    async (refusal) => {
      const server = new ScriptedServer({ initialize: refusal, 'server/discover': discovered() })
      await using client = await connect(server.open, { prefer: 'session' })
      expect(client.server.revision).toBe('2026-07-28')
      expect(server.methods).toEqual(['initialize', 'server/discover'])
    },
  )

  test('"session" does so too where the refusal is an HTTP status', async () => {
    await using server = await ScriptedHttp.start((seen, reply) =>
      seen.body.method === 'server/discover'
        ? sendJson(reply, resultOf(seen, discoverResult))
        : sendText(reply, 400, 'a version is missing'),
    )
    for (const methods of [['POST initialize', 'GET', 'POST server/discover'], ['POST server/discover']]) {
      server.seen.length = 0
      await using client = await connect(server.url, { prefer: 'session' })
      expect(client.server.revision).toBe('2026-07-28')
      expect(server.log).toEqual(methods)
    }
  })

  test('"session" uses the allowed revisions', async () => {
    const server = modernServer()
    await using client = await connect(server.open, { prefer: 'session', revisions: ['2026-07-28'] })
    expect(client.server.revision).toBe('2026-07-28')
  })

  test('is one of two words', async () => {
    const options = { prefer: 'newer' } as unknown as ConnectOptions
    await expect(connect(legacyServer().open, options)).rejects.toThrow(
      'prefer: expected "newest" or "session", got "newer"',
    )
  })
})

// As deployed servers word it: two official libraries as an error, the others as the result of a tool.
const refusals: [string, { error: RpcError } | { result: JsonObject }][] = [
  [
    'an error',
    {
      error: new RpcError(
        -32600,
        "Cannot send 'elicitation/create': this transport context has no back-channel for server-initiated requests.",
      ),
    },
  ],
  [
    'a result of a tool',
    {
      result: {
        isError: true,
        content: [
          {
            type: 'text',
            text: '"sampling/createMessage" cannot be sent while serving a request on protocol version 2026-07-28: return an InputRequests map instead',
          },
        ],
      },
    },
  ],
  [
    'a result that names the era',
    {
      result: {
        isError: true,
        content: [
          {
            type: 'text',
            text: "Server-to-client requests are not available on protocol revision 2026-07-28: 'roots/list' cannot be sent",
          },
        ],
      },
    },
  ],
]

const answers = (refusal: (typeof refusals)[number][1]): JsonObject | RpcError =>
  'error' in refusal ? refusal.error : { resultType: 'complete', ...refusal.result }

describe('a server that can ask only in a session', () => {
  const roots = [{ uri: 'file:///a' }]

  test.each(refusals)('is named with the option that helps, once: %s', async (_, refusal) => {
    const warnings: string[] = []
    const server = modernServer({ 'tools/call': answers(refusal) })
    await using client = await connect(server.open, { roots, onWarning: (message) => warnings.push(message) })
    for (let call = 0; call < 2; call++) await client.callTool('ask').catch(() => {})
    expect(warnings).toHaveLength(1)
    expect(warnings[0]).toMatch(/(elicitation\/create|sampling\/createMessage|roots\/list).*prefer: 'session'/)
  })

  test('is not named to a client that has no answers, nor in a session, nor for other failures', async () => {
    const warnings: string[] = []
    const onWarning = (message: string): unknown => warnings.push(message)
    const [, refusal] = refusals[1]!
    await using silent = await connect(modernServer({ 'tools/call': answers(refusal) }).open, { onWarning })
    await silent.callTool('ask')
    await using session = await connect(legacyServer({ 'tools/call': answers(refusal) }).open, { onWarning, roots })
    await session.callTool('ask')
    const text = 'roots/list was wrong'
    const failing = modernServer({
      'tools/call': { resultType: 'complete', isError: true, content: [{ type: 'text', text }] },
    })
    await using other = await connect(failing.open, { onWarning, roots })
    await other.callTool('ask')
    expect(warnings).toEqual([])
  })

  const bothEras: HttpHandler = (seen, reply) => {
    const { method } = seen.body
    if (seen.verb !== 'POST') return sendText(reply, 405)
    if (method === 'server/discover') return sendJson(reply, resultOf(seen, discoverResult))
    if (method === 'initialize') return sendJson(reply, resultOf(seen, initializeResult()))
    if (seen.body.id === undefined) return sendText(reply, 202)
    if (seen.headers['mcp-protocol-version'] !== '2026-07-28') return sendJson(reply, resultOf(seen, callResult))
    sendJson(reply, errorOf(seen, -32600, "Cannot send 'elicitation/create': no back-channel"))
  }

  test('is remembered by its URL: the next client that can answer opens a session', async () => {
    await using server = await ScriptedHttp.start(bothEras)
    const revisionOf = async (options: ConnectOptions): Promise<string> => {
      await using client = await connect(server.url, options)
      await client.callTool('ask').catch(() => {})
      return client.server.revision
    }
    const elicit = (): { action: 'cancel' } => ({ action: 'cancel' })
    expect(await revisionOf({})).toBe('2026-07-28')
    expect(await revisionOf({ elicit })).toBe('2026-07-28')
    expect(await revisionOf({ elicit })).toBe('2025-11-25')
    expect(await revisionOf({ elicit, prefer: 'newest' })).toBe('2026-07-28')
    expect(await revisionOf({})).toBe('2026-07-28')
    forgetServers(server.url)
    expect(await revisionOf({ elicit })).toBe('2026-07-28')
  })

  test('is remembered by its command: the next process is asked for a session', async () => {
    const script = `
      const { createInterface } = require('node:readline')
      const answer = ({ method, params }) => {
        if (method === 'server/discover') return { result: ${JSON.stringify(discovered())} }
        if (method === 'initialize') return { result: ${JSON.stringify(initialized('2025-11-25'))} }
        const error = { code: -32600, message: "Cannot send 'roots/list': no back-channel" }
        return params._meta ? { error } : { result: { content: [] } }
      }
      createInterface({ input: process.stdin }).on('line', (line) => {
        const message = JSON.parse(line)
        if (message.id === undefined) return
        process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id: message.id, ...answer(message) }) + '\\n')
      })`
    const target = { command: process.execPath, args: ['-e', script] }
    for (const revision of ['2026-07-28', '2025-11-25']) {
      await using client = await connect(target, { roots })
      expect(client.server.revision).toBe(revision)
      await client.callTool('ask').catch(() => {})
    }
  })
})
