// The server that all adapters of Tenon serve, defined as a user would.
import { createServer, tool } from '@tenon/sdk/server'
import { z } from 'zod'
import { work } from '../../lib/work.mjs'

const echo = tool({
  name: 'echo',
  description: 'Says it again',
  input: z.object({ text: z.string() }),
  run: ({ text }) => text,
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

/** @param {{ tools?: number }} settings */
export function definition({ tools = 0 } = {}) {
  const served = tools > 0 ? manyTools(tools) : [echo, count, book, bookAnew, busy]
  return createServer({ name: 'bench', version: '1.0.0', tools: served, pageSize: 1000 })
}
