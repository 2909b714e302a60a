import { inflateSync } from 'node:zlib'
import { type Client, connect, type LogMessage, type Progress, revisions } from '@tenon/sdk/client'
import { createEverythingServer } from '@tenon/server-everything'
import { describe, expect, test } from 'vitest'
import { collect } from './helpers.ts'

const latest = { revisions: ['2025-11-25'] } as const

const bytesOf = (block: unknown): Buffer => Buffer.from((block as { data: string }).data, 'base64')

describe.each(revisions)('in revision %s', (revision) => {
  test('every tool is listed with a title or name, a description and an object schema', async () => {
    await using client = await connect(createEverythingServer(), { revisions: [revision] })
    const tools = await collect(client.tools())
    expect(tools.length).toBeGreaterThan(20)
    for (const tool of tools) {
      expect(tool).toMatchObject({ description: expect.any(String), inputSchema: { type: 'object' } })
    }
  })

  test('a sum comes back as text, and as data where the revision has it', async () => {
    await using client = await connect(createEverythingServer(), { revisions: [revision] })
    const result = await client.callTool('add', { a: 19, b: 23 })
    expect(JSON.parse(result.text)).toEqual({ sum: 42 })
    expect(result.structured).toEqual(revision < '2025-06-18' ? undefined : { sum: 42 })
  })
})

test('the server introduces itself with title, icons and instructions', async () => {
  await using client = await connect(createEverythingServer(), latest)
  expect(client.server.info).toMatchObject({
    name: 'everything',
    title: 'Everything',
    websiteUrl: 'https://modelcontextprotocol.io',
    icons: [{ mimeType: 'image/png' }],
  })
  expect(client.server.instructions).toContain('guide:///welcome')
})

test('tools carry titles, annotations, icons and _meta', async () => {
  await using client = await connect(createEverythingServer(), latest)
  const echo = (await collect(client.tools())).find(({ name }) => name === 'echo')
  expect(echo).toMatchObject({
    title: 'Echo',
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    icons: [{ sizes: ['16x16'] }],
    _meta: { 'dev.tenon/category': 'text' },
  })
})

test('text statistics count what a reader would count', async () => {
  await using client = await connect(createEverythingServer(), latest)
  const { structured } = await client.callTool('text_statistics', { text: 'Hi 👩‍👩‍👧!\nHow are you?' })
  expect(structured).toEqual({ characters: 18, words: 4, sentences: 2, lines: 2, longestWord: 'How' })
})

test.each([
  [5, 'km', 'mi', 3.1068559612],
  [100, 'C', 'F', 212],
  [32, 'F', 'C', 0],
  [1, 'lb', 'g', 453.59237],
])('%d %s in %s is %d', async (value, from, to, expected) => {
  await using client = await connect(createEverythingServer(), latest)
  const { structured } = await client.callTool('convert_units', { value, from, to })
  expect(structured).toEqual({ value: expected, unit: to })
})

test('a chart is a PNG image with one bar per value', async () => {
  await using client = await connect(createEverythingServer(), latest)
  const { content } = await client.callTool('draw_chart', { values: [3, 1, 2], color: 'red' })
  expect(content[0]).toMatchObject({ type: 'image', mimeType: 'image/png', annotations: { audience: ['user'] } })
  const png = bytesOf(content[0])
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)]
  expect([width, height]).toEqual([2 * 12 + 3 * 24 + 2 * 8, 160])
  const data = inflateSync(png.subarray(png.indexOf('IDAT') + 4, png.indexOf('IEND') - 8))
  const isRed = (x: number, y: number): boolean => {
    const at = y * (width * 3 + 1) + 1 + x * 3
    return data[at] === 255 && data[at + 1] === 0
  }
  const top = 14
  expect([24, 56, 88].map((x) => isRed(x, top))).toEqual([true, false, false])
  expect([24, 56, 88].map((x) => isRed(x, 140))).toEqual([true, true, true])
})

test('a tone is WAV audio of the right length', async () => {
  await using client = await connect(createEverythingServer(), latest)
  const { content } = await client.callTool('play_tone', { hertz: 440, seconds: 0.25 })
  expect(content).toMatchObject([{ type: 'audio', mimeType: 'audio/wav' }])
  const wav = bytesOf(content[0])
  expect(wav.toString('latin1', 0, 4)).toBe('RIFF')
  expect(wav.readUInt32LE(40)).toBe(0.25 * 8000 * 2)
  expect(wav.length).toBe(44 + wav.readUInt32LE(40))
})

