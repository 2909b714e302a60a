import { afterEach, describe, expect, test, vi } from 'vitest'
import { RpcError } from '../../errors.ts'
import { revisions } from '../../model/revision.ts'
import { connect } from '../connect.ts'
import { legacyServer, modernServer, type ScriptedServer, silence } from '../scripted-server.suite.ts'
import { keepAlive } from './keep-alive.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const legacy = revisions.filter((revision) => revision !== '2026-07-28')

/** A server that answers so many pings, and then none. */
const falling = (answers: number, revision: string): ScriptedServer => {
  let pings = 0
  return legacyServer({ ping: () => (++pings > answers ? silence : {}) }, revision)
}

describe('a server is pinged', () => {
  // [ping.configurable] [ping.timeout-is-failure] [ping.periodic]
  test.each(legacy)('as often as the client wants, and is gone when it does not answer, in %s', async (revision) => {
    const server = falling(3, revision)
    const errors: string[] = []
    const client = await connect(server.open, {
      revisions: [revision],
      keepAlive: { everyMs: 5, timeoutMs: 20 },
      onError: ({ message }) => errors.push(message),
    })
    const waiting = client.callTool('never')
    waiting.catch(() => {})
    const reason = await client.closed
    expect(reason).toMatchObject({ code: 'closed', message: 'The server did not answer a ping within 20 ms' })
    expect(errors).toContain(reason.message)
    expect(server.all('ping')).toHaveLength(4)
    await expect(client.ping()).rejects.toMatchObject({ code: 'closed' })
    expect(server.closed).toBe(1)
  })

  test('by discovery where there is no ping, and whoever refuses is there', async () => {
    let asked = 0
    const enough = deferred()
    const server = modernServer({
      'server/discover': (_, { id }) => {
        if (++asked > 5) enough.resolve()
        return asked > 1 ? new RpcError(-32603, `busy ${id}`) : discovery
      },
    })
    await using client = await connect(server.open, { keepAlive: { everyMs: 2 }, revisions: ['2026-07-28'] })
    await enough.promise
    expect(client.server.revision).toBe('2026-07-28')
  })

  test('not at all unless it is asked for', async () => {
    const server = falling(100, '2025-11-25')
    await using client = await connect(server.open, { revisions: ['2025-11-25'] })
    await client.close()
    expect(server.all('ping')).toEqual([])
  })

  test('no more once the client is closed', async () => {
    const everyMs = 1_234
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const timers = vi.spyOn(globalThis, 'setTimeout')
    const begun = (): number => timers.mock.calls.filter(([, ms]) => ms === everyMs).length
    const server = falling(100, '2025-11-25')
    const client = await connect(server.open, { revisions: ['2025-11-25'], keepAlive: { everyMs } })
    await vi.advanceTimersByTimeAsync(3 * everyMs)
    expect(server.all('ping')).toHaveLength(3)
    expect(begun()).toBe(4)
    await client.close()
    // A closed client refuses to ping: that nothing reaches the server would not show that nobody tries.
    await vi.advanceTimersByTimeAsync(10 * everyMs)
    expect(begun()).toBe(4)
  })

  test('by one timer, which is gone when it is stopped', async () => {
    vi.useFakeTimers()
    let pings = 0
    const ping = async (): Promise<void> => void pings++
    const stop = keepAlive({ everyMs: 1_000 }, { ping, failed: () => {} })
    await vi.advanceTimersByTimeAsync(2_000)
    expect(vi.getTimerCount()).toBe(1)
    stop()
    expect(vi.getTimerCount()).toBe(0)
    expect(pings).toBe(2)
  })

  test.each([{ everyMs: 0 }, { everyMs: -1 }, { everyMs: Number.NaN }, { everyMs: 5, timeoutMs: 0 }])(
    'not with %j',
    async (options) => {
      await expect(connect(legacyServer().open, { keepAlive: options })).rejects.toMatchObject({
        code: 'invalid_argument',
      })
    },
  )
})

const discovery = {
  resultType: 'complete',
  supportedVersions: ['2026-07-28'],
  capabilities: {},
  ttlMs: 0,
  cacheScope: 'private',
}

function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => {}
  const promise = new Promise<void>((keep) => {
    resolve = keep
  })
  return { promise, resolve }
}
