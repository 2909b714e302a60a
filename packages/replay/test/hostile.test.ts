// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how saved calls write variables
/** Files and sessions of random and hostile content. */
import { connect, type Message } from '@tenon/sdk/client'
import { openWire } from '@tenon/sdk/testing'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  CallsFileError,
  callsFromSession,
  diffSessions,
  formatDiff,
  loadCalls,
  memorySink,
  readSession,
  recorder,
  replayServer,
  type Session,
  SessionFileError,
} from '../src/replay.ts'

const id = fc.oneof(fc.integer({ min: 0, max: 3 }), fc.constantFrom('1', '2', '__proto__'), fc.constant(null))
const methods = [
  'initialize',
  'server/discover',
  'tools/list',
  'tools/call',
  'completion/complete',
  'resources/read',
  'notifications/progress',
  'notifications/cancelled',
  'elicitation/create',
  'constructor',
]
const method = fc.constantFrom(...methods)
const params = fc.oneof(
  fc.constant(undefined),
  fc.jsonValue({ maxDepth: 3 }),
  fc.record({ _meta: fc.record({ progressToken: id }), progressToken: id, requestId: id }),
)
const message = fc.oneof(
  fc.record({ jsonrpc: fc.constant('2.0'), id, method, params }),
  fc.record({ jsonrpc: fc.constant('2.0'), method, params }),
  fc.record({ jsonrpc: fc.constant('2.0'), id, result: fc.jsonValue({ maxDepth: 3 }) }),
  fc.record({ jsonrpc: fc.constant('2.0'), id, error: fc.jsonValue({ maxDepth: 2 }) }),
  fc.jsonValue({ maxDepth: 2 }),
)
const event = fc.record({
  kind: fc.constant('message' as const),
  at: fc.double({ noNaN: true }),
  from: fc.constantFrom('client' as const, 'server' as const),
  payload: fc.oneof(message, fc.array(message, { maxLength: 3 })) as fc.Arbitrary<Message>,
})
const agreed = { kind: 'agreed' as const, at: 0, revision: '2025-11-25', server: { name: 'any', version: '1' } }
const session = fc
  .array(event, { maxLength: 12 })
  .map((events): Session => ({ header: { tenonSession: 1, at: 0 }, events: [agreed, ...events], warnings: [] }))

test('any bytes are read, or refused with a line', async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.string(), fc.json(), fc.uint8Array()), async (rest) => {
      const header = '{"tenonSession":1,"at":1}\n'
      const source = typeof rest === 'string' ? header + rest : [header, rest]
      await readSession(source).catch((error) => expect(error).toBeInstanceOf(SessionFileError))
    }),
    { numRuns: 500 },
  )
})

test('any text is a file of calls, or refused with a place', () => {
  const words = fc.array(
    fc.constantFrom(
      'tenonCalls: 1',
      'calls:',
      '- tool: a',
      '  expect:',
      '    text: ${x}',
      '&a',
      '*a',
      '[',
      '}',
      '? !',
      '"',
      'servers: {a: b}',
    ),
  )
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.json(),
        words.map((lines) => lines.join('\n')),
      ),
      (text) => {
        try {
          loadCalls(text)
        } catch (error) {
          expect(error).toBeInstanceOf(CallsFileError)
        }
      },
    ),
    { numRuns: 1_000 },
  )
})

test('any session is compared, and made into calls that can be read', () => {
  fc.assert(
    fc.property(session, session, (before, after) => {
      expect(formatDiff(diffSessions(before, after))).toMatch(/\n$/)
      expect(diffSessions(before, before).same).toBe(true)
      loadCalls(callsFromSession(before))
    }),
    { numRuns: 500 },
  )
})

test('any session is served, to any client', async () => {
  await fc.assert(
    fc.asyncProperty(session, fc.array(message, { maxLength: 8 }), async (recorded, messages) => {
      await using wire = openWire(replayServer(recorded))
      for (const one of messages) wire.send(one)
      wire.send({ jsonrpc: '2.0', id: 'last', method: 'ping' })
      for (;;) if (((await wire.next()) as { id?: unknown }).id === 'last') break
    }),
    { numRuns: 300 },
  )
})

test('any session can be connected to in another revision, or not, and nothing else happens', async () => {
  await fc.assert(
    fc.asyncProperty(session, async (recorded) => {
      const replay = replayServer(recorded, { revisions: ['2026-07-28'] })
      await using client = await connect(replay)
      // A recording may have a request without an answer: then a client waits as long as it wants to.
      const asked = client.request('tools/list', {}, { timeoutMs: 500 })
      await asked.catch((error: Error) => expect(error.name).toMatch(/^(Rpc|Mcp)Error$/))
    }),
    { numRuns: 50 },
  )
})

test('any traffic is recorded', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(event), async (events) => {
      const sink = memorySink()
      const recording = recorder(sink)
      for (const { from, at, payload } of events) recording.onMessage({ from, at, payload })
      await recording.close()
      const { events: read } = await readSession(sink.text.replaceAll('"at":null', '"at":0'))
      expect(read.filter(({ kind }) => kind === 'message')).toHaveLength(events.length)
    }),
    { numRuns: 200 },
  )
})
