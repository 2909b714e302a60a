import { McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'

export function define(count) {
  const server = new McpServer({ name: 'bench', version: '1.0.0' }, { capabilities: { tools: {} } })
  for (let i = 0; i < count; i++) {
    const inputSchema = z.object({ text: z.string() })
    server.registerTool(`tool-${i}`, { inputSchema }, ({ text }) => ({ content: [{ type: 'text', text }] }))
  }
  return server
}
