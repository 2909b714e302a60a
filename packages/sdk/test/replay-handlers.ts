/** Handlers that request input, and their results: the same in every revision. */
import { z } from 'zod'
import type { JsonObject } from '../src/jsonrpc/message.ts'
import { inputRequired, type ServerTool, ToolError, tool } from '../src/server.ts'

/** The answer of a client to an input request. */
export type Answer = (request: { method: string; params: JsonObject }) => JsonObject

/** The form that all of them send. */
export const text: z.ZodObject<{ value: z.ZodString }> = z.object({ value: z.string() })
export const accept = (value: string): JsonObject => ({ action: 'accept', content: { value } })

const written = (words: string): JsonObject => ({
  role: 'assistant',
  content: { type: 'text', text: words },
  model: 'm',
})
const samplingOf = (words: string) => ({
  messages: [{ role: 'user' as const, content: { type: 'text' as const, text: words } }],
  maxTokens: 10,
})

/** Answers every form as its message says: `say x` is answered with x. */
export const obliging: Answer = ({ method, params }) => {
  if (method === 'roots/list') return { roots: [{ uri: 'file:///a' }] }
  if (method === 'sampling/createMessage') {
    return written(`model: ${(params.messages as { content: { text: string } }[])[0]!.content.text}`)
  }
  if (params.mode === 'url') return { action: 'accept' }
  const message = params.message as string
  if (message === 'decline' || message === 'cancel') return { action: message }
  return accept(message.replace('say ', ''))
}

export interface Case {
  tool: ServerTool
  /** The number of input requests in each round. */
  rounds: number[]
  says: string | RegExp
}

export const told = (answer: { action: string; content?: { value: string } | undefined }): string =>
  answer.content?.value ?? answer.action

let races = 0

