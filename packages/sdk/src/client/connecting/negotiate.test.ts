import { describe, expect, test } from 'vitest'
import { RpcError } from '../../errors.ts'
import type { Channel } from '../../jsonrpc/channel.ts'
import { revisions } from '../../model/revision.ts'
import { connect } from '../connect.ts'
import {
  discovered,
  initialized,
  legacyServer,
  modernServer,
  ScriptedServer,
  silence,
} from '../scripted-server.suite.ts'

const legacy = revisions.filter((revision) => revision !== '2026-07-28')
const meta = (params: unknown): Record<string, unknown> => (params as { _meta: Record<string, unknown> })._meta
const unsupported = (supported: string[]): RpcError =>
  new RpcError(-32022, 'Unsupported protocol version', { supported, requested: '2026-07-28' })

// [stdio.compat.probe-first]
test('the newest revision comes first, also for a client that answers questions', async () => {
  const server = legacyServer({ 'server/discover': discovered() })
  await using client = await connect(server.open, { elicit: () => ({ action: 'cancel' }), roots: [] })
  expect(client.server.revision).toBe('2026-07-28')
  expect(server.methods).toEqual(['server/discover'])
})

describe('a modern server', () => {
  // [stdio.compat.probe-first] [stdio.compat.discover-result-is-modern] [ver.meta.protocol-version]
  // [ver.meta.client-capabilities] [ver.meta.params-mandatory] [ver.meta.client-info] [roots.capability-per-request]
  test('is found by server/discover and never sees initialize', async () => {
    const server = modernServer({ 'tools/list': { tools: [] } })
    await using client = await connect(server.open, {
      info: { name: 'me', version: '2' },
      roots: [],
    })
    expect(client.server).toMatchObject({ revision: '2026-07-28', info: { name: 'scripted' } })
    await client.listTools()
    expect(server.methods).toEqual(['server/discover', 'tools/list'])
    for (const { params } of server.received) {
      expect(meta(params)).toEqual({
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': { roots: {} },
        'io.modelcontextprotocol/clientInfo': { name: 'me', version: '2' },
      })
    }
  })

  // [sampling.capability-per-request] [elicit.capability-per-request] [ver.ext.client-declares-per-request]
  test('is told with every request what the client can answer', async () => {
    const server = modernServer({ 'tools/list': { tools: [] } })
    const extensions = { 'com.example/ui': {} }
    await using client = await connect(server.open, {
      sample: { handler: () => Promise.reject(new Error('never asked')), tools: true },
      elicit: { url: () => ({ action: 'decline' }) },
      capabilities: { extensions },
      tasks: false,
    })
    await client.listTools()
    const declared = { sampling: { tools: {} }, elicitation: { url: {} }, extensions }
    for (const { params } of server.received) {
      expect(meta(params)['io.modelcontextprotocol/clientCapabilities']).toEqual(declared)
    }
  })

  test('that keeps its identity to itself has no info', async () => {
    const { _meta, ...anonymous } = discovered()
    await using client = await connect(new ScriptedServer({ 'server/discover': anonymous }).open)
    expect(client.server.info).toBeUndefined()
  })

  // [ver.nego.legacy-entries-in-supported]
  // [discover.choose-version]
  test('that lists only a legacy version in common gets initialize with that version', async () => {
    const server = legacyServer({ 'server/discover': discovered(['2099-01-01', '2025-06-18']) }, '2025-06-18')
    await using client = await connect(server.open)
    expect(client.server.revision).toBe('2025-06-18')
    expect(server.methods).toEqual(['server/discover', 'initialize', 'notifications/initialized'])
    expect(server.all('initialize')[0]?.params?.protocolVersion).toBe('2025-06-18')
  })

  // [ver.nego.client-retries]
  test('that refuses the version and names a legacy one gets initialize with it', async () => {
    const server = legacyServer({ 'server/discover': unsupported(['2025-03-26']) }, '2025-03-26')
    await using client = await connect(server.open)
    expect(client.server.revision).toBe('2025-03-26')
  })

  // [ver.nego.client-retries] [life.errors.be-prepared]
  test('that speaks nothing in common is left with an error that names both lists', async () => {
    const server = legacyServer({ 'server/discover': unsupported(['2099-01-01']) })
    await expect(connect(server.open)).rejects.toMatchObject({
      code: 'negotiation',
      message: expect.stringMatching(/server speaks 2099-01-01, this client allows 2026-07-28, 2025-11-25/),
    })
    expect(server.methods).toEqual(['server/discover'])
    expect(server.closed).toBe(1)
  })

  test('that refuses the very version it lists is asked once more, and does not cause a loop', async () => {
    const server = legacyServer({ 'server/discover': unsupported(['2026-07-28']) })
    await expect(connect(server.open)).rejects.toMatchObject({ code: 'negotiation' })
    expect(server.methods).toEqual(['server/discover', 'server/discover'])
  })

  // [ver.compat.modern-error-means-modern] [stdio.compat.modern-error-no-fallback]
  test.each([-32021, -32020])('is not taken for an old one because of error %i', async (code) => {
    const server = legacyServer({ 'server/discover': new RpcError(code, 'needs more') })
    await expect(connect(server.open)).rejects.toMatchObject({
      code: 'negotiation',
      message: expect.stringMatching(/needs more/),
    })
    expect(server.methods).toEqual(['server/discover'])
  })
})

