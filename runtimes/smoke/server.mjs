// The server that every runtime serves. Uses nothing that browsers lack.
import { createServer, tool } from '@tenon/sdk/server'

const text = { type: 'string' }
const number = { type: 'number' }
const object = (properties) => ({ type: 'object', properties, required: Object.keys(properties) })

const echo = tool({ name: 'echo', input: object({ text }), run: (input) => input.text })

const add = tool({
  name: 'add',
  input: object({ a: number, b: number }),
  output: object({ sum: number }),
  run: ({ a, b }) => ({ sum: a + b }),
})

const work = tool({
  name: 'work',
  async run(_, ctx) {
    for (let step = 1; step <= 3; step++) {
      await ctx.progress(step, 3, `step ${step}`)
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    return 'done'
  },
})

const ask = tool({
  name: 'ask',
  async run(_, ctx) {
    const answer = await ctx.elicit('Who are you?', object({ name: text }))
    return answer.action === 'accept' ? `Hello ${answer.content.name}` : answer.action
  },
})

/** Sends one message, and then nothing for a while. */
const dawdle = tool({
  name: 'dawdle',
  input: object({ ms: number }),
  async run({ ms }, ctx) {
    await ctx.progress(1)
    return new Promise((resolve) => setTimeout(resolve, ms, 'at last'))
  },
})

/** A server, and how often its tools were called. */
export function smokeServer() {
  const states = new Map()
  const calls = { count: 0 }

  /** Ends only when it is cancelled; `state` reports its outcome, also to clients in other processes. */
  const wait = tool({
    name: 'wait',
    input: object({ key: text, loud: { type: 'boolean' } }),
    async run({ key, loud }, ctx) {
      states.set(key, 'started')
      if (loud) await ctx.progress(1)
      await new Promise((resolve) => ctx.signal.addEventListener('abort', resolve))
      states.set(key, 'stopped')
      throw ctx.signal.reason
    },
  })
  const state = tool({ name: 'state', input: object({ key: text }), run: ({ key }) => states.get(key) ?? 'unknown' })
  const grow = tool({
    name: 'grow',
    input: object({ name: text }),
    run({ name }) {
      server.tools.add(tool({ name, run: () => 'grown' }))
      return 'ok'
    },
  })
  const server = createServer({
    name: 'smoke',
    version: '1.0.0',
    tools: [echo, add, work, ask, dawdle, wait, state, grow],
    middleware: [
      {
        'tools/call'(_operation, next) {
          calls.count++
          return next()
        },
      },
    ],
  })
  return { server, calls }
}
