import { describe, expect, test } from 'vitest'
import { featureServer } from '../../test/fixture.ts'
import { connect } from '../client.ts'
import { type Gate, gate } from '../internal/gate.ts'
import { withinMs } from '../internal/timers.ts'
import type { Channel } from '../jsonrpc/channel.ts'
import { revisions } from '../model/revision.ts'
import { createServer, type Server, tool } from '../server.ts'

/** A listening server under test, and a way to connect to it. */
export interface Listening extends AsyncDisposable {
  readonly connections: number
  close(): Promise<void>
  dial(): Promise<Channel>
}

export type Listen = (server: Server, options?: { closeTimeoutMs?: number }) => Promise<Listening>

export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5))
}

/** A server with a tool that waits to be let go. */
export function gatedServer(): { server: Server; started: Gate; finish: Gate } {
  const [started, finish] = [gate(), gate()]
  const gated = tool({
    name: 'gated',
    async run() {
      started.open()
      await finish.passed
      return 'finished'
    },
  })
  return { server: createServer({ name: 'gated', version: '1', tools: [gated] }), started, finish }
}

/** The tests that every listening server passes, on any transport. */
export function listeningSuite(name: string, listen: Listen): void {
  describe.each(revisions)(`%s over ${name}`, (revision) => {
    test('client and server understand each other', async () => {
      await using listening = await listen(featureServer())
      const elicit = { form: () => ({ action: 'decline' as const }) }
      await using client = await connect(() => listening.dial(), { revisions: [revision], elicit })
      expect(client.server.revision).toBe(revision)
      expect((await client.callTool('echo', { text: 'hi 🦊\n' })).text).toBe('hi 🦊\n')
      const calls = Array.from({ length: 100 }, (_, a) => client.callTool('add', { a, b: 1 }))
      expect((await Promise.all(calls)).map(({ text }) => JSON.parse(text).sum)).toEqual(calls.map((_, a) => a + 1))
      const steps: number[] = []
      await client.callTool('work', {}, { onProgress: ({ progress }) => steps.push(progress) })
      expect(steps).toEqual([1, 2, 3])
      if (revision === '2025-06-18' || revision === '2025-11-25')
        expect((await client.callTool('ask')).text).toBe('decline')
    })
  })

  describe(`closing a server on ${name}`, () => {
    test('finishes what is in work first', async () => {
      const { server, started, finish } = gatedServer()
      const listening = await listen(server)
      await using client = await connect(() => listening.dial())
      const call = client.callTool('gated')
      await started.passed
      const closing = listening.close()
      finish.open()
      expect((await call).text).toBe('finished')
      await closing
      expect(listening.connections).toBe(0)
    })

    test('does not wait for what never ends', async () => {
      const listening = await listen(featureServer(), { closeTimeoutMs: 50 })
      await using client = await connect(() => listening.dial())
      const failed = expect(client.callTool('wait')).rejects.toMatchObject({ code: 'closed' })
      await client.ping()
      expect(await withinMs(4000, listening.close())).toBe(true)
      await failed
    })

    test('is one promise, and nobody gets in afterwards', async () => {
      const listening = await listen(featureServer())
      expect(listening.close()).toBe(listening.close())
      await listening.close()
      await expect(listening.dial()).rejects.toMatchObject({ name: 'McpError', code: 'closed' })
    })

    test('clients that come and go leave nothing behind', async () => {
      await using listening = await listen(featureServer())
      const clients = await Promise.all(Array.from({ length: 20 }, () => connect(() => listening.dial())))
      expect(listening.connections).toBe(20)
      await Promise.all(clients.map((client) => client.close()))
      await until(() => listening.connections === 0)
    })
  })
}
