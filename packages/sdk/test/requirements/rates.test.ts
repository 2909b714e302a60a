/** Bounds on how often a server sends notifications of its own. */
import { expect, test, vi } from 'vitest'
import { revisions } from '../../src/model/revision.ts'
import { createServer, type ServerLimits, tool } from '../../src/server.ts'
import { testClient } from '../../src/testing.ts'

const busy = tool({
  name: 'busy',
  async run(_, ctx) {
    for (let step = 1; step <= 50; step++) {
      await ctx.progress(step, 50)
      await ctx.log('info', step)
    }
    return 'done'
  },
})
const serverWith = (limits?: ServerLimits) =>
  createServer({
    name: 'a',
    version: '1',
    onError: () => {},
    logging: true,
    tools: [busy, loop],
    ...(limits && { limits }),
  })

/** Samples until the model answers differently, which it never does. */
const loop = tool({
  name: 'loop',
  async run(_, ctx) {
    const messages = [{ role: 'user' as const, content: { type: 'text' as const, text: 'Go on?' } }]
    for (;;) if ((await ctx.sample({ messages, maxTokens: 5 })).text !== 'yes') return 'ended'
  },
})

// [progress.rate-limit] [log.rate-limit]
test.each(revisions)('%s: progress and log messages come as often as the server allows', async (revision) => {
  vi.useFakeTimers({ toFake: ['performance'] })
  try {
    const logs: unknown[] = []
    const limited = serverWith({ maxProgressPerSecond: 4, maxLogsPerMinute: 6 })
    await using client = await testClient(limited, { revision, onLog: ({ data }) => logs.push(data) })
    await client.setLoggingLevel('info')
    const progress: number[] = []
    await client.callTool('busy', {}, { onProgress: (one) => progress.push(one.progress) })
    // The last one reports completion, so it always comes.
    expect(progress).toEqual([1, 2, 3, 4, 50])
    expect(logs).toEqual([1, 2, 3, 4, 5, 6])
    vi.advanceTimersByTime(60_000)
    await client.callTool('busy')
    // Each stateless request is a client of its own.
    expect(logs).toHaveLength(12)
  } finally {
    vi.useRealTimers()
  }
})

test('without limits everything comes', async () => {
  const logs: unknown[] = []
  await using client = await testClient(serverWith(), { onLog: ({ data }) => logs.push(data) })
  await client.setLoggingLevel('info')
  const progress: number[] = []
  await client.callTool('busy', {}, { onProgress: (one) => progress.push(one.progress) })
  expect([progress.length, logs.length]).toEqual([50, 50])
})

// [sampling.sec.iteration-limit]
test.each(revisions)('%s: a loop with a model comes to an end', async (revision) => {
  let asked = 0
  const sample = () => {
    asked++
    return { role: 'assistant' as const, model: 'm', content: { type: 'text' as const, text: 'yes' } }
  }
  await using client = await testClient(serverWith({ maxQuestions: 7 }), { revision, sample })
  expect((await client.callTool('loop')).isError).toBe(true)
  expect(asked).toBe(7)
})
