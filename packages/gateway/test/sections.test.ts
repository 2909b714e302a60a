/** A gateway as its file says: callers by keys, rules, limits, credentials and the audit log, over HTTP. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Client, connect } from '@tenon/sdk/client'
import { serveHttp } from '@tenon/sdk/node'
import { createServer, tool } from '@tenon/sdk/server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newApiKey } from '../src/identity.ts'
import { createGateway, loadGatewayConfig, readGatewayConfig, serveGateway } from '../src/index.ts'
import { verifyAudit } from '../src/policy.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tenon-gateway-sections-'))
})
afterAll(() => rm(folder, { recursive: true }))

const [ada, bob] = [newApiKey(), newApiKey()]

/** The headers that the upstream got. */
const seen: (string | undefined)[] = []

const upstream = createServer({
  name: 'notes',
  version: '1.0.0',
  tools: [
    tool({ name: 'read', annotations: { readOnlyHint: true }, run: () => 'a note' }),
    tool({ name: 'erase', run: () => 'erased' }),
  ],
})

const file = (url: string, requests: number): string => `
upstreams:
  notes: { url: ${url} }
identity:
  keys:
    - { name: ada, hash: ${ada.hash}, groups: [editors] }
    - { name: bob, hash: ${bob.hash} }
credentials:
  notes: { type: static, headers: { x-team: "\${env:TEAM}" } }
policy:
  rules:
    - { effect: allow, when: annotations.readOnlyHint }
    - { effect: allow, when: '"editors" in caller.groups' }
  limits:
    - { per: [caller], every: 1d, requests: ${requests} }
audit: { folder: log }
`

const as = (key: string, url: string): Promise<Client> => connect(url, { headers: { authorization: `Bearer ${key}` } })

test('two callers see and do what their rights say, and the log has it', async () => {
  process.env.TEAM = 'blue'
  await using notes = await serveHttp(upstream, {
    auth: (request) => {
      seen.push(request.header('x-team'))
      return { principal: 'gateway' }
    },
  })
  const path = join(folder, 'gateway.yaml')
  await writeFile(path, file(notes.url, 3))
  const { config, parts } = await loadGatewayConfig(path)
  await using gateway = createGateway(config, { ...(await parts()), folder })
  await using http = await serveGateway(gateway)
  await expect(connect(http.url)).rejects.toThrow(/401/)
  await using editor = await as(ada.key, http.url)
  await using reader = await as(bob.key, http.url)
  const names = async (client: Client): Promise<string[]> => (await client.listTools()).tools.map(({ name }) => name)
  expect(await names(editor)).toEqual(['notes__read', 'notes__erase'])
  expect(await names(reader)).toEqual(['notes__read'])
  expect((await editor.callTool('notes__erase')).text).toBe('erased')
  await expect(reader.callTool('notes__erase')).rejects.toThrow('Unknown tool: "notes__erase"')
  await expect(reader.callTool('notes__nothing')).rejects.toThrow('Unknown tool: "notes__nothing"')
  expect((await reader.callTool('notes__read')).text).toBe('a note')
  expect(new Set(seen)).toEqual(new Set(['blue']))

  // Other rules go on with the counters and the log of before.
  const next = readGatewayConfig(file(notes.url, 3).replace('annotations.readOnlyHint', '1 > 2'), folder)
  gateway.apply(next.config, await next.parts())
  expect((await editor.callTool('notes__read')).text).toBe('a note')
  await expect(reader.callTool('notes__read')).rejects.toThrow('Unknown tool')
  expect((await editor.callTool('notes__read')).text).toBe('a note')
  await expect(editor.callTool('notes__read')).rejects.toMatchObject({ data: { retryAfterMs: expect.any(Number) } })

  await http.close()
  await gateway.close()
  const report = await verifyAudit({ folder: join(folder, 'log') })
  expect(report).toMatchObject({ ok: true, problems: [] })
  expect(report.entries).toBeGreaterThan(8)
})

test.each([
  ['identity: { keyz: [] }', /identity\.keyz.*Did you mean keys/],
  ['credentials: { a: { type: statik } }', /credentials\.a/],
  [`policy: { rules: [{ effect: allow, when: 'caller.nam == "a"' }] }`, /policy\.rules\.0\.when: line 1.*nam/s],
  ['audit: { folder: log, postgres: x }', /audit.*either folder or postgres/],
])('the fault of %s is told with its place', (section, words) => {
  expect(() => readGatewayConfig(`upstreams: { a: { command: x } }\n${section}\n`, folder)).toThrow(words)
})
