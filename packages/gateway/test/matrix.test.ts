/** Everything that passes through a gateway, for each pair of revisions: of an upstream, and of a client. */
import { connect, isRpcError, type LogMessage, type Revision, revisions } from '@tenon/sdk/client'
import { type Channel, createServer, prompt, resource, resourceTemplate, type Server, tool } from '@tenon/sdk/server'
import { memoryPair, record, Transcript } from '@tenon/sdk/testing'
import { expect, test } from 'vitest'
import { upstreamServer } from '../../bridge/test/upstream.suite.ts'
import { transcriptProblems } from '../../sdk/test/transcript-problems.ts'
import { createGateway, type GatewayRequest } from '../src/index.ts'

const answers: { [message: string]: { [name: string]: string | number | boolean } } = {
  'When?': { time: '20:00' },
  'How many?': { people: 4 },
  'Go on?': { yes: true },
  'May it book?': { yes: true },
}

function skyServer(spoken: Revision): Server {
  const server: Server = createServer({
    name: 'sky',
    version: '1.0.0',
    revisions: [spoken],
    tools: [
      tool({ name: 'echo', run: () => 'sky' }),
      tool({
        name: 'turn',
        run: () => {
          server.resources.changed('sky://now')
          return 'turned'
        },
      }),
      tool({ name: 'hidden', run: () => 'never' }),
    ],
    resources: [
      resource({ uri: 'sky://now', name: 'now', read: () => 'blue' }),
      resourceTemplate({
        uriTemplate: 'sky://on/{day}',
        name: 'on',
        complete: { day: (value) => ['monday', 'sunday'].filter((day) => day.startsWith(value)) },
        read: ({ variables: { day } }) => `grey on ${day}`,
      }),
    ],
    prompts: [prompt({ name: 'look', run: () => 'Look up' })],
  })
  return server
}

const opening =
  (server: Pick<Server, 'connect'>, transcript = new Transcript()) =>
  (): Channel => {
    const [here, there] = memoryPair()
    server.connect(there, { transport: 'memory' })
    return record(here, 'client', transcript)
  }

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = []
  for await (const item of items) list.push(item)
  return list
}

const names = async (items: AsyncIterable<{ name: string }>): Promise<string[]> =>
  (await all(items)).map(({ name }) => name)

const elicits = (revision: Revision): boolean => revision >= '2025-06-18'
const pairs = revisions.flatMap((far) => revisions.map((near): [Revision, Revision] => [far, near]))

