/** Lists that are kept: each caller has its own, and none outlives anything that it was made of. */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Authenticate } from '@tenon/sdk/node'
import { createServer, type Server, tool } from '@tenon/sdk/server'
import { expect, test } from 'vitest'
import { createGateway, type Gatekeeper, type GatewayConfig, serveGateway } from '../src/index.ts'
import { openPolicy, parsePolicy } from '../src/policy.ts'

const bearer: Authenticate = (request) => {
  const [, name] = /^Bearer (\w+)$/.exec(request.header('authorization') ?? '') ?? []
  return name === undefined ? undefined : { principal: name }
}

/** A server that counts how often it is asked for its list. */
function counted(names: readonly string[]): { server: Server; asked(): number } {
  let count = 0
  const server = createServer({
    name: 'counted',
    version: '1.0.0',
    tools: names.map((name) => tool({ name, run: () => name })),
    middleware: [
      {
        'tools/list': (_operation, next) => {
          count++
          return next()
        },
      },
    ],
  })
  return { server, asked: () => count }
}

/** Asks as a program that keeps nothing. */
async function toolsOf(url: string, name: string): Promise<string[]> {
  const meta = 'io.modelcontextprotocol/'
  const params = { _meta: { [`${meta}protocolVersion`]: '2026-07-28', [`${meta}clientCapabilities`]: {} } }
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${name}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/list',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: name, method: 'tools/list', params }),
  })
  const { id, result } = (await response.json()) as { id: string; result: { tools: { name: string }[] } }
  expect(id).toBe(name)
  return result.tools.map((each) => each.name)
}

test('a list is kept for its caller until rules, configuration or upstream change', async () => {
  const [a, b] = [counted(['read', 'secret']), counted(['write'])]
  let decisions = 0
  let revision: number | undefined = 1
  let isStrict = true
  const gatekeeper: Gatekeeper = {
    isListed: (caller, _server, { name }) => {
      decisions++
      return caller.id === 'ada' || !isStrict || name !== 'secret'
    },
    get listRevision() {
      return revision
    },
    admit: async ({ args }) => ({ args }),
    finish: async (_request, outcome) => outcome,
  }
  const upstream = (target: Server, more = {}) => ({ target, cacheListsMs: 3_600_000, ...more })
  const config: GatewayConfig = { upstreams: { a: upstream(a.server), b: upstream(b.server) } }
  await using gateway = createGateway(config, { auth: bearer, gatekeeper })
  await using http = await serveGateway(gateway)
  const all = ['a__read', 'a__secret', 'b__write']

  for (let turn = 0; turn < 3; turn++) {
    expect(await toolsOf(http.url, 'ada')).toEqual(all)
    expect(await toolsOf(http.url, 'bob')).toEqual(['a__read', 'b__write'])
  }
  expect({ decisions, asked: a.asked() + b.asked() }).toEqual({ decisions: 6, asked: 4 })

  isStrict = false
  revision = 2
  expect(await toolsOf(http.url, 'bob')).toEqual(all)
  isStrict = true
  revision = undefined
  expect(await toolsOf(http.url, 'bob')).toEqual(['a__read', 'b__write'])
  isStrict = false
  expect(await toolsOf(http.url, 'bob')).toEqual(all)
  revision = 3
  expect(await toolsOf(http.url, 'bob')).toEqual(all)

  gateway.apply({ ...config, servers: { all: { upstreams: { a: { prefix: 'first_' }, b: {} } } } })
  expect(await toolsOf(http.url, 'bob')).toEqual(['first_read', 'first_secret', 'b__write'])
  gateway.apply({ upstreams: { ...config.upstreams, a: upstream(a.server, { exclude: ['secret'] }) } })
  await expect.poll(() => toolsOf(http.url, 'ada')).toEqual(['b__write', 'a__read'])
})

test('rules about the time are asked every time, and an approval of a definition is seen at once', async () => {
  const { server } = counted(['read'])
  const kept = { upstreams: { a: { target: server, cacheListsMs: 3_600_000 } } }
  const timed = parsePolicy({ rules: [{ effect: 'allow', when: 'now > timestamp("2020-01-01T00:00:00Z")' }] })
  const plain = parsePolicy({ rules: [{ effect: 'allow' }] })
  await using policy = await openPolicy({ policy: timed })
  expect(policy.gatekeeper.listRevision).toBeUndefined()
  expect(policy.change(plain).listRevision).toBe(0)

  const file = join(mkdtempSync(join(tmpdir(), 'tenon-pins-')), 'pins.json')
  await using pinned = await openPolicy({
    policy: parsePolicy({ rules: [{ effect: 'allow' }], pins: { file, firstUse: 'block' } }),
  })
  await using gateway = createGateway(kept, { auth: bearer, gatekeeper: pinned.gatekeeper })
  await using http = await serveGateway(gateway)
  expect(await toolsOf(http.url, 'ada')).toEqual([])
  expect(await toolsOf(http.url, 'ada')).toEqual([])
  const [found] = pinned.pins!.unapproved()
  await pinned.pins!.approve(found!, found!.hash, 'eve')
  expect(await toolsOf(http.url, 'ada')).toEqual(['a__read'])
  await pinned.pins!.revoke(found!, 'eve')
  expect(await toolsOf(http.url, 'ada')).toEqual([])
})
