import { McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { records } from '../../lib/records.mjs'

const textResult = (text) => ({ content: [{ type: 'text', text }] })

// Created once: the SDK makes a server per request, but schemas need not be.
const echoInput = z.object({ text: z.string() })
const countInput = z.object({ to: z.number() })
const record = z.object({
  id: z.number(),
  name: z.string(),
  tags: z.array(z.string()),
  score: z.number(),
  open: z.boolean(),
})
const recordList = z.object({ records: z.array(record) })
const numberOfRecords = z.object({ count: z.number() })

/** The SDK requires a server per request (2026-07-28) or per session. */
export function definition({ tools = 0 } = {}) {
  const server = new McpServer({ name: 'bench', version: '1.0.0' }, { capabilities: { tools: {} } })
  if (tools > 0) addMany(server, tools)
  else addOwn(server)
  return server
}

function addOwn(server) {
  server.registerTool('echo', { description: 'Says it again', inputSchema: echoInput }, ({ text }) => textResult(text))
  server.registerTool('count', { description: 'Reports progress', inputSchema: countInput }, async ({ to }, ctx) => {
    const { progressToken } = ctx.mcpReq._meta
    for (let progress = 1; progress <= to; progress++) {
      const params = { progressToken, progress, total: to }
      await ctx.mcpReq.notify({ method: 'notifications/progress', params })
    }
    return textResult('counted')
  })
  addRecords(server)
}

function addRecords(server) {
  const counting = { description: 'Counts what it is given', inputSchema: recordList }
  server.registerTool('count-records', counting, async (input) => textResult(`${input.records.length} records`))
  const making = { description: 'Gives records', inputSchema: numberOfRecords, outputSchema: recordList }
  server.registerTool('make-records', making, async ({ count }) => {
    const structuredContent = { records: records(count) }
    return { ...textResult(JSON.stringify(structuredContent)), structuredContent }
  })
}

function addMany(server, count) {
  for (let i = 0; i < count; i++) {
    server.registerTool(`tool-${i}`, { description: `Tool ${i}`, inputSchema: echoInput }, ({ text }) =>
      textResult(text),
    )
  }
}
