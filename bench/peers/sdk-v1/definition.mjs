import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { z } from 'zod'

/** The SDK requires a server per session. */
export function definition() {
  const server = new McpServer({ name: 'bench', version: '1.0.0' })
  const echo = { description: 'Says it again', inputSchema: { text: z.string() } }
  server.registerTool('echo', echo, ({ text }) => ({ content: [{ type: 'text', text }] }))
  return server
}
