// The answers of the limit: the same bytes as those of a real server, without checking the request.
import { modern, serverInfo } from '../../lib/messages.mjs'
import { work } from '../../lib/work.mjs'

const tools = [
  { name: 'echo', inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] } },
]
const _meta = { 'io.modelcontextprotocol/serverInfo': serverInfo }
const resultType = 'complete'

/** The answer to a parsed request; nothing for a notification. */
export function answer(message) {
  const { id, method, params } = message
  if (method === 'tools/call') return { jsonrpc: '2.0', id, result: callResult(params) }
  if (id === undefined) return undefined
  return { jsonrpc: '2.0', id, result: otherResult(method, params) }
}

function callResult({ name, arguments: args, _meta: asked }) {
  const content = [{ type: 'text', text: textOf(name, args) }]
  return asked === undefined || !isModern(asked) ? { content } : { resultType, _meta, content }
}

function textOf(name, args) {
  if (name === 'echo') return args.text
  return name === 'work' ? work(args.rounds) : 'counted'
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
