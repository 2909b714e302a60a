import { readSession } from '@tenon/replay'
import { serveHttp } from '@tenon/sdk/node'
import { createServer, tool } from '@tenon/sdk/server'
import { describe, expect, test } from 'vitest'
import type { CommandSpec, Operation, Outcome, ServerView, SessionView } from '../src/protocol.ts'
import { everything, TestBench } from './workbench-in-test.suite.ts'

const connected = (bench: TestBench, named: RegExp): Promise<ServerView> =>
  bench.until((event) => {
    const servers = event.type === 'snapshot' ? event.snapshot.servers : event.type === 'server' ? [event.server] : []
    return servers.find(({ spec, status }) => status === 'connected' && named.test(spec.name))
  })

async function callTool(bench: TestBench, server: string, name: string, args: object): Promise<Outcome> {
  const operation = { method: 'tools/call', name, arguments: args } as Operation
  const { call } = await bench.run('call.start', { server, operation })
  return bench.until((event) => {
    const calls = event.type === 'snapshot' ? event.snapshot.calls : event.type === 'call' ? [event.call] : []
    return calls.find(({ id }) => id === call)?.outcome
  })
}

const viewOf = (bench: TestBench, id: string): Promise<SessionView> =>
  bench.until((event) =>
    event.type === 'snapshot' ? event.snapshot.sessions.find((session) => session.id === id) : undefined,
  )

describe.each(['2026-07-28', '2025-06-18'] as const)('sessions in %s', (revision) => {
  test('a recording that begins in the middle of a connection can be served, looked through and compared', async () => {
    await using bench = await TestBench.open({ servers: [{ ...everything, revision }] })
    const { id: server } = await connected(bench, /^everything$/)
    const { session } = await bench.run('session.record', { server })
    await expect(bench.run('session.record', { server })).rejects.toThrow('is being recorded already')
    await callTool(bench, server, 'add', { a: 19, b: 23 })
    await callTool(bench, server, 'echo', { message: 'token Bearer abcdefghijklmnopqrstuvwxyz0123' })
    await expect(bench.run('session.text', { session })).rejects.toThrow('Stop the recording first')
    await bench.run('session.stop', { session })

    const view = await viewOf(bench, session)
    expect(view).toMatchObject({ state: 'whole', revision, server })
    expect(view.serverInfo).toMatch(/^tenon-everything|everything/)
    const { text } = await bench.run('session.text', { session })
    expect(text).not.toContain('abcdefghijklmnopqrstuvwxyz0123')
    expect((await readSession(text)).events.some(({ kind }) => kind === 'agreed')).toBe(true)

    const found = await bench.run('timeline.query', {
      session,
      query: 'kind:request method:tools/call',
      offset: 0,
      count: 10,
    })
    expect(found.rows.map(({ name, status }) => [name, status])).toEqual([
      ['add', 'ok'],
      ['echo', 'ok'],
    ])
    const entry = await bench.run('timeline.get', { session, id: found.rows[0]!.id })
    expect(entry.payload).toMatchObject({ method: 'tools/call', params: { name: 'add', arguments: { a: 19, b: 23 } } })

    await bench.run('session.serve', { session })
    const mock = await connected(bench, /recorded/)
    expect(mock.revision).toBe(revision)
    const again = await callTool(bench, mock.id, 'add', { a: 19, b: 23 })
    expect(again).toMatchObject({ kind: 'result', result: { structuredContent: { sum: 42 } } })
    const other = await callTool(bench, mock.id, 'add', { a: 1, b: 1 })
    expect(other).toMatchObject({ kind: 'problem', problem: { kind: 'protocol', message: /Not in the recording/ } })

    await callTool(bench, server, 'add', { a: 19, b: 24 })
    const taken = await bench.run('session.take', { server })
    const { diff } = await bench.run('session.diff', { before: session, after: taken.session })
    expect(diff.unchanged).toBeGreaterThanOrEqual(2)
    expect(diff.requests.some(({ request, status }) => status === 'added' && request.includes('24'))).toBe(true)
  })
})

