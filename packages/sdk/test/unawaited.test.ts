/** A question that a handler does not wait for is reported: its answer would be lost without a word. */
import { describe, expect, test } from 'vitest'
import { createServer, prompt, type ServerOptions, type ToolContext, tool } from '../src/server.ts'
import { testClient } from '../src/testing.ts'

const form = { type: 'object', properties: { size: { type: 'string' } } } as const

interface Outcome {
  text: string
  errors: string[]
}

async function call(
  run: (ctx: ToolContext) => unknown,
  revision: '2025-11-25' | '2026-07-28',
  { elicit = true, ...more }: Partial<ServerOptions> & { elicit?: boolean } = {},
): Promise<Outcome> {
  const errors: string[] = []
  const server = createServer({
    name: 'shop',
    version: '1',
    tools: [tool({ name: 'buy', run: (_input, ctx) => run(ctx) as string })],
    onError: (error, { during }) => errors.push(`${during}: ${(error as Error).message}`),
    ...more,
  })
  const answer = () => ({ action: 'accept' as const, content: { size: 'M' } })
  await using client = await testClient(server, { revision, ...(elicit && { elicit: answer }) })
  // Twice: with the first question the module that asks is loaded.
  await client.callTool('buy')
  const { text } = await client.callTool('buy')
  return { text, errors }
}

const forgotten = 'tool buy: ctx.elicit was not awaited: the handler came to its end without the answer'

describe.each(['2025-11-25', '2026-07-28'] as const)('in %s', (revision) => {
  test('a forgotten await is reported, in handlers that wait and in those that do not', async () => {
    const ask = (ctx: ToolContext): unknown => void ctx.elicit('Which size?', form)
    expect(await call((ctx) => ask(ctx) ?? 'done', revision)).toEqual({ text: 'done', errors: [forgotten, forgotten] })
    const later = async (ctx: ToolContext) => ask(ctx) ?? 'done'
    expect(await call(later, revision)).toEqual({ text: 'done', errors: [forgotten, forgotten] })
  })

  test('one that fails is reported, and does not end the process', async () => {
    const run = async (ctx: ToolContext) => {
      void ctx.elicit('Which size?', form)
      await new Promise((resolve) => setTimeout(resolve, 20))
      return 'done'
    }
    const { text, errors } = await call(run, revision, { elicit: false })
    expect(errors).toEqual([forgotten, forgotten])
    expect(text).toBe('done')
  })

  test('a question that somebody waits for is not', async () => {
    const run = async (ctx: ToolContext) => {
      const [first, second] = await Promise.all([
        ctx.elicit('Which size?', form),
        ctx.elicit('Which other size?', form).then(({ action }) => action),
      ])
      const never = new Promise<never>(() => {})
      const raced = await Promise.race([never, ctx.elicit('And which last one?', form)])
      return `${first.action} ${second} ${raced.action}`
    }
    expect(await call(run, revision)).toEqual({ text: 'accept accept accept', errors: [] })
  })

  test('middleware may wait for its question after the handler', async () => {
    const run = () => 'done'
    const middleware = [
      {
        'tools/call': async (operation: { ctx: unknown }, next: () => Promise<object>) => {
          const question = (operation.ctx as ToolContext).elicit('Which size?', form)
          const result = await next()
          await question
          return result
        },
      },
    ]
    expect(await call(run, revision, { middleware: middleware as never })).toEqual({ text: 'done', errors: [] })
  })
})

test('prompts are named by their method', async () => {
  const errors: unknown[] = []
  const ask = prompt({
    name: 'ask',
    run: async (_args, ctx) => {
      void ctx.sample({ messages: [], maxTokens: 1 })
      return 'Hello'
    },
  })
  const onError = (error: unknown, { during }: { during: string }) => errors.push([during, (error as Error).message])
  await using client = await testClient(createServer({ name: 'a', version: '1', prompts: [ask], onError }))
  await client.getPrompt('ask')
  expect(errors).toEqual([['prompts/get', expect.stringContaining('ctx.sample was not awaited')]])
})
