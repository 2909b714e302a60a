/** Every revision on both sides, in memory: a client sees the same through a bridge as without one. */
import {
  type Channel,
  type Client,
  connect,
  isRpcError,
  type LogMessage,
  type Revision,
  revisions,
} from '@tenon/sdk/client'
import type { Server } from '@tenon/sdk/server'
import { memoryPair, record, Transcript } from '@tenon/sdk/testing'
import { describe, expect, test } from 'vitest'
import { transcriptProblems } from '../../sdk/test/transcript-problems.ts'
import { bridge } from '../src/bridge.ts'
import { type Upstream, upstreamServer } from './upstream.suite.ts'

interface World extends AsyncDisposable {
  client: Client
  upstream: Upstream
  logs: LogMessage[]
  asked: string[]
}

const answers: { [message: string]: { [name: string]: string | number | boolean } } = {
  'When?': { time: '20:00' },
  'How many?': { people: 4 },
  'A?': { a: 'first' },
  'B?': { b: 'second' },
  'Go on?': { yes: true },
}

async function world(far: Revision, near: Revision, { asking = true } = {}): Promise<World> {
  const upstream = upstreamServer(far)
  const farSaid = new Transcript()
  const nearSaid = new Transcript()
  const opening = (server: Pick<Server, 'connect'>, transcript: Transcript) => (): Channel => {
    const [here, there] = memoryPair()
    server.connect(there)
    return record(here, 'client', transcript)
  }
  const link = bridge({ target: opening(upstream.server, farSaid) })
  const logs: LogMessage[] = []
  const asked: string[] = []
  const client = await connect(opening(link.server, nearSaid), {
    revisions: [near],
    info: { name: 'near', version: '1.0.0' },
    onLog: (message) => logs.push(message),
    ...(asking && {
      roots: [{ uri: 'file:///home/ada' }],
      elicit: (request) => {
        asked.push(request.message)
        return request.mode === 'url'
          ? { action: 'accept' }
          : { action: 'accept', content: answers[request.message] ?? {} }
      },
      sample: () => ({ role: 'assistant', model: 'm1', content: { type: 'text', text: 'tenon' } }),
    }),
  })
  const end = async (): Promise<void> => {
    await client.close()
    await link.close()
    // Messages of the bridge are valid in their revision, on both sides.
    expect(problems(near, nearSaid)).toEqual([])
    expect(problems(far, farSaid)).toEqual([])
  }
  return { client, upstream, logs, asked, [Symbol.asyncDispose]: end }
}

/** The schema violations of the messages, except for methods that no schema has: extensions and tasks. */
function problems(revision: Revision, transcript: Transcript): string[] {
  const calls = transcript.calls('unknown/method') as { id?: unknown }[]
  const ids = new Set(calls.map(({ id }) => id))
  const isForeign = (payload: object): boolean =>
    ('id' in payload && ids.has(payload.id)) || JSON.stringify(payload).includes('"resultType":"task"')
  const entries = transcript.entries.filter(({ payload }) => !isForeign(payload))
  const found = transcriptProblems(revision, Object.assign(new Transcript(), { entries }))
  // Errors keep their code, also if an older revision has no name for it.
  return found.filter((problem) => !problem.endsWith('has no error -32021'))
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = []
  for await (const item of items) list.push(item)
  return list
}

const isModern = (revision: Revision): boolean => revision === '2026-07-28'
const elicits = (revision: Revision): boolean => revision >= '2025-06-18'
/** A test of a feature that only some revisions have; the others get no test. */
const where = (has: boolean): ((name: string, run: () => Promise<void>) => void) => (has ? test : () => {})
const pairs = revisions.flatMap((far) => revisions.map((near): [Revision, Revision] => [far, near]))

