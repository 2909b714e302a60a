/** Questions of a server, for clients that can only be asked with an answer. */
import { connect, type JsonObject, type Revision } from '@tenon/sdk/client'
import { serveHttp } from '@tenon/sdk/node'
import { connectRaw, type RawClient } from '@tenon/sdk/relay'
import { createServer, type Server, type ServerTool, tool } from '@tenon/sdk/server'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { type Bridge, type BridgeOptions, bridge } from '../src/bridge.ts'

const empty = z.object({})
const modern: Revision = '2026-07-28'
const stateKeys = [new Uint8Array(32).fill(7)]
const capabilities = { elicitation: { form: {} } }

const serverWith = (revision: Revision, ...tools: ServerTool[]): Server =>
  createServer({ name: 'far', version: '1.0.0', revisions: [revision], tools, stateKeys })

interface World extends AsyncDisposable {
  link: Bridge
  client: RawClient
}

async function world(server: Server, options: BridgeOptions = {}): Promise<World> {
  const link = bridge({ target: server }, options)
  const client = await connectRaw(link.server, { revisions: [modern], capabilities })
  const end = async (): Promise<void> => {
    await client.close()
    await link.close()
  }
  return { link, client, [Symbol.asyncDispose]: end }
}

const asked = (result: JsonObject): string[] =>
  Object.values(result.inputRequests as { [key: string]: { params: { message: string } } }).map(
    ({ params }) => params.message,
  )

const answered = (result: JsonObject, content: JsonObject, ...keys: string[]): JsonObject => ({
  requestState: result.requestState,
  inputResponses: Object.fromEntries(
    Object.keys(result.inputRequests as object)
      .filter((key) => keys.length === 0 || keys.includes(key))
      .map((key) => [key, { action: 'accept', content }]),
  ),
})

const textOf = (result: JsonObject): string => (result.content as { text: string }[])[0]!.text

/** Asks twice, reports in between, and takes note of its starts and its end. */
function form(notes: string[]): ServerTool {
  return tool({
    name: 'form',
    input: empty,
    async run(_, ctx) {
      notes.push('started')
      ctx.signal.addEventListener('abort', () => notes.push('cancelled'))
      await ctx.progress(1, 3)
      const first = await ctx.elicit('First?', z.object({ value: z.string() }))
      await ctx.progress(2, 3)
      const second = await ctx.elicit('Second?', z.object({ value: z.string() }))
      await ctx.progress(3, 3)
      return `${first.content?.value} ${second.content?.value}`
    },
  })
}

test('a call goes on where it was, with progress on every leg', async () => {
  const notes: string[] = []
  await using w = await world(serverWith('2025-11-25', form(notes)))
  const progress: number[] = []
  const call = (more: JsonObject = {}): Promise<JsonObject> =>
    w.client.request(
      'tools/call',
      { name: 'form', ...more },
      { onProgress: (report) => progress.push(report.progress) },
    )
  const first = await call()
  expect(asked(first)).toEqual(['First?'])
  expect(progress).toEqual([1])
  const second = await call(answered(first, { value: 'a' }))
  expect(asked(second)).toEqual(['Second?'])
  expect(progress).toEqual([1, 2])
  expect(textOf(await call(answered(second, { value: 'b' })))).toBe('a b')
  expect(progress).toEqual([1, 2, 3])
  expect(notes).toEqual(['started'])
})

test('state is good for one round, for one call and for one tool', async () => {
  await using w = await world(serverWith('2025-11-25', form([])))
  const first = await w.client.request('tools/call', { name: 'form' })
  const again = { name: 'form', ...answered(first, { value: 'a' }) }
  await w.client.request('tools/call', again)
  await expect(w.client.request('tools/call', again)).rejects.toMatchObject({ code: -32602 })
  const other = { name: 'form', arguments: { other: true }, ...answered(first, { value: 'a' }) }
  await expect(w.client.request('tools/call', other)).rejects.toMatchObject({ code: -32602 })
})

