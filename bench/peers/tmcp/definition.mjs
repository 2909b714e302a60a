import { ZodJsonSchemaAdapter } from '@tmcp/adapter-zod'
import { McpServer } from 'tmcp'
import { z } from 'zod'

export function definition() {
  const options = { adapter: new ZodJsonSchemaAdapter(), capabilities: { tools: {} } }
  const server = new McpServer({ name: 'bench', version: '1.0.0', description: 'bench' }, options)
  const echo = { name: 'echo', description: 'Says it again', schema: z.object({ text: z.string() }) }
  server.tool(echo, ({ text }) => ({ content: [{ type: 'text', text }] }))
  return server
}
