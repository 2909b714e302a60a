import { fileURLToPath } from 'node:url'
import { connect, forgetServers, type Payload, type Revision, revisions, type Target } from '@tenon/sdk/client'
import { serveHttp } from '@tenon/sdk/node'
import { openWire } from '@tenon/sdk/testing'
import { createEverythingServer } from '@tenon/server-everything'
import { beforeEach, describe, expect, test } from 'vitest'
import { aboutSession, type ReplayServer, replayServer } from '../src/replay.ts'
import { type Turn, turnsOf } from '../src/serve/turns.ts'
import { answering, type Recorded, recordVisit, type Visit, visit } from './visit.ts'

beforeEach(() => forgetServers())

const everything = fileURLToPath(new URL('../../../servers/everything/bin/everything.js', import.meta.url))

const transports: [string, (use: (target: Target) => Promise<void>) => Promise<void>][] = [
  ['memory', (use) => use(createEverythingServer({ onError: () => {} }))],
  ['stdio', (use) => use({ command: process.execPath, args: [everything] })],
  [
    'http',
    async (use) => {
      await using http = await serveHttp(createEverythingServer({ onError: () => {} }), { port: 0 })
      await use(http.url)
    },
  ],
]

/** Sends everything that the recorded client said, and finds every request answered as it was. */
async function assertEveryAnswer(replay: ReplayServer, { session }: Recorded): Promise<number> {
  await using wire = openWire(replay)
  const turns = turnsOf(session).filter(({ message }) => 'id' in message)
  for (const [index, turn] of turns.entries()) {
    const id = `again-${index}`
    wire.send({ ...turn.message, id })
    const recorded = turn.steps.find(({ kind }) => kind === 'answer')!.message
    expect(await answerTo(id, turn, wire)).toEqual({ ...recorded, id })
  }
  return turns.length
}

/** Answers requests of the server as the recorded client did, until the call has its result. */
async function answerTo(id: string, turn: Turn, wire: ReturnType<typeof openWire>): Promise<Payload> {
  for (;;) {
    const payload = (await wire.next()) as { id?: string; method?: string }
    if (payload.method === undefined && payload.id === id) return payload as Payload
    if (payload.id === undefined) continue
    const asked = turn.steps.find((step) => step.kind === 'ask' && step.message.method === payload.method)
    expect(asked, payload.method).toMatchObject({ answer: expect.anything() })
    wire.send({ ...(asked as { answer: object }).answer, id: payload.id })
  }
}

describe.each(transports)('recorded over %s', (_, serving) => {
  test.each(revisions)('a session of %s is answered as it was, request by request', async (revision) => {
    await serving(async (target) => {
      const recorded = await recordVisit(target, { revisions: [revision] })
      expect(aboutSession(recorded.session)).toMatchObject({ revision, server: { name: 'everything' } })
      const replay = replayServer(recorded.session)
      expect(await assertEveryAnswer(replay, recorded)).toBeGreaterThan(25)
      expect(replay.report).toMatchObject({ unknownRequests: [], otherAnswers: [] })
    })
  })

  test.each(revisions)('a client of %s sees in the replay what it saw', async (revision) => {
    await serving(async (target) => {
      const { session, visit: seen } = await recordVisit(target, { revisions: [revision] })
      const replay = replayServer(session)
      await using client = await connect(replay, { ...answering, revisions: [revision] })
      expect(await visit(client)).toEqual(seen)
      expect(replay.report).toMatchObject({ unknownRequests: [], otherAnswers: [] })
    })
  })
})

describe('in another revision', () => {
  /** The part of a result that every revision has. */
  const common = (seen: Visit): Visit => {
    const lists = ['tools', 'resources', 'templates', 'prompts', 'ping', 'samples', 'elicits']
    const steps = Object.entries(seen).filter(([step]) => !lists.includes(step))
    return Object.fromEntries(steps.map(([step, value]) => [step, plain(value)]))
  }
  const plain = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(({ progress, total }) => ({ progress, total }))
    if (typeof value !== 'object' || value === null) return value
    const { _meta, meta, resultType, ttlMs, cacheScope, structured, structuredContent, code, ...rest } = value as {
      [name: string]: unknown
    }
    return rest
  }
  const pairs: [Revision, Revision][] = [
    ['2026-07-28', '2025-11-25'],
    ['2025-11-25', '2026-07-28'],
    ['2025-11-25', '2025-06-18'],
    ['2025-06-18', '2025-11-25'],
    ['2024-11-05', '2026-07-28'],
  ]
  test.each(pairs)('a session of %s is served in %s', async (before, after) => {
    const { session, visit: seen } = await recordVisit(createEverythingServer({ onError: () => {} }), {
      revisions: [before],
    })
    const replay = replayServer(session)
    await using client = await connect(replay, { ...answering, revisions: [after] })
    expect(client.server.revision).toBe(after)
    const again = await visit(client)
    expect(Object.keys(again)).toEqual(Object.keys(seen))
    expect(common(again)).toEqual(common(seen))
    expect(replay.report.unknownRequests).toEqual([])
    expect(replay.report.otherAnswers).toEqual([])
    expect(replay.report.answers).toBeGreaterThan(25)
  })

  test.each(revisions)('over HTTP, to a client of %s', async (revision) => {
    const { session, visit: seen } = await recordVisit(createEverythingServer({ onError: () => {} }), {
      revisions: ['2025-11-25'],
    })
    const replay = replayServer(session)
    await using http = await serveHttp(replay.server, { port: 0 })
    await using client = await connect(http.url, { ...answering, revisions: [revision] })
    const again = await visit(client)
    expect(client.server.revision).toBe(revision)
    expect(common(again)).toEqual(common(seen))
    expect(replay.report.unknownRequests).toEqual([])
    // Without elicitation the server returns this.
    const unasked = revision < '2025-06-18' ? [expect.objectContaining({ method: 'elicitation/create' })] : []
    expect(replay.report.otherAnswers).toEqual(unasked)
  })
})