test('a client that does not come back has its call cancelled, and hears so if it does', async () => {
  const notes: string[] = []
  await using w = await world(serverWith('2025-11-25', form(notes)), {
    answerMs: 40,
    limits: { stateTtlMs: 60_000 },
  })
  const first = await w.client.request('tools/call', { name: 'form' })
  await expect.poll(() => notes).toEqual(['started', 'cancelled'])
  const late = w.client.request('tools/call', { name: 'form', ...answered(first, { value: 'a' }) })
  await expect(late).rejects.toMatchObject({ code: -32602, message: expect.stringContaining('does not wait any more') })
})

test('a bridge that was started again says that it knows nothing of the call', async () => {
  const server = serverWith('2025-11-25', form([]))
  await using before = await world(server, { stateKeys })
  const first = await before.client.request('tools/call', { name: 'form' })
  await using after = await world(server, { stateKeys })
  const late = after.client.request('tools/call', { name: 'form', ...answered(first, { value: 'a' }) })
  await expect(late).rejects.toMatchObject({ code: -32602, message: expect.stringContaining('started again') })
})

test('between stateless peers any bridge can take any round: nothing is remembered', async () => {
  const notes: string[] = []
  const server = serverWith(modern, form(notes))
  await using one = await world(server, { stateKeys })
  await using other = await world(server, { stateKeys })
  const first = await one.client.request('tools/call', { name: 'form' })
  const second = await other.client.request('tools/call', { name: 'form', ...answered(first, { value: 'a' }) })
  expect(asked(second)).toEqual(['Second?'])
  const last = await one.client.request('tools/call', { name: 'form', ...answered(second, { value: 'b' }) })
  expect(textOf(last)).toBe('a b')
})

test('a call that is cancelled while it goes on is cancelled at the server', async () => {
  const notes: string[] = []
  const stuck = tool({
    name: 'stuck',
    input: empty,
    async run(_, ctx) {
      ctx.signal.addEventListener('abort', () => notes.push('cancelled'))
      await ctx.elicit('Ready?', empty)
      notes.push('waits')
      return new Promise<string>(() => {})
    },
  })
  await using w = await world(serverWith('2025-11-25', stuck))
  const first = await w.client.request('tools/call', { name: 'stuck' })
  const stop = new AbortController()
  const again = { name: 'stuck', ...answered(first, {}) }
  const call = w.client.request('tools/call', again, { signal: stop.signal })
  await expect.poll(() => notes).toEqual(['waits'])
  stop.abort()
  await expect(call).rejects.toMatchObject({ code: 'cancelled' })
  await expect.poll(() => notes).toEqual(['waits', 'cancelled'])
})

test('questions asked together come together, and may be answered one by one', async () => {
  const both = tool({
    name: 'both',
    input: empty,
    async run(_, ctx) {
      const value = z.object({ value: z.string() })
      const answers = await Promise.all([ctx.elicit('A?', value), ctx.elicit('B?', value)])
      return answers.map(({ content }) => content?.value).join(' ')
    },
  })
  await using w = await world(serverWith('2025-06-18', both))
  const first = await w.client.request('tools/call', { name: 'both' })
  expect(asked(first)).toEqual(['A?', 'B?'])
  const rest = await w.client.request('tools/call', { name: 'both', ...answered(first, { value: 'a' }, '1') })
  expect(asked(rest)).toEqual(['B?'])
  const last = await w.client.request('tools/call', { name: 'both', ...answered(rest, { value: 'b' }) })
  expect(textOf(last)).toBe('a b')
})

test('a question that the server takes back is not asked any more', async () => {
  const notes: string[] = []
  const late = new AbortController()
  const hasty = tool({
    name: 'hasty',
    input: empty,
    async run(_, ctx) {
      await ctx.elicit('Quick?', empty, { signal: late.signal }).catch(() => notes.push('too late'))
      const { action } = await ctx.elicit('Sure?', empty)
      return action
    },
  })
  await using w = await world(serverWith('2025-11-25', hasty))
  let result = await w.client.request('tools/call', { name: 'hasty' })
  expect(asked(result)).toEqual(['Quick?'])
  late.abort()
  await expect.poll(() => notes).toEqual(['too late'])
  result = await w.client.request('tools/call', { name: 'hasty', ...answered(result, {}) })
  expect(asked(result)).toEqual(['Sure?'])
  result = await w.client.request('tools/call', { name: 'hasty', ...answered(result, {}) })
  expect(textOf(result)).toBe('accept')
})

