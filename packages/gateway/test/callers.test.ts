/** Callers with different rights and credentials, who never meet. */
import { fileURLToPath } from 'node:url'
import { connect, ErrorCode, RpcError } from '@tenon/sdk/client'
import { type Authenticate, serveHttp } from '@tenon/sdk/node'
import { type Caller, createServer, resource, type Server, tool } from '@tenon/sdk/server'
import { afterEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type CredentialSource, createGateway, type Gatekeeper, serveGateway } from '../src/index.ts'

const endings: (() => unknown)[] = []
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end()
})

const program = fileURLToPath(new URL('fixtures/program.mjs', import.meta.url))

const bearer: Authenticate = (request) => {
  const [, name] = /^Bearer (\w+)$/.exec(request.header('authorization') ?? '') ?? []
  return name === undefined ? undefined : { principal: name }
}

/** A server that knows its callers by their tokens, and counts its sessions. */
function knowing(): { server: Server; callers: Set<Caller> } {
  const callers = new Set<Caller>()
  const server: Server = createServer({
    name: 'knowing',
    version: '1.0.0',
    tools: [
      tool({
        name: 'whoami',
        run: (_, ctx) => {
          callers.add(ctx.caller)
          return String(ctx.auth?.principal)
        },
      }),
      tool({ name: 'pay', input: z.object({ amount: z.number() }), run: ({ amount }) => `paid ${amount}` }),
      tool({
        name: 'touch',
        run: () => {
          server.resources.changed('note://secret')
          server.resources.changed('note://open')
          return 'touched'
        },
      }),
    ],
    resources: ['secret', 'open'].map((name) => resource({ uri: `note://${name}`, name, read: () => name })),
  })
  return { server, callers }
}

/** Ada sees everything; the others see no secrets, and pay no more than 10. */
const gatekeeper: Gatekeeper = {
  isListed: (caller, _server, { name }) => caller.id === 'ada' || !name.includes('secret'),
  async admit({ caller, item: { name, kind }, args }) {
    if (caller.id === 'ada') return { args }
    if (name.includes('secret')) throw new RpcError(ErrorCode.ResourceNotFound, 'Resource not found', { uri: name })
    if (kind === 'tool' && name === 'pay') return { args: { amount: Math.min(args.amount as number, 10) } }
    return { args }
  },
  finish: async (_request, outcome) => outcome,
}

describe.each(['2025-06-18', '2026-07-28'] as const)('over %s', (revision) => {
  test('each caller has its own rights, credentials and connections', async () => {
    const { server, callers } = knowing()
    const upstream = await serveHttp(server, { auth: bearer })
    endings.push(() => upstream.close())
    const refused: string[] = []
    let isStale = true
    const credentials: CredentialSource = {
      async credentialsFor({ id }, name) {
        if (name === 'program') return { env: { TOKEN: `env of ${id}` } }
        return { headers: { authorization: isStale ? 'none' : `Bearer up_${id}` } }
      },
      async refused({ id }, _upstream, used) {
        expect(used?.headers).toMatchObject({ authorization: 'none' })
        refused.push(id)
        isStale = false
      },
    }
    await using gateway = createGateway(
      { upstreams: { far: { url: upstream.url }, program: { command: process.execPath, args: [program] } } },
      { auth: bearer, gatekeeper, credentials },
    )
    await using http = await serveGateway(gateway)
    const open = async (name: string) => {
      const client = await connect(http.url, { revisions: [revision], headers: { authorization: `Bearer ${name}` } })
      endings.push(() => client.close())
      return client
    }
    const [ada, bob] = [await open('ada'), await open('bob')]
    await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const [name, client] = index % 2 === 0 ? (['ada', ada] as const) : (['bob', bob] as const)
        expect((await client.callTool('far__whoami')).text).toBe(`up_${name}`)
        expect((await client.callTool('program__whoami')).text).toBe(`env of ${name}`)
      }),
    )
    expect(refused.length).toBeGreaterThan(0)
    expect(new Set([...callers].map(({ auth }) => auth?.principal))).toEqual(new Set(['up_ada', 'up_bob']))
    expect((await ada.callTool('far__pay', { amount: 99 })).text).toBe('paid 99')
    expect((await bob.callTool('far__pay', { amount: 99 })).text).toBe('paid 10')
    const uris = async (client: typeof ada) => (await client.listResources()).resources.map(({ uri }) => uri)
    expect(await uris(ada)).toEqual(['note://secret', 'note://open'])
    expect(await uris(bob)).toEqual(['note://open'])
    await expect(bob.readResource('note://secret')).rejects.toMatchObject({ message: 'Resource not found' })
    expect(await ada.readResource('note://secret')).toMatchObject({ contents: [{ text: 'secret' }] })

    // News of a resource that is not for Bob do not reach him.
    const heard: string[] = []
    await using _open = await bob.watch('note://open', ({ uri }) => heard.push(`bob ${uri}`))
    await bob.watch('note://secret', ({ uri }) => heard.push(`bob ${uri}`)).catch(() => {})
    await using _secret = await ada.watch('note://secret', ({ uri }) => heard.push(`ada ${uri}`))
    await expect
      .poll(async () => {
        await ada.callTool('far__touch')
        return [...new Set(heard)].sort()
      })
      .toEqual(['ada note://secret', 'bob note://open'])
    await expect(connect(http.url, { revisions: [revision] })).rejects.toMatchObject({ code: 'unauthorized' })
  })
})

