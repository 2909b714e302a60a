import { describe, expect, test } from 'vitest'
import { RpcError } from '../errors.ts'
import { revisions } from '../model/revision.ts'
import { connect } from './connect.ts'
import { legacyServer, modernServer, type ScriptedServer, silence } from './scripted-server.suite.ts'

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
    const keepAlive = { everyMs: 5, timeoutMs: 20 }
    const client = await connect(server.open, {
      revisions: [revision],
      keepAlive,
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

  test('no more once the client is closed, and not at all unless it is asked for', async () => {
    const server = falling(100, '2025-11-25')
    await using quiet = await connect(server.open, { revisions: ['2025-11-25'] })
    await quiet.close()
    const client = await connect(server.open, { revisions: ['2025-11-25'], keepAlive: { everyMs: 1 } })
    await server.untilMethod('ping')
    await client.close()
    const { length } = server.all('ping')
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(server.all('ping')).toHaveLength(length)
  })

  test.each([{ everyMs: 0 }, { everyMs: -1 }, { everyMs: Number.NaN }, { everyMs: 5, timeoutMs: 0 }])(
    'not with %j',
    async (keepAlive) => {
      await expect(connect(legacyServer().open, { keepAlive })).rejects.toMatchObject({ code: 'invalid_argument' })
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
