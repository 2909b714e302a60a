/** The API of operators over HTTP, while two callers use the gateway. */
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Client, connect } from '@tenon/sdk/client'
import { createServer, tool } from '@tenon/sdk/server'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { newApiKey } from '../src/identity.ts'
import { createGateway, type Gateway, readGatewayConfig, serveGateway } from '../src/index.ts'
import { type OperatorServer, serveOperator } from '../src/operator.ts'

const [ada, bob] = [newApiKey(), newApiKey()]
const file = `
upstreams:
  notes: { module: notes }
  gone: { url: 'http://127.0.0.1:9/mcp' }
servers:
  team: { upstreams: { notes: { prefix: '', rename: { read: look } } } }
identity:
  keys:
    - { name: ada, hash: ${ada.hash}, groups: [editors] }
    - { name: bob, hash: ${bob.hash} }
policy:
  rules:
    - { name: readers, effect: allow, when: annotations.readOnlyHint }
    - { name: editors, effect: approve, when: '"editors" in caller.groups' }
  approvals: { by: [queue], wait: 1m }
  pins: { file: pins.json, firstUse: approve }
audit: { folder: log }
`

const notes = createServer({
  name: 'notes',
  version: '1.0.0',
  tools: [
    tool({ name: 'read', annotations: { readOnlyHint: true }, run: () => 'a note' }),
    tool({ name: 'erase', run: () => 'erased' }),
  ],
})

let folder: string
let gateway: Gateway
let operator: OperatorServer
let url: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tenon-operator-'))
  const { config, parts } = readGatewayConfig(file, folder)
  gateway = createGateway(config, { ...(await parts()), folder, importModule: async () => ({ default: notes }) })
  operator = await serveOperator(gateway)
  url = (await serveGateway(gateway)).url
})
afterAll(async () => {
  await operator.close()
  await gateway.close()
  await rm(folder, { recursive: true })
})

const send = (path: string, init: RequestInit = {}, headers: { [name: string]: string } = {}): Promise<Response> =>
  fetch(`${operator.url}/api/${path}`, { ...init, headers: { authorization: `Bearer ${operator.token}`, ...headers } })

/** The result of a command, or its error. */
// biome-ignore lint/suspicious/noExplicitAny: the test looks into answers of many shapes.
async function ask(name: string, params: object = {}): Promise<any> {
  const response = await send(name, { method: 'POST', body: JSON.stringify(params) })
  const { result, error } = (await response.json()) as { result?: unknown; error?: unknown }
  return error === undefined ? result : { status: response.status, error }
}

const as = (key: string): Promise<Client> => connect(url, { headers: { authorization: `Bearer ${key}` } })

test('only the token opens it, and no page, body or path does harm', async () => {
  const post = { method: 'POST', body: '{}' }
  const statuses = await Promise.all([
    fetch(`${operator.url}/api/upstreams`, post),
    send('upstreams', post, { authorization: `Bearer ${ada.key}` }),
    send('upstreams', post, { authorization: `bearer ${operator.token}` }),
    send('upstreams', post, { origin: 'http://127.0.0.1' }),
    send('upstreams'),
    send('constructor', post),
    send('upstreams', { method: 'POST', body: '{' }),
    send('upstreams', { method: 'POST', body: '[]' }),
    send('explain', { method: 'POST', body: '{"caller":{"id":1},"name":"x"}' }),
    send('upstreams', { method: 'POST', body: `"${'x'.repeat(1_100_000)}"` }).catch(() => ({ status: 413 })),
    send('upstreams', post),
  ])
  expect(statuses.map(({ status }) => status)).toEqual([401, 401, 401, 403, 405, 404, 422, 422, 422, 413, 200])
  await expect(serveOperator(gateway, { token: 'short' })).rejects.toThrow('token: expected at least 32 characters')
})