/** Lets nobody pass before all are there. */
function gathering(size: number): { here(): Promise<void> } {
  let open: () => void = () => {}
  const complete = new Promise<void>((resolve) => {
    open = resolve
  })
  let count = 0
  return {
    here: () => {
      if (++count >= size) open()
      return complete
    },
  }
}

test('strangers are never asked what is meant for others, and share a connection when they come one after the other', async () => {
  let connections = 0
  let everybody = gathering(1)
  const server = serverWith(
    '2025-11-25',
    tool({
      name: 'greet',
      input: z.object({ who: z.string() }),
      async run({ who }, ctx) {
        await everybody.here()
        const answer = await ctx.elicit(`Are you ${who}?`, z.object({ name: z.string() }))
        return `${who} is ${answer.content?.name}`
      },
    }),
  )
  const counted = {
    connect: (...given: Parameters<Server['connect']>) => {
      connections++
      return server.connect(...given)
    },
  }
  await using link = bridge({ target: counted })
  const http = await serveHttp(link.server, { port: 0 })
  const clientOf = (name: string) =>
    connect(http.url, {
      revisions: [modern],
      elicit: ({ message }) => ({ action: 'accept', content: { name: `${name} (${message})` } }),
    })
  const clients = await Promise.all(['Ada', 'Bob', 'Cleo'].map(clientOf))
  for (const client of clients) expect(await client.callTool('greet', { who: 'x' })).toMatchObject({ isError: false })
  expect(connections).toBe(1)
  const names = ['Ada', 'Bob', 'Cleo']
  for (let round = 0; round < 10; round++) {
    everybody = gathering(3)
    const results = await Promise.all(clients.map((client, index) => client.callTool('greet', { who: names[index] })))
    expect(results.map(({ text }) => text)).toEqual(names.map((name) => `${name} is ${name} (Are you ${name}?)`))
  }
  expect(connections).toBeLessThanOrEqual(3)
  await Promise.all(clients.map((client) => client.close()))
  await http.close()
})

test('calls of one client that run side by side each get their answers, whichever of them brings the question', async () => {
  const everybody = gathering(5)
  const greet = tool({
    name: 'greet',
    input: z.object({ who: z.string() }),
    async run({ who }, ctx) {
      await everybody.here()
      const answer = await ctx.elicit(`Are you ${who}?`, z.object({ name: z.string() }))
      return `${who} is ${answer.content?.name}`
    },
  })
  await using link = bridge({ target: serverWith('2025-11-25', greet) })
  await using client = await connect(link.server, {
    revisions: [modern],
    elicit: ({ message }) => ({ action: 'accept', content: { name: message } }),
  })
  const names = ['Ada', 'Bob', 'Cleo', 'Dan', 'Eve']
  const results = await Promise.all(names.map((who) => client.callTool('greet', { who })))
  expect(results.map(({ text }) => text)).toEqual(names.map((name) => `${name} is Are you ${name}?`))
})

test('a call whose client does not come back does not take along what another one asks', async () => {
  const everybody = gathering(2)
  const asking = tool({
    name: 'asking',
    input: z.object({ who: z.string() }),
    async run({ who }, ctx) {
      await everybody.here()
      if (who === 'second') return new Promise<string>(() => {})
      const { action } = await ctx.elicit('First?', empty)
      return action
    },
  })
  await using w = await world(serverWith('2025-11-25', asking), { answerMs: 1_500 })
  const call = (who: string, more: JsonObject = {}): Promise<JsonObject> =>
    w.client.request('tools/call', { name: 'asking', arguments: { who }, ...more })
  const first = call('first')
  // The latest call brings the question of the other, and nobody answers it.
  expect(asked(await call('second'))).toEqual(['First?'])
  const handed = await first
  expect(asked(handed)).toEqual(['First?'])
  expect(textOf(await call('first', answered(handed, {})))).toBe('accept')
})

test('too many calls that wait are refused', async () => {
  await using w = await world(serverWith('2025-11-25', form([])), { maxWaiting: 1 })
  await w.client.request('tools/call', { name: 'form' })
  await expect(w.client.request('tools/call', { name: 'form' })).rejects.toMatchObject({ data: { limit: 1 } })
})
