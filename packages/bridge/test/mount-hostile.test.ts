/** Servers that are mounted with others and hang, list without end or offer what costs much to look through. */
import { type Client, connect } from '@tenon/sdk/client'
import { createServer, resource, resourceTemplate, type Server } from '@tenon/sdk/server'
import { afterEach, describe, expect, test } from 'vitest'
import {
  legacyServer,
  type ScriptedServer,
  type ServerScript,
  silence,
} from '../../sdk/src/client/scripted-server.suite.ts'
import { bridge } from '../src/bridge.ts'

const endings: (() => unknown)[] = []
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end()
})

const long = 600_000
const nothing: ServerScript = {
  'resources/list': { resources: [] },
  'resources/templates/list': { resourceTemplates: [] },
}
const text = (uri: string, said: string) => ({ contents: [{ uri, text: said }] })

const hostile = (script: ServerScript, extensions?: object): ScriptedServer =>
  legacyServer({ ...nothing, 'resources/read': text('x:', 'hostile'), ...script }, '2025-11-25', {
    tools: {},
    resources: {},
    logging: {},
    ...(extensions && { extensions: extensions as never }),
  })

const honest = (): Server =>
  createServer({
    name: 'honest',
    version: '1.0.0',
    resources: [
      resource({ uri: 'honest://one', name: 'one', read: () => 'honest' }),
      resourceTemplate({ uriTemplate: '{+any}', name: 'any', read: () => 'honest' }),
    ],
  })

interface Desk {
  problems: string[]
  client: Client
}

type Mounted = [target: ScriptedServer | Server, timeoutMs: number]

async function deskOf(near: '2025-11-25' | '2026-07-28', ...mounted: Mounted[]): Promise<Desk> {
  const problems: string[] = []
  const desk = createServer({
    name: 'desk',
    version: '1.0.0',
    logging: true,
    onError: (error) => problems.push((error as Error).message),
  })
  for (const [index, [target, timeoutMs]] of mounted.entries()) {
    const made = bridge({ target: 'open' in target ? target.open : target }, { name: `part-${index}` })
    endings.push(() => made.close())
    desk.mount(made.server, { prefix: `p${index}_`, timeoutMs })
  }
  const client = await connect(desk, { revisions: [near] })
  endings.push(() => client.close())
  return { problems, client }
}

const read = async (client: Client, uri: string): Promise<unknown> =>
  (await client.readResource(uri)).contents.map((one) => 'text' in one && one.text)[0]

describe.each(['2025-11-25', '2026-07-28'] as const)('next to a hostile server, for a client of %s', (near) => {
  test('only so many of its templates lead to it, which is reported once', async () => {
    const resourceTemplates = Array.from({ length: 15_000 }, (_, index) => ({
      uriTemplate: `t${index}://{x}`,
      name: 'many',
    }))
    const many = hostile({ 'resources/templates/list': { resourceTemplates } })
    const { client, problems } = await deskOf(near, [many, long], [honest(), long])
    expect(await read(client, 't999://x')).toBe('hostile')
    expect(await read(client, 't1000://x')).toBe('honest')
    expect(problems).toEqual([
      'mount of part-0 (prefix "p0_"): it lists more than 1000 templates: URIs of the others do not lead to it',
    ])
  })

  test('a URI that is listed before it is read while it hangs', async () => {
    const hangs = hostile({ 'resources/list': silence })
    const { client } = await deskOf(near, [honest(), long], [hangs, long])
    expect(await read(client, 'honest://one')).toBe('honest')
  })

  test('a list that hangs is waited for once, and then not for a while', async () => {
    const hangs = hostile({ 'resources/list': silence })
    const { client } = await deskOf(near, [hangs, 300], [honest(), long])
    for (let times = 0; times < 3; times++) expect(await read(client, 'honest://one')).toBe('honest')
    expect(hangs.all('resources/list').length).toBeLessThanOrEqual(1)
  })

  test('a method of an extension is sent to no server without extensions', async () => {
    const curious = hostile({ 'search/query': { got: true } })
    const { client } = await deskOf(near, [curious, long])
    await expect(client.request('search/query', { secret: 1 })).rejects.toMatchObject({ code: -32601 })
    expect(curious.all('search/query')).toEqual([])
  })

  test('a method of an extension is sent to those that declare it, and to no others', async () => {
    const curious = hostile({ 'search/query': { got: true } }, { 'com.example/other': {} })
    const has = hostile({ 'search/query': { hits: [] } }, { 'com.example/search': {} })
    const { client } = await deskOf(near, [curious, long], [has, long])
    expect(await client.request('search/query', {})).toMatchObject({ hits: [] })
    expect(curious.all('search/query')).toEqual([])
  })

  test('a method of an extension that hangs there is answered by the next', async () => {
    const hangs = hostile({ 'search/query': silence }, { 'com.example/search': {} })
    const has = hostile({ 'search/query': { hits: [] } }, { 'com.example/search': {} })
    const { client } = await deskOf(near, [hangs, 300], [has, long])
    expect(await client.request('search/query', {})).toMatchObject({ hits: [] })
  })

  test('pages of a list are not asked for when nobody waits for them', async () => {
    let release = (_page: object): void => {}
    const late = new Promise<never>((resolve) => {
      release = resolve as never
    })
    let pages = 0
    const slow = hostile({
      'tools/list': () => (++pages < 3 ? { tools: [], nextCursor: `${pages}` } : late),
      'tools/call': { content: [] },
    })
    const { client } = await deskOf(near, [slow, 300])
    expect(await client.listTools()).toMatchObject({ tools: [] })
    const before = slow.all('tools/list').length
    release({ tools: [], nextCursor: 'more' })
    for (let times = 0; times < 3; times++) await client.request('tools/call', { name: 'p0_any', arguments: {} })
    expect(slow.all('tools/list').length).toBe(before)
  })
})

test('the log level is set though a server hangs with it', async () => {
  const hangs = hostile({ 'logging/setLevel': silence, 'tools/call': { content: [] } })
  const { client, problems } = await deskOf('2025-11-25', [hangs, 300])
  await client.setLoggingLevel('debug')
  expect(problems).toContain('part-0 did not answer within 300 ms')
  expect(await client.request('tools/call', { name: 'p0_any', arguments: {} })).toMatchObject({ content: [] })
})
