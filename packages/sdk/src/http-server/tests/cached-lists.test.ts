/** Lists are kept as bytes, which nobody may notice. */
import { afterEach, describe, expect, test } from 'vitest'
import { type Revision, revisions } from '../../model/revision.ts'
import { tool } from '../../server/features/tool.ts'
import { createServer, type Server } from '../../server/server.ts'
import { standsAlone } from '../../wire/over-http.ts'
import { adapters } from './adapters.suite.ts'
import { EventReader, type Served, SessionClient, statelessRequest } from './http.suite.ts'

const description = 'Grüße, 世界 🌍 \u2028 "quoted" \ud800 alone'
const names = ['first', 'second', 'third']
const make = (visible?: () => boolean) =>
  createServer({
    name: 'test',
    version: '1',
    tools: names.map((name) => tool({ name, description, ...(visible && { visible }), run: () => name })),
  })

type Ask = (id: number | string, accept?: string) => Promise<Response>

async function open(served: Served, revision: Revision): Promise<Ask> {
  const client = standsAlone(revision) ? undefined : await SessionClient.open(served, revision)
  return (id, accept = 'application/json') =>
    client === undefined
      ? served.fetch('/mcp', statelessRequest('tools/list', {}, { accept }, id))
      : client.post({ jsonrpc: '2.0', id, method: 'tools/list' }, { accept })
}

const bytesOf = async (response: Response): Promise<Buffer> => Buffer.from(await response.arrayBuffer())
const namesIn = async (response: Response): Promise<string[]> =>
  ((await response.json()) as { result: { tools: { name: string }[] } }).result.tools.map(({ name }) => name)

describe.each(adapters)('lists over %s', (_name, serve) => {
  const opened: Served[] = []
  const start = async (server: Server): Promise<Served> => {
    const served = await serve(server)
    opened.push(served)
    return served
  }
  afterEach(async () => {
    for (const served of opened.splice(0)) await served.close()
  })

  test.each(revisions)('are the bytes that a list for one caller has in %s', async (revision) => {
    const kept = await open(await start(make()), revision)
    const fresh = await open(await start(make(() => true)), revision)
    for (const id of [1, 2, 'ü"\\']) {
      const response = await kept(id)
      const bytes = await bytesOf(response)
      const length = response.headers.get('content-length')
      if (length !== null) expect(Number(length)).toBe(bytes.length)
      const text = bytes.toString()
      expect(text).toBe(JSON.stringify(JSON.parse(text)))
      expect(JSON.parse(text)).toEqual(JSON.parse((await bytesOf(await fresh(id))).toString()))
      expect(JSON.parse(text)).toMatchObject({ id, result: { tools: [{ description }, {}, {}] } })
    }
  })

  test.each(revisions)('are whole events in %s', async (revision) => {
    const ask = await open(await start(make()), revision)
    for (const id of [1, 2, 'ü"\\']) {
      const events = await new EventReader(await ask(id, 'text/event-stream')).rest()
      const [data, ...more] = events.flatMap((event) => (event.data ? [event.data] : []))
      expect(more).toEqual([])
      expect(JSON.parse(data!)).toEqual(await (await ask(id)).json())
    }
  })

  test('a revision gets its own', async () => {
    const served = await start(make())
    const seen = new Map<Revision, string>()
    for (const round of [1, 2]) {
      for (const revision of revisions) {
        const text = (await bytesOf(await (await open(served, revision))(1))).toString()
        if (round === 2) expect(text).toBe(seen.get(revision))
        seen.set(revision, text)
      }
    }
    expect(seen.get('2026-07-28')).toContain('resultType')
    expect(seen.get('2025-11-25')).not.toContain('resultType')
  })

  test('what changed is seen at once', async () => {
    const server = make()
    const served = await start(server)
    const asks = await Promise.all(revisions.map((revision) => open(served, revision)))
    const all = async () => new Set(await Promise.all(asks.map(async (ask) => (await namesIn(await ask(1))).join())))
    expect(await all()).toEqual(new Set(['first,second,third']))
    server.tools.remove('second')
    expect(await all()).toEqual(new Set(['first,third']))
    server.tools.add(tool({ name: 'fourth', run: () => '' }))
    expect(await all()).toEqual(new Set(['first,third,fourth']))
    let shown = false
    server.tools.add(tool({ name: 'shy', visible: () => shown, run: () => '' }))
    expect(await all()).toEqual(new Set(['first,third,fourth']))
    shown = true
    expect(await all()).toEqual(new Set(['first,third,fourth,shy']))
  })

  test('a batch gets them too', async () => {
    const served = await start(make())
    const client = await SessionClient.open(served, '2025-03-26')
    const batch = [1, 2].map((id) => ({ jsonrpc: '2.0', id, method: 'tools/list' }))
    const answers = (await (await client.post(batch, { accept: 'application/json' })).json()) as { id: number }[]
    expect(answers.map(({ id }) => id)).toEqual([1, 2])
    expect(answers[0]).toMatchObject({ result: { tools: [{ name: 'first' }, {}, {}] } })
  })

  test('an event that carried one can be asked for again', async () => {
    const served = await start(make())
    const client = await SessionClient.open(served, '2025-11-25')
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
    const events = await new EventReader(await client.post(list, { accept: 'text/event-stream' })).rest()
    const last = events.at(-1)!
    const before = last.id!.replace(/\.(\d+)$/, (_, number) => `.${number - 1}`)
    const again = await new EventReader(await client.get({ 'last-event-id': before })).rest()
    expect(again).toEqual([last])
    expect(JSON.parse(again[0]!.data!)).toMatchObject({ id: 1, result: { tools: [{ description }, {}, {}] } })
  })
})
