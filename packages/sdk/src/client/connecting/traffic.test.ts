import { expect, test } from 'vitest'
import { forgetServers } from '../../http-client/verdicts.ts'
import type { Message } from '../../jsonrpc/message.ts'
import { revisions } from '../../model/revision.ts'
import { serveHttp } from '../../node.ts'
import { createServer, tool } from '../../server.ts'
import type { TrafficEvent } from '../../transport/tap.ts'
import { serveWebSocket } from '../../websocket.ts'
import { connect } from '../connect.ts'
import type { ConnectOptions } from '../options.ts'
import type { ProcessTarget, Target } from './target.ts'

const ask = tool({
  name: 'ask',
  run: async (_, ctx) => {
    ctx.progress(1, 2)
    const { action } = await ctx.elicit('Who?', { type: 'object', properties: {} })
    return action
  },
})
const server = createServer({ name: 'asking', version: '1.0.0', tools: [ask] })

/** The messages, in a form that does not depend on the transport. */
const said = (events: readonly TrafficEvent[]): string[] =>
  events.map(({ from, payload }) => {
    const message = payload as Message
    return `${from} ${'method' in message ? message.method : 'result' in message ? 'result' : 'error'}`
  })

async function watch(target: Target, options: ConnectOptions): Promise<string[]> {
  const events: TrafficEvent[] = []
  await using client = await connect(target, {
    ...options,
    elicit: () => ({ action: 'decline' }),
    onMessage: (event) => events.push(event),
  })
  const result = await client.callTool('ask', {}, { onProgress: () => {} })
  expect(result.text).toBe('decline')
  for (const [index, { at }] of events.entries()) {
    expect(at).toBeGreaterThan(index === 0 ? Date.now() - 60_000 : events[index - 1]!.at - 1_000)
  }
  return said(events)
}

const asked = ['client tools/call', 'server notifications/progress']
const answered = [...asked, 'server elicitation/create', 'client result', 'server result']

test.each(revisions.slice(2))('every message is told, on every channel, of %s', async (revision) => {
  forgetServers()
  await using http = await serveHttp(server, { port: 0 })
  await using socket = await serveWebSocket(server, { port: 0 })
  const program = `
    import { createServer, tool } from '@tenon/sdk/server'
    import { serveStdio } from '@tenon/sdk/stdio'
    const ask = tool({ name: 'ask', run: async (_, ctx) => {
      ctx.progress(1, 2)
      return (await ctx.elicit('Who?', { type: 'object', properties: {} })).action
    } })
    await serveStdio(createServer({ name: 'asking', version: '1.0.0', tools: [ask] }))`
  const stdio = {
    command: process.execPath,
    args: ['--input-type=module', '--eval', program],
    cwd: import.meta.dirname,
  }
  const targets: [Target, ConnectOptions?][] = [
    [server],
    [stdio],
    [socket.url!],
    [http.url],
    [http.url, { fetch: (input, init) => fetch(input, init) }],
  ]
  for (const [target, options] of targets) {
    const told = await watch(target, { ...options, revisions: [revision] })
    if (revision === '2026-07-28') {
      const retried = [...asked, 'server result']
      expect(told).toEqual(['client server/discover', 'server result', ...asked, 'server result', ...retried])
    } else {
      const handshake = ['client initialize', 'server result', 'client notifications/initialized']
      expect(told).toEqual([...handshake, ...answered])
    }
  }
})

test('a payload that is told is a copy', async () => {
  const args = { list: [1] }
  const kept: TrafficEvent[] = []
  const echo = createServer({ name: 'echo', version: '1', tools: [tool({ name: 'echo', run: () => 'hello' })] })
  await using client = await connect(echo, {
    onMessage: (event) => {
      kept.push(event)
      const { result } = event.payload as { result?: { content?: { text: string }[] } }
      if (result?.content !== undefined) result.content[0]!.text = 'changed by who watches'
    },
  })
  const calling = client.callTool('echo', args)
  args.list.push(2)
  expect((await calling).text).toBe('hello')
  const call = kept.find(({ payload }) => (payload as { method?: string }).method === 'tools/call')
  expect(call).toMatchObject({ from: 'client', payload: { params: { arguments: { list: [1] } } } })
})

