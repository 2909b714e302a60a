// The server that all adapters of Tenon serve, defined as a user would.
import { setTimeout as sleep } from 'node:timers/promises'
import { createServer, rateLimit, tool } from '@tenon/sdk/server'
import { z } from 'zod'
import { records } from '../../lib/records.mjs'
import { work } from '../../lib/work.mjs'

const echo = tool({
  name: 'echo',
  description: 'Says it again',
  input: z.object({ text: z.string() }),
  run: ({ text }) => text,
})

const echoAsync = tool({
  name: 'echo-async',
  description: 'Says it again, as most handlers are written',
  input: z.object({ text: z.string() }),
  run: async ({ text }) => text,
})

const echoTimer = tool({
  name: 'echo-timer',
  description: 'Says it again, a little later',
  input: z.object({ text: z.string() }),
  run: ({ text }) => sleep(1, text),
})

const record = z.object({
  id: z.number(),
  name: z.string(),
  tags: z.array(z.string()),
  score: z.number(),
  open: z.boolean(),
})

const countRecords = tool({
  name: 'count-records',
  description: 'Counts what it is given',
  input: z.object({ records: z.array(record) }),
  run: async (input) => `${input.records.length} records`,
})

const makeRecords = tool({
  name: 'make-records',
  description: 'Gives records',
  input: z.object({ count: z.number() }),
  output: z.object({ records: z.array(record) }),
  run: async ({ count }) => ({ records: records(count) }),
})

const count = tool({
  name: 'count',
  description: 'Reports progress',
  input: z.object({ to: z.number() }),
  async run({ to }, ctx) {
    for (let i = 1; i <= to; i++) {
      const sending = ctx.progress(i, to)
      if (sending) await sending
    }
    return 'counted'
  },
})

const when = () => z.object({ time: z.string() })
const known = when()

const asking = (name, schema) =>
  tool({
    name,
    description: 'Asks one question',
    async run(_input, ctx) {
      const answer = await ctx.elicit('When?', schema())
      return answer.action === 'accept' ? `at ${answer.content.time}` : 'never'
    },
  })

const book = asking('book', () => known)
const bookAnew = asking('book-anew', when)

const busy = tool({
  name: 'work',
  description: 'Keeps the processor busy',
  input: z.object({ rounds: z.number() }),
  run: ({ rounds }) => work(rounds),
})

const manyTools = (count) => Array.from({ length: count }, (_, i) => toolNumber(i))

export const toolNumber = (i) =>
  tool({ name: `tool-${i}`, description: `Tool ${i}`, input: z.object({ text: z.string() }), run: ({ text }) => text })

const ownTools = [echo, echoAsync, echoTimer, countRecords, makeRecords, count, book, bookAnew, busy]

/** More than anyone can send, so that each request is counted and none refused. */
const limits = { 'tools/call': { perMinute: 1e9, burst: 1e9 } }

/** @param {{ tools?: number, rateLimited?: boolean }} settings */
export function definition({ tools = 0, rateLimited = false } = {}) {
  return createServer({
    name: 'bench',
    version: '1.0.0',
    tools: tools > 0 ? manyTools(tools) : ownTools,
    pageSize: 1000,
    middleware: rateLimited ? [rateLimit(limits)] : [],
  })
}