export const cases: readonly Case[] = [
  { tool: tool({ name: 'none', run: () => 'no question' }), rounds: [], says: 'no question' },
  {
    tool: tool({ name: 'one', run: async (_, ctx) => told(await ctx.elicit('say hi', text)) }),
    rounds: [1],
    says: 'hi',
  },
  {
    tool: tool({
      name: 'two',
      async run(_, ctx) {
        const first = told(await ctx.elicit('say a', text))
        return first + told(await ctx.elicit(`say ${first}b`, text))
      },
    }),
    rounds: [1, 1],
    says: 'aab',
  },
  {
    tool: tool({
      name: 'loop',
      async run(_, ctx) {
        const said: string[] = []
        for (let index = 0; index < 4; index++) said.push(told(await ctx.elicit(`say ${index}`, text)))
        return said.join()
      },
    }),
    rounds: [1, 1, 1, 1],
    says: '0,1,2,3',
  },
  {
    tool: tool({
      name: 'same-question-again',
      async run(_, ctx) {
        const said: string[] = []
        while (said.length < 3) said.push(told(await ctx.elicit('say again', text)))
        return said.join()
      },
    }),
    rounds: [1, 1, 1],
    says: 'again,again,again',
  },
  {
    tool: tool({
      name: 'branch',
      async run(_, ctx) {
        const way = told(await ctx.elicit('say left', text))
        return way === 'left' ? (await ctx.sample(samplingOf('left?'))).text : (await ctx.roots())[0]!.uri
      },
    }),
    rounds: [1, 1],
    says: 'model: left?',
  },
  {
    tool: tool({
      name: 'together',
      async run(_, ctx) {
        const [a, b, roots] = await Promise.all([ctx.elicit('say a', text), ctx.sample(samplingOf('b')), ctx.roots()])
        return [told(a), b.text, roots[0]!.uri].join()
      },
    }),
    rounds: [3],
    says: 'a,model: b,file:///a',
  },
  {
    tool: tool({
      name: 'two-threads',
      async run(_, ctx) {
        const thread = async (name: string) => {
          const first = told(await ctx.elicit(`say ${name}1`, text))
          return first + told(await ctx.elicit(`say ${name}2`, text))
        }
        return (await Promise.all([thread('a'), thread('b')])).join()
      },
    }),
    rounds: [2, 2],
    says: 'a1a2,b1b2',
  },
  {
    tool: tool({
      name: 'threads-that-race',
      async run(_, ctx) {
        // Which of the two asks first differs from run to run.
        const isSlow = { a: races++ % 2 === 1, b: races % 2 === 1 }
        const thread = async (name: 'a' | 'b') => {
          if (isSlow[name]) await new Promise((resolve) => setTimeout(resolve, 5))
          return told(await ctx.elicit(`say ${name}`, text))
        }
        return (await Promise.all([thread('a'), thread('b')])).join()
      },
    }),
    rounds: [1, 1],
    says: 'a,b',
  },
  {
    tool: tool({ name: 'declined', run: async (_, ctx) => told(await ctx.elicit('decline', text)) }),
    rounds: [1],
    says: 'decline',
  },
  {
    tool: tool({
      name: 'cancelled',
      async run(_, ctx) {
        if ((await ctx.elicit('cancel', text)).action === 'cancel') throw new ToolError('never mind')
        return 'not reached'
      },
    }),
    rounds: [1],
    says: 'never mind',
  },
  {
    tool: tool({
      name: 'fails-between-rounds',
      async run(_, ctx) {
        await ctx.elicit('say a', text)
        const failed = await ctx
          .once('try', () => {
            throw new ToolError('first try failed')
          })
          .catch((error: Error) => error.message)
        return `${failed}, ${told(await ctx.elicit('say b', text))}`
      },
    }),
    rounds: [1, 1],
    says: 'first try failed, b',
  },
  {
    tool: tool({
      name: 'url',
      async run(_, ctx) {
        const answer = await ctx.elicitUrl('Sign in', 'https://example.com/')
        answer.complete()
        return answer.action
      },
    }),
    rounds: [1],
    says: 'accept',
  },
  {
    tool: tool({
      name: 'structured',
      output: z.object({ value: z.string() }),
      run: async (_, ctx) => ({ value: told(await ctx.elicit('say x', text)) }),
    }),
    rounds: [1],
    says: '{"value":"x"}',
  },
  {
    tool: tool({
      name: 'step',
      async run(_, ctx) {
        const started = await ctx.once('start', () => ({ id: 7 }))
        await ctx.once('nothing', () => {})
        const said = told(await ctx.elicit(`say ${started.id}`, text))
        return `${said} ${JSON.stringify(await ctx.once('end', async () => [said]))}`
      },
    }),
    rounds: [1],
    says: '7 ["7"]',
  },
  {
    tool: tool({
      name: 'step-that-asks',
      run: (_, ctx) => ctx.once('all', async () => told(await ctx.elicit('say inside', text))),
    }),
    rounds: [1],
    says: 'inside',
  },
  {
    tool: tool({
      name: 'step-twice',
      async run(_, ctx) {
        await ctx.once('a', () => 1)
        return ctx.once('a', () => 2).then(String, (error: Error) => error.message)
      },
    }),
    rounds: [],
    says: 'ctx.once: the key "a" is used twice in one request',
  },
  {
    tool: tool({
      name: 'step-without-json',
      run: (_, ctx) => ctx.once('a', () => ({ at: [new Date(0)] })).then(String, (error: Error) => error.message),
    }),
    rounds: [],
    says: 'ctx.once("a"): expected a JSON result, got Date at at.0',
  },
  {
    tool: tool({
      name: 'catches-everything',
      async run(_, ctx) {
        try {
          return told(await ctx.elicit('say x', text))
        } catch {
          return 'no answer'
        }
      },
    }),
    rounds: [1],
    says: 'x',
  },
  {
    tool: tool({
      name: 'asks-until-it-works',
      async run(_, ctx) {
        for (;;) {
          try {
            return told(await ctx.elicit('say x', text))
          } catch {
            // Sends it again.
          }
        }
      },
    }),
    rounds: [1],
    says: 'x',
  },
  {
    tool: tool({
      name: 'does-not-wait-yet',
      async run(_, ctx) {
        const asking = ctx.elicit('say x', text)
        await new Promise((resolve) => setTimeout(resolve, 5))
        return told(await asking)
      },
    }),
    rounds: [1],
    says: 'x',
  },
  {
    tool: tool({
      name: 'spelled-out',
      async run(_, ctx) {
        const { name } = ctx.inputResponses
        const so = (ctx.requestState ?? []) as string[]
        const said = name === undefined ? so : [...so, (name.content as { value: string }).value]
        const started = await ctx.once('start', () => said.length)
        if (said.length === 2) return [started, ...said].join()
        const params = {
          mode: 'form' as const,
          message: `say ${said.length}`,
          requestedSchema: { type: 'object' as const, properties: { value: { type: 'string' as const } } },
        }
        return inputRequired({ requests: { name: { method: 'elicitation/create', params } }, state: said })
      },
    }),
    rounds: [1, 1],
    says: '0,0,1',
  },
]
