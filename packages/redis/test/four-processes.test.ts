/** Four real processes behind a proxy that sends each request to the next of them, and one that dies in between. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Client, type ConnectOptions, connect, type LogMessage } from '@tenon/sdk/client'
import type { Revision } from '@tenon/sdk/server'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { requires } from '../../../scripts/requires.ts'
import { startRedis, type TestRedis } from '../../../scripts/test-redis.ts'
import { EventReader, initializeRequest } from '../../sdk/src/http-server/tests/http.suite.ts'
import { atEnd } from './helpers.ts'
import { buildServer, RoundRobin, ServerProcess } from './processes.ts'

const sessionRevisions = ['2025-03-26', '2025-06-18', '2025-11-25'] as const satisfies readonly Revision[]
const names = ['0', '1', '2', '3']

describe('four processes', requires('redis'), () => {
  let folder: string
  let script: string
  let redis: TestRedis
  let proxy: RoundRobin
  const started: ServerProcess[] = []

  const startProcess = async (name: string, ...kind: string[]): Promise<ServerProcess> => {
    const process = await ServerProcess.start(script, name, redis.url, ...kind)
    started.push(process)
    return process
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'processes-'))
    script = await buildServer(folder)
    redis = await startRedis()
    proxy = await RoundRobin.start(await Promise.all(names.map((name) => startProcess(name))))
  }, 120_000)

  afterAll(async () => {
    proxy?.close()
    for (const process of started) await process.kill()
    await redis?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  beforeEach(async () => {
    for (const process of proxy.processes) process.said.length = 0
  })

  const open = async (options: ConnectOptions): Promise<Client> => {
    const client = await connect(proxy.url, options)
    atEnd(() => client.close())
    return client
  }

  const send = (session: string, request: { body?: object; lastEventId?: string | undefined }): Promise<Response> => {
    const { body, lastEventId } = request
    const headers = {
      accept: 'application/json, text/event-stream',
      ...(session !== '' && { 'mcp-session-id': session }),
      ...(body && { 'content-type': 'application/json' }),
      ...(lastEventId && { 'last-event-id': lastEventId }),
    }
    return fetch(proxy.url, { ...(body && { method: 'POST', body: JSON.stringify(body) }), headers })
  }

  const openRaw = async (revision: Revision): Promise<string> => {
    const opened = await send('', { body: initializeRequest(revision) })
    await opened.text()
    const id = opened.headers.get('mcp-session-id')!
    await send(id, { body: { jsonrpc: '2.0', method: 'notifications/initialized' } })
    return id
  }

  /** Kills a process, and starts another in its place. */
  const replace = async (dying: ServerProcess): Promise<void> => {
    const index = proxy.processes.indexOf(dying)
    proxy.processes = proxy.processes.toSpliced(index, 1)
    await dying.kill()
    proxy.processes = proxy.processes.toSpliced(index, 0, await startProcess(String(index)))
  }

  const said = (word: string): number =>
    proxy.processes.flatMap((process) => process.said).filter((each) => each === word).length

  const callWhich = (client: Client): Promise<string[]> =>
    Promise.all(Array.from({ length: 8 }, async () => (await client.callTool('which')).text))

  describe.each(sessionRevisions)('in %s', (revision) => {
    const revisions = [revision]

    test('ask, and are answered at any of them, also after one was killed', async () => {
      const asks = revision !== '2025-03-26'
      const client = await open({
        revisions,
        ...(asks && { elicit: () => ({ action: 'accept', content: { name: 'Ada' } }) as const }),
        sample: () => ({ role: 'assistant', model: 'm', content: { type: 'text', text: 'Ho' } }) as const,
        roots: [{ uri: 'file:///home/ada' }],
      })
      expect([...new Set(await callWhich(client))].sort()).toEqual(names)
      for (let round = 0; round < 6; round++) {
        if (round === 2) await replace(proxy.processes[1]!)
        if (asks) expect((await client.callTool('greet')).text).toMatch(/^Hello Ada from \d$/)
        expect((await client.callTool('sample')).text).toContain('Ho')
        expect((await client.callTool('where')).text).toBe('file:///home/ada')
      }
    })

    test('cancel what another does', async () => {
      const client = await open({ revisions })
      const stop = new AbortController()
      const call = client.callTool('hang', {}, { signal: stop.signal })
      await expect.poll(() => said('hanging')).toBe(1)
      stop.abort()
      await expect(call).rejects.toMatchObject({ code: 'cancelled' })
      await expect.poll(() => said('aborted')).toBe(1)
    })

    test('have one log level, which outlives the process that set it', async () => {
      const logs: LogMessage[] = []
      const client = await open({ revisions, onLog: (message) => logs.push(message) })
      for (let call = 0; call < 4; call++) await client.callTool('log')
      expect(logs).toEqual([])
      await client.setLoggingLevel('debug')
      await replace(proxy.processes[0]!)
      for (let call = 0; call < 8; call++) await client.callTool('log')
      expect([...new Set(logs.map(({ data }) => data))].sort()).toEqual(names.map((name) => `from ${name}`))
      expect(logs).toHaveLength(8)
    })

    test('tell of changes wherever the client listens, also after that process was killed', async () => {
      const client = await open({ revisions })
      const updates: string[] = []
      await client.watch('note://one', ({ uri }) => updates.push(uri))
      await client.callTool('touch')
      await expect.poll(() => updates.length).toBeGreaterThan(0)
      await replace(proxy.listening!)
      const before = updates.length
      await client.callTool('touch')
      await expect.poll(() => updates.length).toBeGreaterThan(before)
    })

    test('go on with a stream that another writes, each event once', async () => {
      const id = await openRaw(revision)
      await send(id, { body: { jsonrpc: '2.0', id: 9, method: 'logging/setLevel', params: { level: 'debug' } } })
      const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'slow', arguments: {} } }
      const first = new EventReader(await send(id, { body: call }))
      expect(await first.message()).toMatchObject({ params: { data: 'started' } })
      await first.cancel()
      const second = new EventReader(await send(id, { lastEventId: first.lastEventId }))
      for (const process of proxy.processes) process.release()
      expect(await second.message()).toMatchObject({ id: 1, result: { content: [{ text: 'done' }] } })
      expect(await second.next()).toBeUndefined()
      await replace(proxy.processes[2]!)
      for (let turn = 0; turn < 4; turn++) {
        const again = new EventReader(await send(id, { lastEventId: first.lastEventId }))
        expect(await again.message()).toMatchObject({ id: 1 })
        expect(await again.next()).toBeUndefined()
      }
    })

    test('know at once that a session has ended', async () => {
      const id = await openRaw(revision)
      const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
      for (const _ of names) expect((await send(id, { body: ping })).status).toBe(200)
      const headers = { 'mcp-session-id': id }
      expect((await fetch(proxy.url, { method: 'DELETE', headers })).status).toBe(204)
      for (const _ of names) expect((await send(id, { body: ping })).status).toBe(404)
    })
  })

  test('use the state of a round of 2026-07-28 once, whichever of them gets it', async () => {
    const client = await open({
      revisions: ['2026-07-28'],
      elicit: () => ({ action: 'accept', content: { name: 'Ada' } }),
    })
    for (let round = 0; round < 4; round++) {
      expect((await client.callTool('greet')).text).toMatch(/^Hello Ada from \d$/)
    }
  })

  test('give tasks to workers that serve nobody, of which one is killed and one stopped', async () => {
    const [killed, ended] = [await startProcess('killed', 'worker'), await startProcess('ended', 'worker')]
    const begun = (...processes: ServerProcess[]): string[] =>
      processes.flatMap(({ said }) => said.filter((word) => word !== 'ready')).sort()
    const [old, recent] = [await open({ revisions: ['2025-11-25'] }), await open({ revisions: ['2026-07-28'] })]
    const fragile = [await old.tasks.start('fragile'), await recent.tasks.start('fragile')]
    const repeatable = [await old.tasks.start('repeatable'), await recent.tasks.start('repeatable')]
    const first = ['fragile', 'fragile', 'repeatable', 'repeatable']
    await expect.poll(() => begun(killed, ended), { timeout: 100_000 }).toEqual(first)
    const third = await startProcess('third', 'worker')
    await killed.kill()
    expect(await ended.kill('SIGTERM')).toBe(0)
    for (const task of fragile)
      await expect(task.result()).rejects.toMatchObject({ code: -32603, data: { reason: 'interrupted' } })
    await expect.poll(() => begun(third), { timeout: 100_000 }).toEqual(['repeatable', 'repeatable'])
    third.release()
    for (const task of repeatable) expect((await task.result()).text).toBe('repeatable by third')
    expect(begun(killed, ended)).toEqual(first)
    await third.kill()
  }, 120_000)

  test('without Redis they refuse at once what needs it and answer what does not, and recover', async () => {
    const id = await openRaw('2025-11-25')
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
    const stateless = await open({ revisions: ['2026-07-28'] })
    await redis.kill()
    await expect.poll(async () => (await send(id, { body: ping })).status).toBe(503)
    const probe = async (path: string): Promise<number> => (await fetch(new URL(path, proxy.processes[0]!.url))).status
    expect([await probe('/healthz'), await probe('/readyz')]).toEqual([200, 503])
    const refused = await send(id, { body: ping })
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
    expect((await send('', { body: initializeRequest('2025-11-25') })).status).toBe(503)
    expect((await stateless.callTool('which')).text).toMatch(/\d/)
    await redis.restart()
    const opened = async (): Promise<number> => (await send('', { body: initializeRequest('2025-11-25') })).status
    await expect
      .poll(async () => [await opened(), await opened(), await opened(), await opened()])
      .toEqual([200, 200, 200, 200])
    expect(await probe('/readyz')).toBe(200)
    const client = await open({ revisions: ['2025-11-25'] })
    expect([...new Set(await callWhich(client))].sort()).toEqual(names)
  })
})