const crashing = `
  process.stdout.write('Listening on nothing\\n')
  const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n')
  const result = { capabilities: { tools: {} }, serverInfo: { name: 'old', version: '1' } }
  let input = ''
  process.stdin.on('data', (text) => {
    const lines = (input + text).split('\\n')
    input = lines.pop()
    for (const line of lines) {
      const { id, method, params } = JSON.parse(line)
      if (method === 'initialize') send({ id, result: { protocolVersion: params.protocolVersion, ...result } })
      if (params?.name === 'crash') process.exit(1)
      if (params?.name === 'stay') send({ id, result: { content: [] } })
    }
  })`
const restarting: ProcessTarget = {
  command: process.execPath,
  args: ['--input-type=module', '--eval', crashing],
  restart: { backoffMs: 1 },
}

test('input that is no message is told, and so is what follows a restart', async () => {
  const events: TrafficEvent[] = []
  await using client = await connect(restarting, {
    revisions: ['2025-11-25'],
    onMessage: (event) => events.push(event),
  })
  await expect(client.callTool('crash')).rejects.toMatchObject({ code: 'closed' })
  await client.callTool('stay')
  const life = ['client initialize', 'server result', 'client notifications/initialized', 'client tools/call']
  const messages = events.filter(({ payload }) => payload !== undefined)
  expect(said(messages)).toEqual([...life, ...life, 'server result'])
  const refused = events.filter(({ refusal }) => refusal !== undefined)
  expect(refused).toMatchObject([
    { from: 'server', refusal: { code: -32700 } },
    { from: 'server', refusal: { code: -32700 } },
  ])
})

test('a listener that throws is reported, and changes nothing', async () => {
  const errors: Error[] = []
  await using client = await connect(createServer({ name: 'a', version: '1' }), {
    onError: (error) => errors.push(error),
    onMessage: () => {
      throw new Error('watching failed')
    },
  })
  await client.ping()
  expect(errors.length).toBeGreaterThan(1)
  expect(new Set(errors.map(({ message }) => message))).toEqual(new Set(['watching failed']))
})

const endless = createServer({
  name: 'endless',
  version: '1.0.0',
  tools: [
    tool({
      name: 'wait',
      run: (_, ctx) => {
        ctx.progress(1, 2)
        return new Promise<string>((resolve) => ctx.signal.addEventListener('abort', () => resolve('ended')))
      },
    }),
  ],
})

test.each(revisions.slice(1))(
  'what came on the stream of a request says so, and its end is told, in %s',
  async (revision) => {
    forgetServers()
    await using http = await serveHttp(endless, { port: 0 })
    const events: TrafficEvent[] = []
    await using client = await connect(http.url, { revisions: [revision], onMessage: (event) => events.push(event) })
    const stop = new AbortController()
    const onProgress = (): void => stop.abort()
    await expect(client.callTool('wait', {}, { signal: stop.signal, onProgress })).rejects.toMatchObject({
      code: 'cancelled',
    })
    const { id } = events.findLast(({ payload }) => isCall(payload))!.payload as { id: number }
    const progress = events.find(({ payload }) => said([{ payload } as TrafficEvent])[0]?.endsWith('progress'))
    expect(progress).toMatchObject({ during: id })
    const cancelled = events.some(
      (event) => event.payload !== undefined && said([event])[0] === 'client notifications/cancelled',
    )
    const failure = events.find((event) => event.failure !== undefined)
    if (revision === '2026-07-28') {
      // Closing the stream says it: nothing travels.
      expect(cancelled).toBe(false)
      expect(failure).toMatchObject({ from: 'client', failure: { id, error: { code: 'cancelled' } } })
    } else {
      expect(cancelled).toBe(true)
      expect(failure).toBeUndefined()
    }
  },
)

const isCall = (payload: unknown): boolean => (payload as { method?: string } | undefined)?.method === 'tools/call'

test('a request whose stream breaks is told to stay without an answer', async () => {
  forgetServers()
  await using http = await serveHttp(endless, { port: 0 })
  const events: TrafficEvent[] = []
  const sockets = new Set<() => void>()
  const client = await connect(http.url, {
    onMessage: (event) => events.push(event),
    fetch: (input, init) => {
      const cut = new AbortController()
      sockets.add(() => cut.abort())
      return fetch(input, { ...init, signal: AbortSignal.any([cut.signal, ...(init?.signal ? [init.signal] : [])]) })
    },
  })
  const call = client.callTool('wait', {}, { onProgress: () => sockets.forEach((cut) => void cut()) })
  await expect(call).rejects.toMatchObject({ code: 'closed' })
  expect(events.find(({ failure }) => failure !== undefined)).toMatchObject({ failure: { error: { code: 'closed' } } })
  await client.close()
})
