import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serveHttp } from '@tenon/sdk/node'
import { createServer, tool } from '@tenon/sdk/server'
import { expect, test } from 'vitest'
import { serverEntry } from '../src/files/server-entry.ts'
import { exportList } from '../src/kept/export-list.ts'
import type { ServerSpec, ServerView, TimelineEntry } from '../src/protocol.ts'
import { asCurl, asTenon } from '../src/timeline/copy-as.ts'
import { TestBench } from './workbench-in-test.suite.ts'

const input = { type: 'object', properties: { user: { type: 'string' }, password: { type: 'string' } } } as const
const token = 'eyJhbGciOiJub25lIn0.eyJzZWNyZXQiOiJTRUNSRVQtVE9LRU4ifQ.U0VDUkVULVNJR04'
const server = createServer({
  name: 'bank',
  version: '1.0.0',
  tools: [
    tool({
      name: 'login',
      input,
      run: () => JSON.stringify({ access_token: token, client_secret: 'SECRET-RESULT' }),
    }),
  ],
})

/** Every secret in it; none may be in anything that leaves the workbench. */
const secrets = /SECRET[-\w]*|eyJhbGciOiJub25lIn0\.eyJ/

test('nothing that leaves the workbench has a secret in it: recordings, saved calls, lists of servers', async () => {
  await using http = await serveHttp(server, { port: 0 })
  const folder = await mkdtemp(join(tmpdir(), 'exports-'))
  const calls = join(folder, 'calls')
  const spec: ServerSpec = {
    kind: 'url',
    name: '../../\u001b[31mbank\u202e\u0000 <script>',
    url: `${http.url}?api_key=SECRET-QUERY&page=1`,
    headers: { Authorization: 'Bearer SECRET-HEADER', 'X-Api-Key': 'SECRET-KEY' },
  }
  await using bench = await TestBench.open({ servers: [spec], calls })
  const id = await bench.until((event) => {
    const servers = event.type === 'snapshot' ? event.snapshot.servers : event.type === 'server' ? [event.server] : []
    return servers.find(({ status }) => status === 'connected')?.id
  })
  const { session } = await bench.run('session.record', { server: id })
  const operation = {
    method: 'tools/call' as const,
    name: 'login',
    arguments: { user: 'me', password: 'SECRET-FIELD' },
  }
  const { call } = await bench.run('call.start', { server: id, operation })
  await bench.until((event) => {
    const known = event.type === 'snapshot' ? event.snapshot.calls : event.type === 'call' ? [event.call] : []
    return known.find((one) => one.id === call && one.outcome !== undefined)
  })
  await bench.run('session.stop', { session })
  const taken = await bench.run('session.take', { server: id })
  const recorded = await bench.run('session.text', { session })
  const took = await bench.run('session.text', { session: taken.session })
  await bench.run('saved.put', {
    collection: '../../etc/x',
    call: { tool: 'login', arguments: { user: 'me' } },
    server: id,
  })
  const files = await readdir(calls)
  const written = await Promise.all(files.map((name) => readFile(join(calls, name), 'utf8')))
  const exported = await bench.run('list.export', {})
  const { snippets } = await bench.run('server.snippets', { server: id })
  const texts: { [what: string]: string } = {
    recorded: recorded.text,
    took: took.text,
    saved: written.join('\n'),
    exported: JSON.stringify(exported),
    installed: JSON.stringify(snippets),
  }
  for (const [what, text] of Object.entries(texts)) {
    expect(text.length, what).toBeGreaterThan(20)
    expect.soft(text.match(secrets)?.[0], what).toBeUndefined()
  }
  const badges = snippets.flatMap(({ link }) => link?.markdown ?? [])
  expect(badges).toHaveLength(4)
  for (const badge of badges) expect(badge).toMatch(/^\[!\[Install in [\w ]+\]\(https:[^()\s]+\)\]\(https:[^\s]+\)$/)
  // Names of files are names: nothing in them leads elsewhere, or does something to a terminal.
  for (const name of [recorded.name, took.name, ...files]) expect(name).toMatch(/^[\p{L}\p{N}_.-]+$/u)
  for (const name of [recorded.name, took.name, ...files]) expect(name).not.toMatch(/^\.|\.\./)
  // Typed values are for that person only.
  for (const name of files) expect((await stat(join(calls, name))).mode & 0o777, name).toBe(0o600)
  expect((await stat(calls)).mode & 0o777).toBe(0o700)
  await rm(folder, { recursive: true })
})

test('arguments and addresses that are copied have their secrets left out', () => {
  const args = ['server.js', '--token=SECRET-1', '--api-key', 'SECRET-2', '--port', '80', '-v', '--password=']
  const program: ServerSpec = { kind: 'command', name: 'p', command: 'node', args }
  const site: ServerSpec = { kind: 'url', name: 's', url: 'https://x.example/mcp?a=1&access_token=SECRET-3&b#c' }
  const payload = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'x' } }
  const entry = { kind: 'request', from: 'client', payload } as unknown as TimelineEntry
  const view = (spec: ServerSpec): ServerView => ({ spec, revision: '2025-06-18' }) as unknown as ServerView
  const texts = [program, site].flatMap((spec) => [
    JSON.stringify(serverEntry(spec)),
    exportList([spec]).text,
    asTenon(entry, view(spec)) ?? '',
    asCurl(entry, view(spec)) ?? '',
  ])
  for (const text of texts) expect(text).not.toContain('SECRET')
  expect(texts[0]).toContain(`--token=\${env.TOKEN}`)
  expect(texts[1]).toContain('"80"')
  expect(texts[6]).toContain('https://x.example/mcp?a=1&access_token=…&b#c')
})
