// The answers of the limit: the same bytes as those of a real server, without checking the request.
import { setTimeout as sleep } from 'node:timers/promises'
import { modern, serverInfo } from '../../lib/messages.mjs'
import { records } from '../../lib/records.mjs'
import { work } from '../../lib/work.mjs'

const tools = [
  { name: 'echo', inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] } },
]
const _meta = { 'io.modelcontextprotocol/serverInfo': serverInfo }
const resultType = 'complete'

const handlers = new Map([
  ['echo', ({ text }) => text],
  ['echo-async', async ({ text }) => text],
  ['echo-timer', ({ text }) => sleep(1, text)],
  ['count', () => 'counted'],
  ['work', ({ rounds }) => work(rounds)],
  ['count-records', async (input) => `${input.records.length} records`],
  ['make-records', async ({ count }) => ({ records: records(count) })],
])

/** The answer to a parsed request, a promise of it if the handler gives one, or nothing for a notification. */
export function answer(message) {
  const { id, method, params } = message
  if (method === 'tools/call') return answerCall(id, params)
  if (id === undefined) return undefined
  return { jsonrpc: '2.0', id, result: otherResult(method, params) }
}

function answerCall(id, params) {
  const output = handlers.get(params.name)(params.arguments)
  if (!(output instanceof Promise)) return { jsonrpc: '2.0', id, result: callResult(params, output) }
  return output.then((value) => ({ jsonrpc: '2.0', id, result: callResult(params, value) }))
}

function callResult({ _meta: asked }, output) {
  const isPlain = asked === undefined || !isModern(asked)
  if (typeof output === 'string') {
    const content = [{ type: 'text', text: output }]
    return isPlain ? { content } : { resultType, _meta, content }
  }
  const content = [{ type: 'text', text: JSON.stringify(output) }]
  return isPlain ? { content, structuredContent: output } : { resultType, _meta, content, structuredContent: output }
}

/** Hands over the answer: now, or when it is there. */
export function answerTo(message, send) {
  const answered = answer(message)
  if (answered instanceof Promise) answered.then(send)
  else send(answered)
}

const isModern = (meta) => meta['io.modelcontextprotocol/protocolVersion'] !== undefined

function otherResult(method, params) {
  const capabilities = { tools: {} }
  if (method === 'initialize') return { protocolVersion: params.protocolVersion, capabilities, serverInfo }
  const end = params?._meta && isModern(params._meta) ? { _meta, resultType, ttlMs: 0, cacheScope: 'private' } : {}
  if (method === 'tools/list') return { tools, ...end }
  if (method === 'server/discover') return { supportedVersions: [modern], capabilities, ...end }
  return end
}
