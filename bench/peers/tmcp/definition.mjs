import { ZodJsonSchemaAdapter } from '@tmcp/adapter-zod'
import { McpServer } from 'tmcp'
import { z } from 'zod'

const echo = ({ text }) => ({ content: [{ type: 'text', text }] })

export function definition({ tools = 0 } = {}) {
  const options = { adapter: new ZodJsonSchemaAdapter(), capabilities: { tools: {} } }
  const server = new McpServer({ name: 'bench', version: '1.0.0', description: 'bench' }, options)
  const names = tools > 0 ? Array.from({ length: tools }, (_, i) => `tool-${i}`) : ['echo']
  for (const name of names) server.tool({ name, description: name, schema: z.object({ text: z.string() }) }, echo)
  return server
}
