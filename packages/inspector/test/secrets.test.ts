import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import type { CommandSpec, UrlSpec } from '../src/protocol.ts'
import { Trust } from '../src/servers/trust.ts'
import { TestBench } from './workbench-in-test.suite.ts'

const secret = 'correct-horse-battery'

const everywhere: UrlSpec = {
  kind: 'url',
  name: 'secretive',
  url: `https://user:${secret}@127.0.0.1:9/mcp`,
  headers: { 'X-Api-Key': secret },
  oauth: { clientId: 'known', clientSecret: secret },
}

test('headers, client secrets and passwords in a URL are shown to nobody who did not ask', async () => {
  await using bench = await TestBench.open({ servers: [everywhere], connect: false })
  const shown = await bench.until((event) => (event.type === 'snapshot' ? event.snapshot.servers[0] : undefined))
  expect(JSON.stringify(shown)).not.toContain(secret)
  expect(shown.spec).toMatchObject({ headers: { 'X-Api-Key': '••••••••' }, oauth: { clientId: 'known' } })
  expect((await bench.run('server.reveal', { server: shown.id })).spec).toEqual(everywhere)
})

test('none of them is written into a file of saved calls, or a session', async () => {
  const calls = await mkdtemp(join(tmpdir(), 'secrets-'))
  await using bench = await TestBench.open({ servers: [everywhere], connect: false, calls })
  const { id: server } = await bench.until((event) =>
    event.type === 'snapshot' ? event.snapshot.servers[0] : undefined,
  )
  const { collection } = await bench.run('saved.put', { collection: 'mine', call: { list: 'tools' }, server })
  const text = await readFile(join(calls, collection.id), 'utf8')
  expect(text).toContain('env.X_API_KEY')
  expect(text).not.toContain(secret)
  await rm(calls, { recursive: true })
  const { session } = await bench.run('session.take', { server })
  const { text: recorded } = await bench.run('session.text', { session })
  expect(recorded).toContain('X-Api-Key')
  expect(recorded).not.toContain(secret)
})

test('a session names the variables of a program, and not what they hold', async () => {
  const spec: CommandSpec = { kind: 'command', name: 'it', command: 'node', env: { COLOUR: 'aubergine-and-teal' } }
  await using bench = await TestBench.open({ servers: [spec], connect: false })
  const server = await bench.until((event) => (event.type === 'snapshot' ? event.snapshot.servers[0] : undefined))
  const { session } = await bench.run('session.take', { server: server.id })
  const { text } = await bench.run('session.text', { session })
  expect(text).toContain('COLOUR')
  expect(text).not.toContain('aubergine')
})

test('an agreement to another program does not start the one that a saved call waits for', async () => {
  const calls = await mkdtemp(join(tmpdir(), 'secrets-'))
  await using bench = await TestBench.open({ calls })
  const file = { tenonCalls: 1, servers: { it: { command: 'no-such-program' } }, calls: [{ list: 'tools' }] }
  await bench.run('saved.write', { collection: 'foreign.json', text: JSON.stringify(file) })
  const waiting = bench.until((event) =>
    event.type === 'saved-run' && event.run.challenge !== undefined ? event.run : undefined,
  )
  const { run } = await bench.run('saved.run', { collection: 'foreign.json' })
  const { challenge } = await waiting
  const { server } = await bench.run('server.add', { spec: { kind: 'command', name: 'other', command: 'echo' } })
  const other = await bench.run('server.connect', { server })
  for (const id of ['made-up', other.challenge!.id]) {
    await expect(bench.run('saved.agree', { run, challenge: id, agreed: true })).rejects.toThrow('Nobody waits')
  }
  await bench.run('saved.agree', { run, challenge: challenge!.id, agreed: false })
  await rm(calls, { recursive: true })
})

test('an agreement that nobody gave within ten minutes is none', () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const trust = new Trust()
  const spec: CommandSpec = { kind: 'command', name: 'it', command: 'node' }
  const { id } = trust.challenge('s', spec)
  vi.advanceTimersByTime(11 * 60_000)
  try {
    expect(() => trust.confirm(id, () => spec)).toThrow('not valid any more')
    expect(trust.allows(spec)).toBe(false)
  } finally {
    vi.useRealTimers()
  }
})

test('sessions do not fill the memory without end', async () => {
  await using bench = await TestBench.open()
  const text = `${JSON.stringify({ tenonSession: 1, at: 1 })}\n`
  for (let at = 0; at < 50; at++) await bench.run('session.open', { name: `${at}.jsonl`, text })
  await expect(bench.run('session.open', { name: 'more.jsonl', text })).rejects.toThrow('There are 50 sessions already')
})