test('a name that is denied and one that does not exist are answered alike', async () => {
  const denying: Gatekeeper = {
    ...gatekeeper,
    isListed: (_caller, _server, { name }) => name !== 'pay',
    async admit({ item: { name }, askedFor, args }) {
      if (name === 'pay') throw new RpcError(ErrorCode.InvalidParams, `Unknown tool: ${JSON.stringify(askedFor)}`)
      return { args }
    },
  }
  await using gateway = createGateway({ upstreams: { far: { target: knowing().server } } }, { gatekeeper: denying })
  await using client = await connect(gateway.server()!)
  const answer = (name: string): Promise<unknown> =>
    client
      .callTool(name)
      .catch(({ code, message, data }: RpcError) => ({ code, data, text: message.replace(name, '') }))
  expect(await answer('far__pay')).toEqual(await answer('far__nothing'))
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['far__whoami', 'far__touch'])
})

test('a guard may answer in place of the upstream, and change what came', async () => {
  const guard: Gatekeeper = {
    isListed: () => true,
    admit: async ({ item, args }) =>
      item.name === 'pay' ? { result: { content: [{ type: 'text', text: 'no money here' }] } } : { args },
    finish: async (request, outcome) =>
      outcome.kind === 'result' && request.method === 'resources/read'
        ? { kind: 'result', result: { contents: [{ uri: request.item.name, text: '***' }] } }
        : outcome,
  }
  await using gateway = createGateway({ upstreams: { far: { target: knowing().server } } }, { gatekeeper: guard })
  await using client = await connect(gateway.server()!)
  expect((await client.callTool('far__pay', { amount: 1 })).text).toBe('no money here')
  expect(await client.readResource('note://secret')).toMatchObject({ contents: [{ text: '***' }] })
})

test('a caller without credentials fails alone', async () => {
  const { server } = knowing()
  await using upstream = await serveHttp(server, { auth: bearer })
  const credentials: CredentialSource = {
    async credentialsFor({ id }) {
      if (id === 'eve') throw new Error('the secret vault has no entry')
      return { headers: { authorization: `Bearer up_${id}` } }
    },
  }
  await using gateway = createGateway(
    { upstreams: { far: { url: upstream.url, breaker: { failures: 1, restMs: 3_600_000 } } } },
    { auth: bearer, credentials },
  )
  await using http = await serveGateway(gateway)
  const open = (name: string) => connect(http.url, { headers: { authorization: `Bearer ${name}` } })
  await using eve = await open('eve')
  const refusal = await eve.callTool('far__whoami').catch((error: Error) => error.message)
  expect(refusal).not.toContain('vault')
  expect((await eve.listTools()).tools).toEqual([])
  await using ada = await open('ada')
  expect((await ada.callTool('far__whoami')).text).toBe('up_ada')
  expect(gateway.status()).toMatchObject([{ state: 'up' }])
})