test('counting primes reports growing progress and writes a log', async () => {
  const logs: LogMessage[] = []
  const progress: Progress[] = []
  await using client = await connect(createEverythingServer(), { ...latest, onLog: (message) => logs.push(message) })
  const { structured } = await client.callTool(
    'count_primes',
    { below: 100_000 },
    { onProgress: (step) => progress.push(step) },
  )
  expect(structured).toEqual({ primes: 9592 })
  expect(progress.map((step) => step.progress)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
  expect(progress.at(-1)).toEqual({ progress: 20, total: 20, message: '9592 primes found' })
  expect(logs.map(({ logger, data }) => [logger, (data as { event: string }).event])).toEqual([
    ['primes', 'started'],
    ['primes', 'finished'],
  ])
})

test('the timing middleware logs at debug level only, and stamps results if asked to', async () => {
  const logs: LogMessage[] = []
  await using client = await connect(createEverythingServer(), { ...latest, onLog: (message) => logs.push(message) })
  expect((await client.callTool('echo', { message: 'hi' })).meta).toBeUndefined()
  const asked = { meta: { 'dev.tenon/timing': true } }
  const { meta } = await client.callTool('echo', { message: 'hi' }, asked)
  expect(meta).toEqual({ 'dev.tenon/elapsedMs': expect.any(Number) })
  expect(logs).toEqual([])
  await client.setLoggingLevel('debug')
  await client.callTool('echo', { message: 'hi' })
  expect(logs).toMatchObject([{ level: 'debug', logger: 'timing', data: { tool: 'echo' } }])
})

test('a cancelled countdown stops, and the connection goes on', async () => {
  await using client = await connect(createEverythingServer(), latest)
  const stop = new AbortController()
  const call = client.callTool(
    'count_down',
    { from: 100, intervalMs: 5_000 },
    { signal: stop.signal, onProgress: () => stop.abort() },
  )
  await expect(call).rejects.toMatchObject({ code: 'cancelled' })
  await expect(client.callTool('echo', { message: 'still here' })).resolves.toMatchObject({ text: 'still here' })
})

test('an error for the model is shown, an exception is masked and reported', async () => {
  const reported: unknown[] = []
  const server = createEverythingServer({ onError: (error, { id }) => reported.push([id, (error as Error).message]) })
  await using client = await connect(server, latest)
  expect(await client.callTool('divide', { dividend: 1, divisor: 0 })).toMatchObject({
    isError: true,
    text: 'The divisor is 0: give another one',
  })
  const crashed = await client.callTool('crash')
  expect(crashed).toMatchObject({ isError: true, text: expect.stringMatching(/^Internal error \(id \w+\)$/) })
  expect(reported).toEqual([[/id (\w+)/.exec(crashed.text)![1], 'This sentence is for the operator']])
})

test('the extras come and go for every client, and each list says so', async () => {
  const server = createEverythingServer()
  await using first = await connect(server, latest)
  await using second = await connect(server, latest)
  const heard = (['tools', 'resources', 'prompts'] as const).map((kind) => nextChange(second, kind))
  await first.callTool('toggle_extras', { enabled: true })
  await Promise.all(heard)
  expect((await second.callTool('roll_dice', { count: 3 })).structured).toMatchObject({ rolls: { length: 3 } })
  expect((await second.readResource('guide:///dice')).contents).toHaveLength(1)
  expect((await second.getPrompt('play_dice')).messages).toHaveLength(1)
  expect((await first.callTool('toggle_extras', { enabled: true })).text).toContain('already')
  await first.callTool('toggle_extras', { enabled: false })
  await expect(second.callTool('roll_dice')).rejects.toMatchObject({ code: -32602 })
})

const nextChange = (client: Client, kind: Parameters<Client['onChange']>[0]): Promise<void> =>
  new Promise((resolve) => client.onChange(kind, resolve))

test('the clock is mounted with a prefix', async () => {
  await using client = await connect(createEverythingServer(), latest)
  const { structured } = await client.callTool('clock_days_between', { from: '2024-02-28', to: '2024-03-01' })
  expect(structured).toEqual({ days: 2 })
  expect((await client.readResource('clock:///now')).contents).toMatchObject([{ mimeType: 'text/plain' }])
})