test('a file is opened without any server, and what is none is refused with its line', async () => {
  await using bench = await TestBench.open()
  const header = JSON.stringify({ tenonSession: 1, at: 1 })
  const broken = `${header}\n{"kind":"message","at":2,"from":"nobody","payload":{}}\n`
  await expect(bench.run('session.open', { name: 'x.jsonl', text: broken })).rejects.toThrow(
    /x\.jsonl is no session file.*2/s,
  )
  const { session } = await bench.run('session.open', { name: 'empty.jsonl', text: `${header}\n` })
  await expect(bench.run('session.serve', { session })).rejects.toThrow('cannot be served')
  expect(await viewOf(bench, session)).toMatchObject({ name: 'empty.jsonl', messages: 0 })
  await bench.run('session.remove', { session })
  await expect(bench.run('session.text', { session })).rejects.toThrow('not open any more')
})

test('a session of the timeline has the HTTP requests that a recording has, in the same order', async () => {
  await using http = await serveHttp(
    createServer({ name: 'adding', version: '1.0.0', tools: [tool({ name: 'add', run: () => 'done' })] }),
    { port: 0 },
  )
  await using bench = await TestBench.open({ servers: [{ kind: 'url', name: 'adding', url: http.url }] })
  const { id: server } = await connected(bench, /^adding$/)
  const { session: recorded } = await bench.run('session.record', { server })
  await callTool(bench, server, 'add', {})
  await bench.run('session.stop', { session: recorded })
  const { session: taken } = await bench.run('session.take', { server })
  const steps = async (session: string): Promise<object[]> => {
    const { events } = await readSession((await bench.run('session.text', { session })).text)
    expect(events.map(({ at }) => at)).toEqual(events.map(({ at }) => at).toSorted((a, b) => a - b))
    return events.flatMap((event) => {
      if (event.kind !== 'http' || event.http.headers['Mcp-Method'] === 'server/discover') return []
      const { id: _, ...step } = event.http
      return [step]
    })
  }
  const [wanted, found] = [await steps(recorded), await steps(taken)]
  expect(wanted.length).toBeGreaterThanOrEqual(3)
  expect(found).toEqual(expect.arrayContaining(wanted))
  const rows = (session: string) =>
    bench.run('timeline.query', { session, query: 'kind:http status:ok', offset: 0, count: 9 })
  expect((await rows(taken)).total).toBeGreaterThanOrEqual((await rows(recorded)).total)
})

test('what a server wrote to standard error, and notes, are found in a session file', async () => {
  await using bench = await TestBench.open()
  const lines = [
    { tenonSession: 1, at: 1 },
    { kind: 'stderr', at: 2, text: 'Listening\nto \u001b[31mnobody\n' },
    { kind: 'message', at: 3, from: 'client', payload: { jsonrpc: '2.0', id: 1, method: 'ping' } },
    { kind: 'note', at: 4, text: 'Here it stops' },
    { kind: 'unanswered', at: 5, from: 'client', id: 1, reason: 'enough', cancelled: true },
  ]
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
  const { session } = await bench.run('session.open', { name: 'x.jsonl', text })
  const find = async (query: string) =>
    (await bench.run('timeline.query', { session, query, offset: 0, count: 9 })).rows
  expect((await find('kind:stderr')).map(({ name, from }) => [name, from])).toEqual([
    ['Listening', 'server'],
    ['to \u001b[31mnobody', 'server'],
  ])
  const [note] = await find('kind:note stops')
  expect(note).toMatchObject({ at: 4 })
  expect((await bench.run('timeline.get', { session, id: note!.id })).payload).toBe('Here it stops')
  expect(await find('kind:request')).toMatchObject([{ status: 'cancelled', durationMs: 2 }])
})

test('a recording has what the process wrote to standard error, without what looks secret', async () => {
  const secret = 'abcdefghijklmnopqrstuvwxyz0123'
  const words = `setInterval(() => console.error('working, with Bearer ' + process.env.SECRET), 20)`
  const talking = { kind: 'command' as const, name: 'talking', command: process.execPath, env: { SECRET: secret } }
  const args = ['--import', `data:text/javascript,${encodeURIComponent(words)}`, ...(everything as CommandSpec).args!]
  await using bench = await TestBench.open({ servers: [{ ...talking, args }] })
  const { id: server } = await connected(bench, /^talking$/)
  const { session } = await bench.run('session.record', { server })
  const written = async (): Promise<number> => (await bench.run('server.stderr', { server })).lines.length
  const before = await written()
  await expect.poll(written).toBeGreaterThan(before)
  await bench.run('session.stop', { session })
  const { text } = await bench.run('session.text', { session })
  expect(text).not.toContain(secret)
  const wrote = (await readSession(text)).events.filter(({ kind }) => kind === 'stderr')
  expect(JSON.stringify(wrote)).toContain('working, with')
})