describe('a legacy server', () => {
  // [ver.compat.anything-else-means-legacy] [stdio.compat.other-outcome-is-legacy] [stdio.compat.not-one-error-code]
  test.each([-32601, -32602, -32600, -32002, 0, 7])('is recognised by error %i to the probe', async (code) => {
    const server = legacyServer({ 'server/discover': new RpcError(code, 'what?') })
    await using client = await connect(server.open)
    expect(client.server.revision).toBe('2025-11-25')
    expect(server.methods).toEqual(['server/discover', 'initialize', 'notifications/initialized'])
  })

  test('is recognised by an answer to the probe that makes no sense', async () => {
    await using client = await connect(legacyServer({ 'server/discover': {} }).open)
    expect(client.server.revision).toBe('2025-11-25')
  })

  // [stdio.compat.other-outcome-is-legacy] [cancel.sender-ignores-late-response]
  test('is recognised by silence, and its late answer is ignored', async () => {
    const errors: Error[] = []
    const server = legacyServer({ 'server/discover': silence, ping: {} })
    await using client = await connect(server.open, { probeTimeoutMs: 20, onError: (error) => errors.push(error) })
    server.send({ jsonrpc: '2.0', id: server.received[0]?.id, result: discovered() })
    await client.ping()
    expect(client.server.revision).toBe('2025-11-25')
    expect(server.methods).toEqual(['server/discover', 'initialize', 'notifications/initialized', 'ping'])
    expect(errors).toEqual([])
  })

  // [life.init.first-interaction] [life.init.client-request] [life.init.initialized-notification]
  // [life.init.not-in-batch] [life.version.client-offers-supported] [life.version.client-offers-latest]
  // [life.caps.implementation-fields]
  test.each(legacy)('gets no probe if only revisions up to %s are allowed', async (revision) => {
    const server = legacyServer({}, revision)
    await using client = await connect(server.open, { revisions: revisions.filter((one) => one <= revision) })
    expect(client.server.revision).toBe(revision)
    expect(server.methods).toEqual(['initialize', 'notifications/initialized'])
    expect(server.received[0]?.params).toEqual({
      protocolVersion: revision,
      capabilities: {},
      clientInfo: { name: 'tenon', version: expect.any(String) },
    })
  })

  // [life.caps.respect-version] [life.caps.respect-version-should]
  test.each(['2025-06-18', '2025-03-26', '2024-11-05'])('may counter-offer %s', async (revision) => {
    await using client = await connect(legacyServer({}, revision).open)
    expect(client.server.revision).toBe(revision)
  })

  // [life.version.client-disconnects]
  test.each(['2099-01-01', '2024-11-05', '2026-07-28'])(
    'is left if it counter-offers %s, which is not allowed',
    async (offer) => {
      const server = legacyServer({}, offer)
      const connecting = connect(server.open, { revisions: ['2025-11-25', '2025-06-18'] })
      await expect(connecting).rejects.toMatchObject({
        code: 'negotiation',
        message: `No common protocol revision: the server speaks ${offer}, this client allows 2025-11-25, 2025-06-18`,
      })
      expect(server.methods).toEqual(['initialize'])
      expect(server.closed).toBe(1)
    },
  )

  test('that rejects the version with an error that lists others is asked again', async () => {
    const server = new ScriptedServer({
      initialize: ({ protocolVersion }) =>
        protocolVersion === '2024-11-05'
          ? initialized('2024-11-05')
          : new RpcError(-32602, 'Unsupported protocol version', {
              supported: ['2024-11-05'],
              requested: protocolVersion,
            }),
    })
    await using client = await connect(server.open)
    expect(client.server.revision).toBe('2024-11-05')
    expect(server.all('initialize').map(({ params }) => params?.protocolVersion)).toEqual(['2025-11-25', '2024-11-05'])
  })

  test('that refuses initialize ends the attempt with its words', async () => {
    const server = new ScriptedServer({ initialize: new RpcError(-32000, 'no licence') })
    await expect(connect(server.open)).rejects.toMatchObject({
      code: 'negotiation',
      message: expect.stringMatching(/no licence \(-32000\)/),
    })
  })

  // [cancel.not-initialize] [timeout.all-requests]
  test.each(legacy)('that does not answer initialize of %s is given up without a cancellation', async (revision) => {
    const server = new ScriptedServer({ initialize: silence })
    const connecting = connect(server.open, { revisions: [revision], timeoutMs: 20 })
    await expect(connecting).rejects.toMatchObject({ code: 'timeout', message: expect.stringMatching(/handshake/) })
    expect(server.methods).toEqual(['initialize'])
  })

  // [ver.compat.modern-only-client-error] [stdio.compat.modern-only-probe]
  test('is no use to a client that allows only modern revisions, which says so', async () => {
    const server = legacyServer()
    await expect(connect(server.open, { revisions: ['2026-07-28'] })).rejects.toMatchObject({
      code: 'negotiation',
      message: expect.stringMatching(/does not know server\/discover.*Add an older one to `revisions`/),
    })
    expect(server.methods).toEqual(['server/discover'])
  })

  test('turns out to be a slow modern one when it refuses initialize and lists its versions', async () => {
    const server = new ScriptedServer({ initialize: unsupported(['2026-07-28']), 'server/discover': discovered() })
    await using client = await connect(server.open, { revisions: ['2026-07-28', '2025-11-25'] })
    expect(client.server.revision).toBe('2026-07-28')
  })
})

