// The requests to every implementation, in the two eras of the protocol.

export const modern = '2026-07-28'
export const legacy = '2025-11-25'
export const clientInfo = { name: 'bench', version: '1.0.0' }
export const serverInfo = { name: 'bench', version: '1.0.0' }

const prefix = 'io.modelcontextprotocol/'
const capabilities = { elicitation: { form: {} } }

/** The `_meta` of a request of 2026-07-28. */
export const modernMeta = {
  [`${prefix}protocolVersion`]: modern,
  [`${prefix}clientInfo`]: clientInfo,
  [`${prefix}clientCapabilities`]: capabilities,
}

/** @param {'modern' | 'session'} era */
export function request(era, id, method, params = {}, meta = {}) {
  const all = era === 'modern' ? { ...modernMeta, ...meta } : meta
  const withMeta = Object.keys(all).length > 0 ? { ...params, _meta: all } : params
  return { jsonrpc: '2.0', id, method, params: withMeta }
}

export const toolCall = (era, id, name, args, meta) => request(era, id, 'tools/call', { name, arguments: args }, meta)

export const initialize = {
  jsonrpc: '2.0',
  id: 'initialize',
  method: 'initialize',
  params: { protocolVersion: legacy, capabilities: {}, clientInfo },
}
export const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' }

/**
 * The headers of a POST that belong to a message.
 * @param {{ id?: string, revision: string }} [session]
 */
export function headersFor(era, message, session) {
  if (era === 'session') return sessionHeaders(session)
  const name = message.params?.name
  return { 'MCP-Protocol-Version': modern, 'Mcp-Method': message.method, ...(name && { 'Mcp-Name': name }) }
}

export const sessionHeaders = ({ id, revision }) => ({
  'MCP-Protocol-Version': revision,
  ...(id !== undefined && { 'Mcp-Session-Id': id }),
})

/** A POST as bytes, ready to be written to a socket. */
export function postBytes(port, message, headers) {
  const body = Buffer.from(typeof message === 'string' ? message : JSON.stringify(message))
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const head =
    `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\n` +
    `Accept: application/json, text/event-stream\r\n${lines.join('')}Content-Length: ${body.length}\r\n\r\n`
  return Buffer.concat([Buffer.from(head), body])
}

/** Throws unless the message is the expected answer to an echo of `text`. */
export function checkEcho(message, id, text) {
  const found = message?.result?.content?.[0]?.text
  if (message?.id === id && found === text && message.result.isError !== true) return
  throw new Error(`wrong answer to request ${id}: expected ${quote(text)}, got ${quote(JSON.stringify(message))}`)
}

export const quote = (text) => (text?.length > 300 ? `${text.slice(0, 300)}…` : String(text))

/** `count` texts to echo, all of one length, so that answers have one length too. */
export const texts = (count) =>
  Array.from({ length: count }, (_, i) => `message ${String(i).padStart(6, '0')} from the bench`)
