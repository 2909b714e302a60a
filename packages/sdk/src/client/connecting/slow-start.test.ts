/** Servers that are slow to start: nothing is known of them until they answer. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { RpcError } from '../../errors.ts'
import type { JsonObject } from '../../jsonrpc/message.ts'
import { connect } from '../connect.ts'
import { discovered, initialized, ScriptedServer } from '../scripted-server.suite.ts'

/** Answers `server/discover` only once it has been sent `initialize` too, and answers both in order. */
const late = (initialize: RpcError | JsonObject): ScriptedServer => {
  const server: ScriptedServer = new ScriptedServer({
    'server/discover': async () => {
      if (server.opened === 1) await server.untilMethod('initialize')
      return discovered()
    },
    initialize: async () => {
      await new Promise((resolve) => setImmediate(resolve))
      return initialize
    },
  })
  return server
}

const soon = { probeTimeoutMs: 10 }

describe('an answer to server/discover that comes after initialize was sent', () => {
  test('counts if initialize is refused, and the connection is used', async () => {
    const server = late(new RpcError(-32601, 'no initialize here'))
    await using client = await connect(server.open, soon)
    expect(client.server.revision).toBe('2026-07-28')
    expect(server.opened).toBe(1)
  })

  test('counts if initialize is refused with the revision that is meant', async () => {
    const server = late(new RpcError(-32022, 'Unsupported protocol version', { supported: ['2026-07-28'] }))
    await using client = await connect(server.open, soon)
    expect(client.server.revision).toBe('2026-07-28')
  })

  test('counts if initialize was accepted too, on a new connection without it', async () => {
    const server = late(initialized('2025-11-25'))
    await using client = await connect(server.open, soon)
    expect(client.server.revision).toBe('2026-07-28')
    expect([server.opened, server.closed]).toEqual([2, 1])
    expect(server.methods).toEqual(['server/discover', 'initialize', 'server/discover'])
  })

  test('leaves the session where the channel cannot be opened again', async () => {
    const server = late(initialized('2025-11-25'))
    await using client = await connect(server.open(), soon)
    expect(client.server.revision).toBe('2025-11-25')
  })

  test('does not count if it says that the method is unknown', async () => {
    const server: ScriptedServer = new ScriptedServer({
      'server/discover': async () => {
        await server.untilMethod('initialize')
        return new RpcError(-32601, 'no discover here')
      },
      initialize: initialized('2025-11-25'),
    })
    await using client = await connect(server.open, soon)
    expect(client.server.revision).toBe('2025-11-25')
    expect(server.opened).toBe(1)
  })
})

test('a server that never answers is left after the time for connecting, once', async () => {
  const server = new ScriptedServer({
    'server/discover': () => new Promise(() => {}),
    initialize: () => new Promise(() => {}),
  })
  await expect(connect(server.open, { probeTimeoutMs: 5_000, timeoutMs: 100 })).rejects.toMatchObject({
    code: 'timeout',
    message: expect.stringMatching(/did not complete the handshake/),
  })
  expect(server.methods).toEqual(['server/discover', 'initialize'])
})

describe('a process', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'slow-start-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  /** Does nothing until it has been sent `initialize`, which stands in the pipe behind `server/discover`. */
  const slow = (accepts: boolean, says = ''): { command: string; args: string[] } => {
    const program = `
      import { appendFileSync, existsSync } from 'node:fs'
      import { createInterface } from 'node:readline'
      const again = existsSync(${JSON.stringify(join(folder, 'log'))})
      const log = (text) => appendFileSync(${JSON.stringify(join(folder, 'log'))}, text + '\\n')
      const send = (id, answer) => console.log(JSON.stringify({ jsonrpc: '2.0', id, ...answer }))
      const discovered = ${JSON.stringify(discovered())}
      const initialized = ${JSON.stringify(initialized('2025-11-25'))}
      const answer = ({ id, method }) => {
        log(method)
        if (method === 'server/discover') send(id, { result: discovered })
        else if (method === 'initialize' && ${accepts}) send(id, { result: initialized })
        else if (id !== undefined) send(id, { error: { code: -32601, message: 'no ' + method } })
      }
      log('started')
      ${says}
      const unread = []
      createInterface({ input: process.stdin }).on('line', (line) => {
        unread.push(JSON.parse(line))
        if (again || unread.at(-1).method !== 'server/discover') for (const one of unread.splice(0)) answer(one)
      })`
    return { command: process.execPath, args: ['--input-type=module', '--eval', program] }
  }
  const log = (): string[] => readFileSync(join(folder, 'log'), 'utf8').trim().split('\n')

  test('that is silent for long is neither taken for an old one nor started again', async () => {
    await using client = await connect(slow(false), { probeTimeoutMs: 50 })
    expect(client.server.revision).toBe('2026-07-28')
    expect(log().filter((line) => line === 'started')).toHaveLength(1)
  })

  test('that speaks both ways is started again, and is not downgraded', async () => {
    await using client = await connect(slow(true), { probeTimeoutMs: 50 })
    expect(client.server.revision).toBe('2026-07-28')
    expect(log()).toEqual(['started', 'server/discover', 'initialize', 'started', 'server/discover'])
  })

  test.each(['stderr', 'stdout'])('whose first sign is on %s is waited for from then on', async (stream) => {
    // The first sign comes long after the time that a server which is there would have to answer.
    const says = `process.${stream}.write('Installed 31 packages\\n')`
    await using client = await connect(slow(false, says), { probeTimeoutMs: 100 })
    expect(client.server.revision).toBe('2026-07-28')
  })
})
