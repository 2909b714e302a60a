import { appMimeType } from '@tenon/sdk/apps'
import { appsCapability, appUriOf } from '@tenon/sdk/apps/host'
import { connect, revisions } from '@tenon/sdk/client'
import { createSequentialThinkingServer } from '@tenon/server-sequential-thinking'
import { expect, test } from 'vitest'
import { requires } from '../../../scripts/requires.ts'
import { browserTimeoutMs, seeView } from '../../kit/test/view-in-browser.ts'
import { ours, read, start, think, thought } from './helpers.ts'

const quiet = { disableThoughtLogging: true }

test.each(revisions)('in %s the process keeps thoughts, and they can be read again', async (revision) => {
  const client = await start(ours('--disable-thought-logging'), revision)
  const call = async (args: object): Promise<unknown> =>
    JSON.parse((await client.callTool('sequentialthinking', { ...args })).text)
  expect(await call(thought('first'))).toMatchObject({ thoughtNumber: 1, totalThoughts: 3, thoughtHistoryLength: 1 })
  expect(await call(thought('second', 5))).toMatchObject({
    thoughtNumber: 5,
    totalThoughts: 5,
    thoughtHistoryLength: 2,
  })
  const { text } = await client.callTool('read_thoughts')
  expect(JSON.parse(text)).toMatchObject({
    total: 2,
    thoughts: [{ thought: 'first' }, { thought: 'second', parent: 0 }],
  })
})

test('branches form a tree, as text, as a resource and as a view', async () => {
  await using client = await connect(createSequentialThinkingServer(quiet), {
    revisions: ['2025-11-25'],
    capabilities: appsCapability,
  })
  const { chain } = await think(client, 'root')
  await think(client, 'main 2', 2)
  await think(client, 'a 2', 2, { branchFromThought: 1, branchId: 'a' })
  await think(client, 'a 3', 3, { branchFromThought: 1, branchId: 'a' })
  await think(client, 'b 4', 4, { branchFromThought: 3, branchId: 'b\u001b[2J' })
  const { branches } = await think(client, 'again\nmain 2', 3, { isRevision: true, revisesThought: 2 })
  expect(branches).toEqual(['a', 'b\u001b[2J'])
  const { thoughts } = await read(client)
  expect(thoughts.map(({ parent }) => parent)).toEqual([undefined, 0, 0, 2, 3, 1])
  const { contents } = await client.readResource(`thoughts://chain/${chain}/tree`)
  expect((contents[0] as { text: string }).text).toBe(
    [
      '- 1/3: root',
      '  - 2/3, branch a: a 2',
      '  - 3/3, branch a: a 3',
      '  - 4/4, branch b␛[2J: b 4',
      '- 2/3: main 2',
      '- 3/3, revises 2: again main 2',
    ].join('\n'),
  )
  expect((await read(client, { branchId: 'a' })).thoughts.map(({ thought }) => thought)).toEqual(['a 2', 'a 3'])
  expect(await client.callTool('read_thoughts', { branchId: 'c' })).toMatchObject({ isError: true })
  const shown = await client.callTool('show_thoughts')
  expect(shown.text).toContain('The user sees the 6 thoughts')
  expect(shown.structured).toMatchObject({ total: 6, chain })
  const { tools } = await client.listTools()
  const uri = appUriOf(tools.find(({ name }) => name === 'show_thoughts')!)
  const view = await client.readResource(uri!)
  expect(view.contents).toMatchObject([{ mimeType: appMimeType, text: expect.stringContaining('ui/initialize') }])
})

test('a browser shows the tree, and thoughts stay text', {
  ...requires('chromium'),
  timeout: browserTimeoutMs,
}, async () => {
  await using client = await connect(createSequentialThinkingServer(quiet), {
    revisions: ['2025-11-25'],
    capabilities: appsCapability,
  })
  await think(client, 'root <img src=x onerror=alert(1)>')
  await think(client, 'aside', 2, { branchFromThought: 1, branchId: '<b>a</b>' })
  await think(client, 'again', 3, { isRevision: true, revisesThought: 1 })
  const { structured } = await client.callTool('show_thoughts')
  const [view] = (await client.readResource('ui://sequential-thinking/tree')).contents
  const items = `{
    images: page.images.length,
    thoughts: [...page.querySelectorAll('li')].map((item) => [item.textContent, item.className, item.style.marginInlineStart]),
    state: page.getElementById('state').textContent,
  }`
  expect(await seeView((view as { text: string }).text, [{}, structured], items)).toMatchObject([
    { thoughts: [], state: '0 of 0 thoughts' },
    {
      images: 0,
      thoughts: [
        ['1/3root <img src=x onerror=alert(1)>', '', '0rem'],
        ['2/3, branch <b>a</b>aside', 'branch', '1.5rem'],
        ['3/3, revises 1again', 'revision', '0rem'],
      ],
      state: '3 of 3 thoughts',
      scheme: 'dark',
      ink: 'rgb(1, 2, 3)',
    },
  ])
})