test.concurrent.each(pairs)('upstreams of %s for a client of %s', async (far, near) => {
  const both = elicits(far) && elicits(near)
  const upstream = upstreamServer(far)
  const finished: string[] = []
  const asks = async ({ item, elicit }: GatewayRequest): Promise<void> => {
    if (item.name !== 'book' || elicit === undefined) return
    const schema = { type: 'object', properties: { yes: { type: 'boolean' } } }
    expect(await elicit('May it book?', schema)).toMatchObject({ action: 'accept', content: { yes: true } })
  }
  await using gateway = createGateway(
    {
      upstreams: { a: { target: opening(upstream.server) }, b: { target: opening(skyServer(far)) } },
      servers: {
        team: {
          instructions: 'At your service',
          upstreams: { a: null, b: { exclude: ['hidden'], rename: { turn: 'turn_sky' } } },
        },
      },
    },
    {
      gatekeeper: {
        isListed: () => true,
        async admit(request) {
          await asks(request)
          return { args: request.args }
        },
        async finish({ method, item }, outcome) {
          finished.push(`${method} ${item.upstream} ${item.name} ${outcome.kind}`)
          return outcome
        },
      },
    },
  )
  const said = new Transcript()
  const logs: LogMessage[] = []
  const asked: string[] = []
  const client = await connect(opening(gateway.server('team')!, said), {
    revisions: [near],
    onLog: (message) => logs.push(message),
    roots: [{ uri: 'file:///home/ada' }],
    elicit: (request) => {
      asked.push(request.message)
      return request.mode === 'url'
        ? { action: 'accept' }
        : { action: 'accept', content: answers[request.message] ?? {} }
    },
    sample: () => ({ role: 'assistant', model: 'm1', content: { type: 'text', text: 'tenon' } }),
  })

  // The server, and its lists.
  expect(client.server).toMatchObject({
    info: { name: 'team' },
    instructions: 'At your service\n\n# a\n\nAsk nicely',
    capabilities: { tools: { listChanged: true }, resources: { subscribe: true }, prompts: {}, logging: {} },
  })
  expect(await names(client.tools())).toEqual(expect.arrayContaining(['a__echo', 'b__echo', 'turn_sky']))
  expect(await names(client.tools())).not.toContain('b__hidden')
  expect((await all(client.resources())).map(({ uri }) => uri)).toEqual(['note://one', 'sky://now'])
  expect((await all(client.resourceTemplates())).map(({ uriTemplate }) => uriTemplate)).toEqual([
    'note://{name}',
    'sky://on/{day}',
  ])
  expect(await names(client.prompts())).toEqual(['a__greet', 'b__look'])

  // Requests.
  expect((await client.callTool('a__echo', { text: 'hi' })).text).toContain('hi')
  expect((await client.callTool('b__echo')).text).toBe('sky')
  expect(await client.readResource('note://two')).toMatchObject({ contents: [{ text: 'note two' }] })
  expect(await client.readResource('sky://on/sunday')).toMatchObject({ contents: [{ text: 'grey on sunday' }] })
  const greeting = await client.getPrompt('a__greet', { who: 'Ada' })
  expect(greeting).toMatchObject({ messages: [{ content: { text: 'Say hello to Ada' } }] })
  const person = await client.complete({ type: 'ref/prompt', name: 'a__greet' }, { name: 'who', value: 'Al' })
  expect(person.values).toEqual(['Alan'])
  const day = await client.complete({ type: 'ref/resource', uri: 'sky://on/{day}' }, { name: 'day', value: 'm' })
  expect(day.values).toEqual(['monday'])
  expect(await client.callTool('a__fail')).toMatchObject({ isError: true, text: 'It does not work' })

  // Names that lead nowhere.
  const code = async (call: Promise<unknown>): Promise<unknown> =>
    call.then(
      () => 'no error',
      (error) => (isRpcError(error) ? error.code : error),
    )
  expect(await code(client.callTool('echo'))).toBe(-32602)
  expect(await code(client.callTool('b__hidden'))).toBe(-32602)
  expect(await code(client.callTool('b__turn'))).toBe(-32602)
  expect(await code(client.getPrompt('c__look'))).toBe(-32602)
  expect([-32002, -32602]).toContain(await code(client.readResource('nowhere://x')))

  // Questions of the gateway and of upstreams.
  if (both) {
    expect((await client.callTool('a__book', { restaurant: 'Kaia' })).text).toBe('Kaia at 20:00 for 4')
    expect(asked).toEqual(['May it book?', 'When?', 'How many?'])
    expect(upstream.runs.get('booked')).toBe(1)
    expect(finished.filter((line) => line.includes(' book '))).toEqual(['tools/call a book result'])
  }
  expect((await client.callTool('a__write')).text).toBe('m1 wrote tenon')
  expect((await client.callTool('a__where')).text).toBe('file:///home/ada')

  // Progress and logs.
  await client.setLoggingLevel('info')
  const progress: unknown[] = []
  await client.callTool('a__steps', {}, { onProgress: (report) => progress.push(report) })
  expect(progress).toMatchObject([{ progress: 1 }, { progress: 2 }])
  await expect.poll(() => logs).toEqual([{ level: 'warning', logger: 'steps', data: { note: 'careful' } }])

  // Cancellation.
  const stop = new AbortController()
  const call = client.callTool('a__wait', {}, { signal: stop.signal })
  await expect.poll(() => upstream.seen).toEqual(['wait'])
  stop.abort('enough')
  await expect(call).rejects.toMatchObject({ code: 'cancelled' })
  await expect.poll(() => upstream.seen).toEqual(['wait', 'cancelled'])

  // Changes.
  const heard = new Set<string>()
  client.onChange('tools', () => heard.add('tools'))
  const first = await client.watch('note://one', ({ uri }) => heard.add(uri))
  const second = await client.watch('sky://now', ({ uri }) => heard.add(uri))
  await client.ping()
  heard.clear()
  await expect
    .poll(async () => {
      await client.callTool('a__grow')
      await client.callTool('turn_sky')
      return [...heard].sort()
    })
    .toEqual(['note://one', 'sky://now', 'tools'])
  expect((await names(client.tools())).some((name) => name.startsWith('a__grown'))).toBe(true)
  await first.close()
  await second.close()

  // Tasks.
  if (far >= '2025-11-25') {
    expect((await client.callTool('a__slow', {}, { task: true })).text).toBe('took its time')
    expect(upstream.runs.get('slow')).toBe(1)
    if (both) {
      expect((await client.callTool('a__slow', { ask: true }, { task: true })).text).toBe('said accept')
      expect(asked.at(-1)).toBe('Go on?')
    }
  }

  await client.close()
  const isTask = (payload: object): boolean => JSON.stringify(payload).includes('"resultType":"task"')
  const entries = said.entries.filter(({ payload }) => !isTask(payload))
  expect(transcriptProblems(near, Object.assign(new Transcript(), { entries }))).toEqual([])
})