describe('a server that ends on the probe', () => {
  const server = (): ScriptedServer => {
    const scripted: ScriptedServer = legacyServer({
      'server/discover': () => {
        scripted.end()
        return silence
      },
    })
    return scripted
  }

  test('is opened once more and asked with initialize at once', async () => {
    const scripted = server()
    await using client = await connect(scripted.open)
    expect(client.server.revision).toBe('2025-11-25')
    expect(scripted.opened).toBe(2)
    expect(scripted.methods).toEqual(['server/discover', 'initialize', 'notifications/initialized'])
  })

  test('is an error if the target cannot be opened again', async () => {
    const scripted = server()
    const channel: Channel = scripted.open()
    await expect(connect(channel)).rejects.toMatchObject({ code: 'closed' })
    expect(scripted.opened).toBe(1)
  })

  test('is an error if no legacy revision is allowed', async () => {
    const scripted = server()
    await expect(connect(scripted.open, { revisions: ['2026-07-28'] })).rejects.toMatchObject({ code: 'closed' })
    expect(scripted.opened).toBe(1)
  })
})

describe('a server that refuses initialize because of the probe', () => {
  const already = new RpcError(-32600, 'Invalid Request: Server already initialized')
  const bridge = (probed: RpcError | typeof silence): ScriptedServer => {
    const seen: string[] = []
    const scripted: ScriptedServer = legacyServer({
      'server/discover': () => {
        seen[scripted.opened] = 'probe'
        return probed
      },
      initialize: () => (seen[scripted.opened] === 'probe' ? already : initialized('2025-11-25')),
    })
    return scripted
  }

  test.each([
    ['refuses it', new RpcError(-32601, 'Method not found')],
    ['does not answer it', undefined],
  ])('and %s is opened once more and asked with initialize at once', async (_, probed) => {
    const scripted = bridge(probed ?? silence)
    await using client = await connect(scripted.open, { probeTimeoutMs: 20 })
    expect(client.server.revision).toBe('2025-11-25')
    expect(scripted.opened).toBe(2)
    expect(scripted.methods).toEqual(['server/discover', 'initialize', 'initialize', 'notifications/initialized'])
  })

  test('is an error if the target cannot be opened again', async () => {
    const scripted = bridge(new RpcError(-32601, 'Method not found'))
    const refusal = { code: 'negotiation', message: expect.stringMatching(/already initialized/) }
    await expect(connect(scripted.open())).rejects.toMatchObject(refusal)
  })

  test('is opened no third time', async () => {
    const scripted = legacyServer({ initialize: already })
    await expect(connect(scripted.open)).rejects.toMatchObject({ code: 'negotiation' })
    expect(scripted.opened).toBe(2)
  })

  test('is not opened again if it names its revisions', async () => {
    const scripted = legacyServer({ initialize: unsupported(['2099-01-01']) })
    await expect(connect(scripted.open)).rejects.toMatchObject({ code: 'negotiation' })
    expect(scripted.opened).toBe(1)
  })
})

