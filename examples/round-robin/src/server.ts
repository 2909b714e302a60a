import { serveHttp } from '@tenon/sdk/node'
import { createServer, tool } from '@tenon/sdk/server'
import { z } from 'zod'

const where = tool({ name: 'where', run: () => `${process.pid}` })

const book = tool({
  name: 'book',
  async run(_input, ctx) {
    const asked = await ctx.once('asked', () => process.pid)
    const { content } = await ctx.elicit('How many people?', z.object({ people: z.number().int() }))
    const goesOn = asked === process.pid ? 'the same process' : 'another process'
    return `A table for ${content?.people}, asked by one process and answered by ${goesOn}`
  },
})

const http = await serveHttp(
  createServer({
    name: 'tables',
    version: '1.0.0',
    tools: [where, book],
    stateKeys: [process.env.STATE_KEY!], // the same in every process: it seals what travels through the client
  }),
  { sessions: false }, // any process answers any request, also of clients of 2025
)
process.send?.(http.port)
process.once('SIGTERM', () => void http.close())
