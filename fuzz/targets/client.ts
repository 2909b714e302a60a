import fc from 'fast-check'
import { connect } from '../../packages/sdk/src/client/connect.ts'
import { isMcpError, isRpcError } from '../../packages/sdk/src/errors.ts'
import type { Channel } from '../../packages/sdk/src/jsonrpc/channel.ts'
import type { JsonObject } from '../../packages/sdk/src/jsonrpc/message.ts'
import { memoryPair } from '../../packages/sdk/src/transport/memory.ts'
import { mutatedValue } from '../lib/mutate.ts'
import { assert, assertEqual, show, type Target, target } from '../lib/target.ts'

interface Input {
  modern: boolean
  /** The server's wrong messages before its answer. */
  answers: unknown[]
}

const capabilities = { tools: { listChanged: true }, resources: { subscribe: true }, prompts: {}, logging: {} }
const hints = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' }

/** The right answers of a server. */
const good: { [method: string]: JsonObject } = {
  initialize: { protocolVersion: '2025-11-25', capabilities, serverInfo: { name: 'fuzzed', version: '1' } },
  'server/discover': { supportedVersions: ['2026-07-28'], capabilities, ...hints },
  ping: {},
  'tools/list': { tools: [{ name: 'x', inputSchema: { type: 'object' } }], ...hints },
  'tools/call': { content: [{ type: 'text', text: 'done' }], structuredContent: { a: 1 }, resultType: 'complete' },
  'resources/read': { contents: [{ uri: 'file:///a', text: 'a' }], ...hints },
  'prompts/get': { messages: [{ role: 'user', content: { type: 'text', text: 'a' } }], resultType: 'complete' },
}

const said = fc.constantFrom<unknown>(
  ...Object.values(good).map((result) => ({ jsonrpc: '2.0', id: 'ID', result })),
  { jsonrpc: '2.0', id: 'ID', error: { code: -32603, message: 'broken', data: {} } },
  { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 'ID', progress: 1 } },
  { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'a' } },
  { jsonrpc: '2.0', method: 'notifications/tools/list_changed' },
  { jsonrpc: '2.0', id: 'q', method: 'ping' },
  { jsonrpc: '2.0', id: 'q', method: 'roots/list' },
)

/** A value that can only be the answer to a request, even a wrong one. */
const isAnswerTo = (value: unknown, id: unknown): boolean => {
  if (typeof value !== 'object' || value === null) return false
  const { jsonrpc, method, id: to, result, error } = value as JsonObject
  return jsonrpc === '2.0' && method === undefined && to === id && (result !== undefined || error !== undefined)
}

/** A server that sends odd messages before each answer, and then the right one, unless it has answered. */
function open({ modern, answers }: Input): Channel {
  const [near, far] = memoryPair()
  let agreed = false
  far.open({
    receive(value) {
      const { id, method } = value as JsonObject
      if (id === undefined || typeof method !== 'string') return
      const isProbe = method === 'server/discover'
      const error = { code: -32601, message: 'Method not found' }
      // The handshake succeeds: its failures are a corpus of their own.
      const odd = agreed ? answers.map((one) => withId(one, id)) : []
      for (const one of odd) far.send(one as never)
      if (odd.some((one) => isAnswerTo(one, id))) return
      agreed ||= method === 'initialize' || (isProbe && modern)
      const known = isProbe && !modern ? undefined : good[method]
      far.send((known ? { jsonrpc: '2.0', id, result: known } : { jsonrpc: '2.0', id, error }) as never)
    },
    refuse: () => {},
    closed: () => {},
  })
  return near
}

/** The odd answer, with the id of the request in place of `ID`. */
const withId = (value: unknown, id: unknown): unknown =>
  JSON.parse(JSON.stringify(value ?? null), (_, one) => (one === 'ID' ? id : one))

export const client: Target = target({
  name: 'client',
  claim: 'whatever a server says before its answers, every call ends with a result or a typed error',
  inputs: fc.record({ modern: fc.boolean(), answers: fc.array(mutatedValue(said), { minLength: 1, maxLength: 3 }) }),
  async check(input: Input) {
    const heard: string[] = []
    const onLog = ({ level }: { level: unknown }) => {
      if (typeof level !== 'string') heard.push(`a log message with the level ${show(level)}`)
    }
    const onProgress = ({ progress, total = 0 }: { progress: unknown; total?: unknown }) => {
      if (!Number.isFinite(progress) || !Number.isFinite(total)) heard.push(`progress of ${show({ progress, total })}`)
    }
    await using one = await connect(() => open(input), { timeoutMs: 2_000, validate: 'strict', onLog })
    const calls: (() => Promise<unknown>)[] = [
      () => one.listTools(),
      () => one.callTool('x', {}, { onProgress }),
      () => one.readResource('file:///a'),
      () => one.getPrompt('x'),
      () => one.ping(),
    ]
    for (const call of calls) {
      await call().catch((error: unknown) => {
        assert(isMcpError(error) || isRpcError(error), `threw ${String(error)}`)
        assert(error.code !== 'timeout', error.message)
      })
    }
    assertEqual(heard, [], 'told to listeners')
  },
})