describe('connect', () => {
  test('ends when its signal fires, without a message about it', async () => {
    const stop = new AbortController()
    const server = new ScriptedServer({ 'server/discover': silence })
    const connecting = connect(server.open, { signal: stop.signal })
    await server.untilMethod('server/discover')
    stop.abort(new Error('enough'))
    await expect(connecting).rejects.toMatchObject({ code: 'cancelled' })
    expect(server.methods).toEqual(['server/discover'])
    expect(server.closed).toBe(1)
  })

  test('ends when its signal fires while the channel is being opened, and closes a channel that still comes', async () => {
    const stop = new AbortController()
    const server = legacyServer()
    let opened: () => void = () => {}
    const open = (): Promise<Channel> =>
      new Promise((resolve) => {
        opened = () => resolve(server.open())
      })
    const connecting = connect(open, { signal: stop.signal })
    stop.abort(new Error('enough'))
    await expect(connecting).rejects.toMatchObject({ code: 'cancelled', message: 'connect was cancelled' })
    opened()
    await expect.poll(() => server.closed).toBe(1)
    expect(server.received).toEqual([])
  })

  test('refuses an empty or unknown list of revisions', async () => {
    await expect(connect(legacyServer().open, { revisions: [] })).rejects.toMatchObject({ code: 'invalid_argument' })
    await expect(connect(legacyServer().open, { revisions: ['1.0' as never] })).rejects.toThrow(/got "1.0"/)
  })

  // [life.init.client-quiet-before-response] [ping.respond]
  test('answers a ping during the handshake, and a hasty request after it', async () => {
    const server: ScriptedServer = new ScriptedServer({
      initialize: async () => {
        const ping = await server.ask('ping')
        expect(ping.result).toEqual({})
        server.notify('notifications/message', { level: 'info', data: 'starting' })
        server.send({ jsonrpc: '2.0', id: 'early', method: 'roots/list' })
        return initialized('2025-11-25')
      },
    })
    const logs: unknown[] = []
    await using _ = await connect(server.open, {
      roots: [{ uri: 'file:///home' }],
      onLog: ({ data }) => logs.push(data),
    })
    const answer = await server.until(({ id }) => id === 'early')
    expect(answer.result).toEqual({ roots: [{ uri: 'file:///home' }] })
    expect(logs).toEqual(['starting'])
    expect(server.methods.at(-1)).toBe('notifications/initialized')
  })
})
