import { connect } from '@tenon/sdk/client'
import { createServer, prompt, type ServerTool, tool } from '@tenon/sdk/server'
import { createEverythingServer } from '@tenon/server-everything'
import { expect, test } from 'vitest'
import { diffSessions, formatDiff, memorySink, readSession, recorder, type Session } from '../src/replay.ts'
import { recordVisit } from './visit.ts'

async function record(tools: ServerTool[], version: string, names: string[]): Promise<Session> {
  const sink = memorySink()
  const recording = recorder(sink)
  const greet = prompt({
    name: 'greet',
    arguments: {
      type: 'object',
      properties: { name: { type: 'string' }, tone: { type: 'string' } },
      required: version === '2' ? ['name'] : [],
    },
    run: () => 'Hello',
  })
  const server = createServer({ name: 'shop', version, tools, prompts: [greet] })
  const client = await connect(server, { onMessage: recording.onMessage })
  await client.listTools()
  await client.listPrompts()
  for (const name of names) await client.callTool(name, { item: 'tea' }).catch(() => {})
  await client.close()
  await recording.close()
  return readSession(sink.text)
}

const text = { type: 'string' }
const item = (required: string[] = []) => ({ type: 'object', properties: { item: text, size: text }, required })

test('two sessions are compared by what is offered, what is answered and how long it takes', async () => {
  const before = await record(
    [
      tool({ name: 'price', input: item(), run: () => '3 €' }),
      tool({ name: 'stock', input: item(), run: () => '7' }),
      tool({ name: 'order', input: item(), run: () => 'ok' }),
    ],
    '1',
    ['price', 'stock', 'stock'],
  )
  const after = await record(
    [
      tool({ name: 'price', input: item(['size']), run: () => '4 €' }),
      tool({ name: 'stock', description: 'How many are left', input: item(), run: () => '7' }),
      tool({ name: 'refund', run: () => 'ok' }),
    ],
    '2',
    ['price', 'stock', 'refund'],
  )
  const diff = diffSessions(before, after)
  expect(diff).toMatchObject({
    same: false,
    breaking: 3,
    server: [{ path: 'version', what: 'was "1", is "2"' }],
    items: [
      {
        name: 'price',
        status: 'changed',
        severity: 'breaking',
        changes: [{ path: 'inputSchema.properties.size', what: 'is required now' }],
      },
      { name: 'stock', status: 'changed', severity: 'compatible', changes: [{ path: 'description' }] },
      { name: 'order', status: 'removed', severity: 'breaking' },
      { name: 'refund', status: 'added' },
      { kind: 'prompt', name: 'greet', changes: [{ path: 'arguments.name', what: 'is required now' }] },
    ],
    requests: [
      { request: 'tools/call price {"item":"tea"}', status: 'changed' },
      { request: 'tools/call stock {"item":"tea"}', occurrence: 2, status: 'removed' },
      { request: 'tools/call refund {"item":"tea"}', status: 'added' },
    ],
  })
  expect(diff.timing.map(({ request }) => request)).toContain('tools/call price {"item":"tea"}')
  expect(formatDiff({ ...diff, timing: [] })).toMatchInlineSnapshot(`
    "Server
      ~ version was "1", is "2"

    Offers
      ~ tool price
        ~ inputSchema.properties.size is required now [breaking]
      ~ tool stock
        ~ description was nothing, is "How many are left"
      - tool order [breaking]
      + tool refund
      ~ prompt greet
        ~ arguments.name is required now [breaking]

    Answers
      ~ tools/call price {"item":"tea"}
        ~ result.content[0].text was "3 €", is "Invalid arguments for tool price: arguments.size: is required"
        ~ result.isError was nothing, is true
      - tools/call stock {"item":"tea"} (2.)
      + tools/call refund {"item":"tea"}

    3 breaking changes, 1 change of the server, 5 offers and 3 answers differ, 3 answers alike
    "
  `)
})

test('a session does not differ from itself', async () => {
  const { session } = await recordVisit(createEverythingServer({ onError: () => {} }), { revisions: ['2026-07-28'] })
  expect(diffSessions(session, session)).toMatchObject({ same: true, breaking: 0 })
  expect(formatDiff(diffSessions(session, session))).toMatch(/The same: \d+ answers\n$/)
})

test('a slow answer is told as a ratio, and decides nothing', async () => {
  const session = await record([tool({ name: 'price', run: () => '3 €' })], '1', ['price'])
  const slow: Session = {
    ...session,
    events: session.events.map((event, index) => ({ ...event, at: event.at + index * 100 })),
  }
  const diff = diffSessions(session, slow)
  expect(diff.same).toBe(true)
  expect(formatDiff(diff)).toMatch(/Times\n(.*\n)*? {2}tools\/call price \{"item":"tea"\}: .* ms, then 1\d\d\.?\d* ms/)
})

test('what a server calls its tools cannot steer a terminal', async () => {
  const session = await record([], '1', [])
  const evil =
    '{"kind":"message","at":9,"from":"server","payload":{"jsonrpc":"2.0","id":99,"result":{"tools":[{"name":"\\u001b[31m\\u202ered"}]}}}'
  const asked = '{"kind":"message","at":8,"from":"client","payload":{"jsonrpc":"2.0","id":99,"method":"tools/list"}}'
  const { events } = await readSession(`{"tenonSession":1,"at":0}\n${asked}\n${evil}\n`)
  const text = formatDiff(
    diffSessions(
      { ...session, events: [...session.events, ...empty] },
      { ...session, events: [...session.events, ...events] },
    ),
  )
  expect(text).toContain('+ tool ␛[31m⟨U+202E⟩red')
})
const empty = (
  await readSession(`{"tenonSession":1,"at":0}
{"kind":"message","at":8,"from":"client","payload":{"jsonrpc":"2.0","id":98,"method":"tools/list"}}
{"kind":"message","at":9,"from":"server","payload":{"jsonrpc":"2.0","id":98,"result":{"tools":[]}}}
`)
).events

test('what is on pages that nobody read is neither new nor gone', async () => {
  const recorded = async (pages: number): Promise<Session> => {
    const sink = memorySink()
    const recording = recorder(sink)
    const client = await connect(createEverythingServer({ onError: () => {} }), { onMessage: recording.onMessage })
    let cursor: string | undefined
    for (let page = 0; page < pages; page++) {
      cursor = (await client.listResources(cursor === undefined ? {} : { cursor })).nextCursor
      if (cursor === undefined) break
    }
    if (pages === 1) expect(cursor).toBeTypeOf('string')
    await client.close()
    await recording.close()
    return readSession(sink.text)
  }
  const [first, all] = [await recorded(1), await recorded(Infinity)]
  expect(diffSessions(first, all).items).toEqual([])
  expect(diffSessions(all, first)).toMatchObject({ items: [], breaking: 0 })
})
