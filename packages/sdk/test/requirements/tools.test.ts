/** Requirements for tools and completion that no other test cites. */
import { expect, test, vi } from 'vitest'
import { toolFacts, toolTitle } from '../../src/client/calls/tool-hints.ts'
import { connect } from '../../src/client/connect.ts'
import { type Revision, revisions } from '../../src/model/revision.ts'
import { createServer, prompt, rateLimit, tool } from '../../src/server.ts'
import { memoryPair, testClient } from '../../src/testing.ts'

const inputSchema = { type: 'object' as const }

// [tools.def.title-precedence]
test('a tool is called by its title, else by that of its annotations, else by its name', () => {
  const annotations = { title: 'Annotated' }
  expect(toolTitle({ name: 'name', inputSchema, annotations, title: 'Title' })).toBe('Title')
  expect(toolTitle({ name: 'name', inputSchema, annotations })).toBe('Annotated')
  expect(toolTitle({ name: 'name', inputSchema })).toBe('name')
})

// [tools.def.annotation-defaults]
test('of a tool that says nothing the worst is assumed', () => {
  const worst = { readOnly: false, destructive: true, idempotent: false, openWorld: true }
  expect(toolFacts({ name: 'a', inputSchema })).toEqual(worst)
  expect(toolFacts({ name: 'a', inputSchema, annotations: {} })).toEqual(worst)
  const annotations = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }
  expect(toolFacts({ name: 'a', inputSchema, annotations })).toEqual({
    readOnly: true,
    destructive: false,
    idempotent: true,
    openWorld: false,
  })
})

const limited = () => {
  let runs = 0
  const count = tool({ name: 'count', run: () => `${++runs}` })
  const greet = prompt({
    name: 'greet',
    arguments: { type: 'object', properties: { name: { type: 'string', enum: ['Ada', 'Bob'] } } },
    run: () => '',
  })
  const limits = { 'tools/call': { perMinute: 60, burst: 3 }, 'completion/complete': { perMinute: 60, burst: 2 } }
  const server = createServer({
    name: 'a',
    version: '1',
    tools: [count],
    prompts: [greet],
    middleware: [rateLimit(limits)],
  })
  return { server, runs: () => runs }
}

/** A client of this principal, on a connection of its own. */
const clientOf = ({ server }: ReturnType<typeof limited>, principal?: string, revision?: Revision) =>
  connect(
    () => {
      const [near, far] = memoryPair()
      server.connect(far, { transport: 'http', ...(principal !== undefined && { auth: { principal } }) })
      return near
    },
    revision === undefined ? {} : { revisions: [revision] },
  )

const tooMany = (method: string) => ({
  code: -32603,
  message: `Too many requests: ${method} is allowed 60 times a minute`,
  data: { retryAfterMs: expect.any(Number) },
})

// [tools.sec.rate-limit]
test.each(revisions)('%s: a caller has only so many calls, and gets new ones as time goes by', async (revision) => {
  vi.useFakeTimers({ toFake: ['performance'] })
  try {
    const it = limited()
    await using ada = await clientOf(it, 'ada', revision)
    await using again = await clientOf(it, 'ada', revision)
    await using bob = await clientOf(it, 'bob', revision)
    for (const client of [ada, again, ada]) await client.callTool('count')
    // Another connection of the same caller is the same caller.
    for (const client of [ada, again])
      await expect(client.callTool('count')).rejects.toMatchObject(tooMany('tools/call'))
    expect(it.runs()).toBe(3)
    expect((await bob.callTool('count')).text).toBe('4')
    await expect(ada.listTools()).resolves.toBeDefined()
    vi.advanceTimersByTime(1_001)
    expect((await ada.callTool('count')).text).toBe('5')
    await expect(ada.callTool('count')).rejects.toMatchObject(tooMany('tools/call'))
    vi.advanceTimersByTime(3_600_000)
    for (let index = 0; index < 3; index++) await ada.callTool('count')
    await expect(ada.callTool('count')).rejects.toMatchObject(tooMany('tools/call'))
  } finally {
    vi.useRealTimers()
  }
})

test('who is not known shares the rate of all who are not', async () => {
  const it = limited()
  for (let index = 0; index < 3; index++) {
    await using client = await clientOf(it)
    await client.callTool('count')
  }
  await using client = await clientOf(it)
  await expect(client.callTool('count')).rejects.toMatchObject(tooMany('tools/call'))
  await using ada = await clientOf(it, 'ada')
  expect((await ada.callTool('count')).text).toBe('4')
})

// [complete.rate-limit]
test.each(revisions)('%s: completion has a rate of its own', async (revision) => {
  const it = limited()
  await using client = await testClient(it.server, { revision })
  const complete = () => client.complete({ type: 'ref/prompt', name: 'greet' }, { name: 'name', value: 'A' })
  await complete()
  await complete()
  await expect(complete()).rejects.toMatchObject(tooMany('completion/complete'))
  expect((await client.callTool('count')).text).toBe('1')
})

test.each([
  [{ perMinute: 0 }, 'rateLimit tools/call.perMinute: expected a number of at least 1, got 0'],
  [{ perMinute: 5, burst: 0.5 }, 'rateLimit tools/call.burst: expected a number of at least 1, got 0.5'],
  [{ perMinute: Number.NaN }, 'got NaN'],
])('a rate of %j is refused', (rate, problem) => {
  expect(() => rateLimit({ 'tools/call': rate })).toThrow(problem)
})
