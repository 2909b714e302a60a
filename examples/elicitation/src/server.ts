import { createServer, text, tool } from '@tenon/sdk/server'
import { serveStdio } from '@tenon/sdk/stdio'
import { z } from 'zod'

/** Asks the user, with a form. The answer is checked with the schema, and typed by it. */
const book = tool({
  name: 'book',
  description: 'Books a table',
  async run(_input, ctx) {
    // In 2026-07-28 the handler runs again with each answer, so a side effect before a question goes into `once`.
    const table = await ctx.once('table', () => ({ number: 7 }))
    const when = await ctx.elicit('When will you come?', z.object({ day: z.enum(['friday', 'saturday']) }))
    if (when.action !== 'accept') return ctx.error('Nothing was booked')
    return `Table ${table.number} is yours on ${when.content.day}`
  },
})

/** Asks the model of the client. */
const summarize = tool({
  name: 'summarize',
  description: 'Summarizes a text',
  input: z.object({ article: z.string() }),
  async run({ article }, ctx) {
    const question = text(`Summarize in five words: ${article}`)
    const answer = await ctx.sample({ messages: [{ role: 'user', content: question }], maxTokens: 50 })
    return answer.text
  },
})

await serveStdio(createServer({ name: 'tables', version: '1.0.0', tools: [book, summarize] }))