test('a chain is a resource whose watchers hear of each thought', async () => {
  await using client = await connect(createSequentialThinkingServer(quiet), { revisions: ['2025-11-25'] })
  const { chain } = await think(client, 'first')
  const { resources } = await client.listResources()
  expect(resources.map(({ uri }) => uri)).toContain(`thoughts://chain/${chain}`)
  let notify!: (uri: string) => void
  const heard = new Promise<string>((resolve) => {
    notify = resolve
  })
  await using _watch = await client.watch(`thoughts://chain/${chain}`, ({ uri }) => notify(uri))
  await think(client, 'second', 2)
  expect(await heard).toBe(`thoughts://chain/${chain}`)
})

test('"new" begins another chain, an id continues one, and forgetting ends one', async () => {
  await using client = await connect(createSequentialThinkingServer(quiet), { revisions: ['2025-11-25'] })
  const first = await think(client, 'first')
  const second = await think(client, 'second', 1, { chain: 'new' })
  expect(second.chain).not.toBe(first.chain)
  expect(await think(client, 'third', 2)).toMatchObject({ chain: second.chain, thoughtHistoryLength: 2 })
  expect(await think(client, 'fourth', 2, { chain: first.chain })).toMatchObject({ thoughtHistoryLength: 2 })
  expect((await client.callTool('forget_thoughts', { chain: first.chain })).structured).toEqual({ forgotten: true })
  expect((await client.callTool('forget_thoughts', { chain: first.chain })).structured).toEqual({ forgotten: false })
  await expect(think(client, 'fifth', 3, { chain: first.chain })).rejects.toThrow('"chain": "new"')
})

test('long chains come in pages', async () => {
  await using client = await connect(createSequentialThinkingServer(quiet), { revisions: ['2025-11-25'] })
  for (let index = 1; index <= 25; index++) await think(client, `${index} ${'x'.repeat(40_000)}`, index)
  const places: number[] = []
  for (let from: number | undefined = 0; from !== undefined; ) {
    const page = await read(client, { from })
    places.push(...page.thoughts.map(({ place }) => place))
    expect(page.thoughts.length).toBeLessThan(12)
    from = page.next
  }
  expect(places).toEqual(Array.from({ length: 25 }, (_, index) => index))
})

test('a full chain is refused with what to do: by thoughts, and by bytes', async () => {
  await using client = await connect(
    createSequentialThinkingServer({ ...quiet, maxThoughts: 2, maxChainSize: 50_000 }),
    { revisions: ['2025-11-25'] },
  )
  await think(client, 'one')
  await think(client, 'two', 2)
  await expect(think(client, 'three', 3)).rejects.toThrow('begin another one with "chain": "new"')
  await expect(think(client, 'é'.repeat(25_000), 1, { chain: 'new' })).rejects.toThrow('The chain is full')
  await expect(think(client, 'x'.repeat(50_001), 1, { chain: 'new' })).rejects.toThrow('thought')
  expect((await read(client)).total).toBe(2)
})

test('the longest unused chains are forgotten: by number, and by the bytes of all', async () => {
  const server = createSequentialThinkingServer({ ...quiet, maxChains: 3, maxTotalSize: 100_000 })
  await using client = await connect(server, { revisions: ['2025-11-25'] })
  const ids: string[] = []
  for (let index = 0; index < 4; index++) ids.push((await think(client, 'x', 1, { chain: 'new' })).chain)
  await expect(read(client, { chain: ids[0] })).rejects.toThrow('There is no chain')
  expect((await read(client, { chain: ids[1] })).total).toBe(1)
  for (let index = 0; index < 3; index++) await think(client, 'x'.repeat(45_000), index + 1, { chain: ids[3] })
  await expect(read(client, { chain: ids[1] })).rejects.toThrow('There is no chain')
})

test('annotations say that a thought is kept, and each time again', async () => {
  await using client = await connect(createSequentialThinkingServer(quiet), { revisions: ['2025-11-25'] })
  const { tools } = await client.listTools()
  const hints = new Map(tools.map(({ name, annotations }) => [name, annotations]))
  expect(hints.get('sequentialthinking')).toMatchObject({
    readOnlyHint: false,
    idempotentHint: false,
    destructiveHint: false,
  })
  expect(hints.get('read_thoughts')).toMatchObject({ readOnlyHint: true })
  expect(hints.get('forget_thoughts')).toMatchObject({ destructiveHint: true })
})
