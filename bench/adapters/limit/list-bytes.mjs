/** Tenon's answer to `tools/list` for so many tools. */
export function listBytes(count) {
  const tools = Array.from({ length: count }, (_, i) => ({
    name: `tool-${i}`,
    description: `Tool ${i}`,
    inputSchema: {
      type: 'object',
      properties: { text: { type: 'string' } },
      required: ['text'],
    },
  }))
  const _meta = { 'io.modelcontextprotocol/serverInfo': { name: 'bench', version: '1.0.0' } }
  const result = { _meta, tools, resultType: 'complete', ttlMs: 0, cacheScope: 'private' }
  return Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 0, result }))
}
