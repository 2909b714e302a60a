import { serveHttp } from '@tenon/sdk/node'
import { createServer, tool } from '@tenon/sdk/server'
import { expect, test } from 'vitest'
import { TestBench } from './workbench-in-test.suite.ts'

const form = {
  type: 'object',
  properties: {
    mail: { type: 'string', format: 'email' },
    size: { type: 'string', enum: ['s', 'l'], default: 's' },
  },
  required: ['mail', 'size'],
} as const

test('an answer that the library would refuse is refused before, and its question waits on', async () => {
  const asking = tool({ name: 'ask', run: async (_, ctx) => JSON.stringify(await ctx.elicit('Who?', form)) })
  await using http = await serveHttp(createServer({ name: 'asking', version: '1.0.0', tools: [asking] }), { port: 0 })
  await using bench = await TestBench.open({ servers: [{ kind: 'url', name: 'asking', url: http.url }] })
  const server = await bench.until((event) =>
    event.type === 'snapshot'
      ? event.snapshot.servers.find(({ status }) => status === 'connected')?.id
      : event.type === 'server' && event.server.status === 'connected'
        ? event.server.id
        : undefined,
  )
  const operation = { method: 'tools/call', name: 'ask', arguments: {} } as const
  const { call } = await bench.run('call.start', { server, operation })
  const question = await bench.until((event) =>
    event.type === 'snapshot' ? event.snapshot.questions[0] : event.type === 'question' ? event.question : undefined,
  )
  const answer = (content: { [name: string]: string }): Promise<unknown> =>
    bench.run('question.answer', { question: question.id, answer: { action: 'accept', content } })
  await expect(answer({ mail: 'zzz' })).rejects.toThrow('answer.content.mail: expected a value of format email')
  await expect(answer({ mail: 'a@b.example', size: 'xl' })).rejects.toThrow('answer.content.size: expected')
  // The default of the other field is part of the answer.
  await answer({ mail: 'a@b.example' })
  const outcome = await bench.until((event) => {
    const calls = event.type === 'snapshot' ? event.snapshot.calls : event.type === 'call' ? [event.call] : []
    return calls.find(({ id }) => id === call)?.outcome
  })
  expect(JSON.stringify(outcome)).toContain('a@b.example')
})