describe.each(pairs)('a server of %s for a client of %s', (far, near) => {
  const both = elicits(far) && elicits(near)

  test('says who it is', async () => {
    await using w = await world(far, near)
    expect(w.client.server).toMatchObject({
      info: { name: 'upstream', version: '2.1.0' },
      instructions: 'Ask nicely',
      revision: near,
      capabilities: { tools: { listChanged: true }, resources: { subscribe: true }, prompts: {}, logging: {} },
    })
  })

  test('lists, reads, prompts and completes', async () => {
    await using w = await world(far, near)
    const tools = await all(w.client.tools())
    expect(tools.map(({ name }) => name)).toContain('echo')
    expect(await all(w.client.resources())).toMatchObject([{ uri: 'note://one', name: 'one' }])
    expect(await all(w.client.resourceTemplates())).toMatchObject([{ uriTemplate: 'note://{name}' }])
    expect(await w.client.readResource('note://two')).toMatchObject({ contents: [{ text: 'note two' }] })
    expect(await all(w.client.prompts())).toMatchObject([{ name: 'greet' }])
    expect(await w.client.getPrompt('greet', { who: 'Ada' })).toMatchObject({
      messages: [{ role: 'user', content: { type: 'text', text: 'Say hello to Ada' } }],
    })
    const ref = { type: 'ref/prompt', name: 'greet' } as const
    expect((await w.client.complete(ref, { name: 'who', value: 'Al' })).values).toEqual(['Alan'])
  })

  test('calls tools, and passes on what they refuse', async () => {
    await using w = await world(far, near)
    expect((await w.client.callTool('echo', { text: 'hi' })).text).toContain('hi')
    expect(await w.client.callTool('fail')).toMatchObject({ isError: true, text: 'It does not work' })
    await expect(w.client.callTool('nothing')).rejects.toSatisfy((error) => isRpcError(error) && error.code === -32602)
    await expect(w.client.readResource('nowhere://x')).rejects.toSatisfy(isRpcError)
    await expect(w.client.request('unknown/method')).rejects.toSatisfy(
      (error) => isRpcError(error) && error.code === -32601,
    )
  })

  where(both)('asks one question after the other, and does its work once', async () => {
    await using w = await world(far, near)
    const { text } = await w.client.callTool('book', { restaurant: 'Kaia' })
    expect(text).toBe('Kaia at 20:00 for 4')
    expect(w.asked).toEqual(['When?', 'How many?'])
    expect(w.upstream.runs.get('booked')).toBe(1)
    // A server that asks while it works must not be called a second time.
    if (!isModern(far)) expect(w.upstream.runs.get('book')).toBe(1)
  })

  where(both)('asks several things at once', async () => {
    await using w = await world(far, near)
    expect((await w.client.callTool('both')).text).toBe('[{"a":"first"},{"b":"second"}]')
    expect(w.asked.toSorted()).toEqual(['A?', 'B?'])
  })

  where(far >= '2025-11-25' && near >= '2025-11-25')('asks to open a URL', async () => {
    await using w = await world(far, near)
    expect((await w.client.callTool('open')).text).toBe('accept')
  })

  test('asks for a message of the model, and for roots', async () => {
    await using w = await world(far, near)
    expect((await w.client.callTool('write')).text).toBe('m1 wrote tenon')
    expect((await w.client.callTool('where')).text).toBe('file:///home/ada')
  })

  test('tells a client that cannot be asked what the server would tell it', async () => {
    await using w = await world(far, near, { asking: false })
    const direct = await connect(upstreamServer(isModern(far) ? far : near).server, {
      revisions: [isModern(far) ? far : near],
    })
    const outcome = async (client: Client): Promise<unknown> =>
      client.callTool('where').then(
        ({ isError }) => ({ isError }),
        (error) => ({ code: error.code }),
      )
    if (isModern(far) === isModern(near)) expect(await outcome(w.client)).toEqual(await outcome(direct))
    else expect(await outcome(w.client)).not.toEqual({ isError: false })
    await direct.close()
  })

  test('reports progress and logs', async () => {
    await using w = await world(far, near)
    await w.client.setLoggingLevel('info')
    const progress: unknown[] = []
    const { text } = await w.client.callTool('steps', {}, { onProgress: (report) => progress.push(report) })
    expect(text).toBe('stepped')
    expect(progress).toMatchObject([
      { progress: 1, total: 2 },
      { progress: 2, total: 2 },
    ])
    await expect.poll(() => w.logs).toEqual([{ level: 'warning', logger: 'steps', data: { note: 'careful' } }])
  })

  test('cancels', async () => {
    await using w = await world(far, near)
    const stop = new AbortController()
    const call = w.client.callTool('wait', {}, { signal: stop.signal })
    await expect.poll(() => w.upstream.seen).toEqual(['wait'])
    stop.abort('enough')
    await expect(call).rejects.toMatchObject({ code: 'cancelled' })
    await expect.poll(() => w.upstream.seen).toEqual(['wait', 'cancelled'])
  })

  test('tells of changes', async () => {
    await using w = await world(far, near)
    const heard: string[] = []
    w.client.onChange('tools', () => heard.push('tools'))
    await using _watch = await w.client.watch('note://one', ({ uri }) => heard.push(uri))
    // On a stream the first notifications may be about its opening.
    await w.client.ping()
    heard.length = 0
    await expect
      .poll(async () => {
        await w.client.callTool('grow')
        return heard
      })
      .toEqual(expect.arrayContaining(['tools', 'note://one']))
  })

  where(far >= '2025-11-25')('runs what runs only as a task, for clients that know tasks and for others', async () => {
    await using w = await world(far, near)
    expect((await w.client.callTool('slow', {}, { task: true })).text).toBe('took its time')
    expect(w.upstream.runs.get('slow')).toBe(1)
  })

  where(far >= '2025-11-25' && both)('asks what a task asks', async () => {
    await using w = await world(far, near)
    expect((await w.client.callTool('slow', { ask: true }, { task: true })).text).toBe('said accept')
    expect(w.asked).toEqual(['Go on?'])
    expect(w.upstream.runs.get('slow')).toBe(1)
  })
})