test('servers with health, the catalogue as a caller sees it, and the reasons', async () => {
  expect(await ask('check')).toMatchObject([
    { name: 'notes', state: 'up', reached: 'module' },
    { name: 'gone', state: 'failing', reached: 'url', problem: expect.any(String) },
  ])
  expect((await ask('callers')).known.map(({ id }: { id: string }) => id)).toEqual(['key:ada', 'key:bob'])
  const seen = async (id: string, traits = {}): Promise<unknown> => {
    const { items, missing } = await ask('viewAs', { caller: { id, ...traits }, server: 'team' })
    return [missing, items.map(({ shownAs, isListed }: { shownAs: string; isListed: boolean }) => [shownAs, isListed])]
  }
  const [all, readOnly] = [true, false].map((isListed) => [
    ['look', true],
    ['erase', isListed],
  ])
  expect(await seen('key:ada')).toEqual([[], all])
  expect(await seen('key:bob')).toEqual([[], readOnly])
  expect(await seen('key:bob', { groups: ['editors'] })).toEqual([[], all])
  expect((await ask('viewAs', { caller: { id: 'key:bob' } })).missing).toMatchObject([{ upstream: 'gone' }])
  expect(await ask('explain', { caller: { id: 'key:bob' }, name: 'look', server: 'team', args: {} })).toMatchObject({
    items: [{ effect: 'allow', by: 'readers', isListed: true, isPinned: true, name: 'read', upstream: 'notes' }],
  })
  expect(await ask('viewAs', { caller: { id: 'key:bobb' } })).toEqual({
    status: 422,
    error: { code: 'invalid_argument', message: 'There is no caller "key:bobb"', suggestions: ['key:bob'] },
  })
  // To look is no first use, which would approve the definition.
  await gateway.parts.pins!.written()
  expect(existsSync(join(folder, 'pins.json'))).toBe(false)
})

test('approvals, the audit log and live traffic', async () => {
  const stream = await send('traffic')
  const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader()
  await using editor = await as(ada.key)
  await using other = await as(bob.key)
  const erased = editor.callTool('notes__erase')
  const [waiting] = await vi.waitFor(async () => {
    const list = await ask('approvals')
    expect(list).toHaveLength(1)
    return list
  })
  expect(waiting).toMatchObject({ caller: { id: 'key:ada' }, item: { name: 'erase' }, rule: 'editors' })
  expect(await ask('decide', { id: waiting.id, verdict: 'maybe' })).toMatchObject({ status: 422 })
  expect(await ask('decide', { id: waiting.id, verdict: 'approve' })).toMatchObject({ decidedBy: 'operator' })
  expect((await erased).text).toBe('erased')
  expect(await ask('decide', { id: waiting.id, verdict: 'deny' })).toMatchObject({ status: 422 })
  await expect(other.callTool('notes__erase')).rejects.toThrow('Unknown tool')
  expect((await ask('callers')).known.map(({ id }: { id: string }) => id)).toEqual(['key:ada', 'key:bob'])

  let text = ''
  while (!text.includes('"caller":"key:bob"')) text += (await reader.read()).value
  await reader.cancel()
  const entries = text.split('\n').flatMap((line) => (line.startsWith('data: ') ? [JSON.parse(line.slice(6))] : []))
  expect(entries.find(({ caller, method }) => caller === 'key:ada' && method === 'tools/call')).toMatchObject({
    server: 'all',
    upstream: 'notes',
    name: 'erase',
    status: 'ok',
    ms: expect.any(Number),
  })
  const found = await ask('audit', { facts: { caller: 'key:bob', type: 'decision' }, text: 'ERASE', limit: 1 })
  expect(found).toMatchObject([{ verdict: 'refuse', reason: 'denied', name: 'erase' }])
  expect(await ask('audit', { facts: { type: 'approval' } })).toMatchObject([{ verdict: 'approved', by: 'operator' }])
  expect(await ask('audit', { from: '9999' })).toEqual([])

  // A definition that changed after its first use.
  const definition = { name: 'erase', description: 'Erases all of them', inputSchema: {} }
  expect(gateway.parts.pins!.isApproved({ kind: 'tool', upstream: 'notes', name: 'erase', definition })).toBe(false)
  const [changed] = await ask('pins')
  expect(changed).toMatchObject({ name: 'erase', difference: expect.arrayContaining([expect.stringMatching(/^\+/)]) })
  const { upstream, kind, name, hash } = changed
  expect(await ask('approvePin', { upstream, kind, name, hash: 'another' })).toMatchObject({ status: 422 })
  expect(await ask('approvePin', { upstream, kind, name, hash })).toBe(null)
  expect(await ask('pins')).toEqual([])
})
