// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how saved calls write variables
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ConnectOptions, connect, revisions, type Target } from '@tenon/sdk/client'
import { serveHttp } from '@tenon/sdk/node'
import { createServer, tool } from '@tenon/sdk/server'
import { createEverythingServer } from '@tenon/server-everything'
import { afterAll, describe, expect, test } from 'vitest'
import {
  type CallsFile,
  junitXml,
  loadCalls,
  loadCallsFile,
  type RunEvent,
  type RunOptions,
  type RunResult,
  runCalls,
  tapText,
} from '../src/replay.ts'
import { everything, tour } from './tour.ts'

const folder = await mkdtemp(join(tmpdir(), 'tenon-calls-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

const to =
  (target: Target): NonNullable<RunOptions['connect']> =>
  (_, options: ConnectOptions) =>
    connect(target, options)
const run = (text: string, options: RunOptions = {}): Promise<RunResult> =>
  runCalls(loadCalls(text), { connect: to(createEverythingServer()), ...options })

const problemsOf = ({ calls }: RunResult): string[] =>
  calls.flatMap(({ name, failures }) => failures.map(({ path, message }) => `${name}: ${path}: ${message}`))

describe.each([
  ['stdio', undefined],
  ['memory', to(createEverythingServer())],
])('over %s', (_, opener) => {
  test.each(revisions)('every kind of call is made, and held against what is expected, in %s', async (revision) => {
    const result = await runCalls(loadCalls(tour), { revisions: [revision], ...(opener && { connect: opener }) })
    expect(problemsOf(result)).toEqual([])
    expect(result.calls.map(({ revision: spoken }) => spoken)).toContain(revision)
    const skipped = revision < '2025-06-18' ? 2 : 1
    expect(result).toMatchObject({ failed: 0, skipped, passed: 16 - skipped })
  })
})

test('over HTTP, with headers from the environment', async () => {
  await using http = await serveHttp(createEverythingServer(), { port: 0 })
  const file = loadCalls(`
tenonCalls: 1
servers:
  remote: { url: '${http.url}', headers: { X-Key: '\${env.KEY}' } }
calls:
  - tool: add
    arguments: { a: 1, b: 1 }
    expect: { structured: { sum: 2 } }
`)
  expect(await runCalls(file, { env: { KEY: 'k' } })).toMatchObject({ passed: 1, failed: 0 })
  const [call] = (await runCalls(file, { env: {} })).calls
  expect(call).toMatchObject({ status: 'skipped', warnings: ['${env.KEY} has no value'] })
})

test('what is not as expected is told with its path and its place', async () => {
  const text = `tenonCalls: 1
calls:
  - tool: add
    arguments: { a: 1, b: 2 }
    expect:
      text: four
      count: { above: 3 }
      structured:
        sum: 4
      at:
        content[0].type: { matches: ^image }
        nothing.there: { exists: true }
  - tool: add
    expect: { text: anything }
  - tool: divide
    arguments: { dividend: 1, divisor: 0 }
  - tool: echo
    arguments: { message: hello }
    expect:
      error: -32602
  - read: guide:///nothing
  - tool: constructor
    expect: { error: { code: 5, message: { contains: shoe } } }
  - tool: add
    arguments: { a: 1, b: 2 }
    expect: { structuredEquals: { sum: 3, more: 1 }, isError: true }
`
  const { calls, failed } = await run(text)
  expect(failed).toBe(7)
  expect(
    calls[0]!.failures.map(({ path, message, place }) => `${place?.line}:${place?.column} ${path}: ${message}`),
  ).toEqual([
    '6:7 text: expected "four", got "{\\"sum\\":3}"',
    '7:7 count: expected above 3, got 1',
    '11:9 content[0].type: expected matches "^image", got "text"',
    '12:9 nothing.there: expected exists true, got nothing',
    '8:7 structured.sum: expected 4, got 3',
  ])
  expect(calls.slice(1).map(({ failures }) => failures.map(({ message }) => message))).toEqual([
    [expect.stringContaining('the tool failed: Invalid arguments for tool add')],
    [expect.stringContaining('the tool failed: ')],
    ['expected an error, got a result'],
    [expect.stringContaining('failed with -32')],
    [
      'expected 5, got -32602: Unknown tool: "constructor"',
      'expected contains "shoe", got "Unknown tool: \\"constructor\\""',
    ],
    ['expected true, got false', 'expected 1, got nothing'],
  ])
})

test('a call that needs what a failed one should have captured is skipped', async () => {
  const { calls } = await run(`
tenonCalls: 1
calls:
  - tool: constructor
    capture: { id: structured.id }
  - tool: add
    arguments: { a: 1, b: 2 }
    capture: { id: structured.id }
  - tool: echo
    arguments: { message: "\${id}" }
`)
  expect(calls.map(({ status }) => status)).toEqual(['failed', 'failed', 'skipped'])
  expect(calls[1]!.failures).toMatchObject([{ path: 'capture.id', message: 'there is nothing at this path' }])
  expect(calls[2]!.warnings).toEqual(['${id} has no value'])
})

test('questions without an answer, and answers without a question, are failures', async () => {
  const { calls } = await run(
    `
tenonCalls: 1
calls:
  - tool: plan_trip
    arguments: { destination: Rome }
    expect: { isError: true }
  - tool: add
    arguments: { a: 1, b: 2 }
    answers: [ { elicit: decline }, { sample: hello } ]
  - tool: plan_trip
    arguments: { destination: Rome }
    answers: [ { elicit: cancel, message: Where to? } ]
    expect: { isError: true, text: The user closed the form }
`,
    { revisions: ['2025-11-25'] },
  )
  expect(calls.map(({ failures }) => failures.map(({ message }) => message))).toEqual([
    ['the server asked "Tell me about your trip to Rome", and the call has no answer'],
    ['the server did not ask for input', 'the server did not ask for a message'],
    ['the server asked "Tell me about your trip to Rome", expected "Where to?"'],
  ])
})

test('content that does not fit its schema fails a call that says so, and is a warning otherwise', async () => {
  const output = { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] }
  const honest = createServer({
    name: 'a',
    version: '1',
    tools: [tool({ name: 'sum', output, run: () => ({ sum: 1 }) })],
  })
  // A server that gets its own output wrong, as others do: the library would not let it.
  const lying: Target = {
    connect: (channel) =>
      honest.connect({
        ...channel,
        open: (receiver) => channel.open(receiver),
        close: () => channel.close(),
        send: (payload) => channel.send(JSON.parse(JSON.stringify(payload).replace('{"sum":1}', '{"sum":"one"}'))),
      }),
  }
  const calls = (schema: string) => `tenonCalls: 1\ncalls: [ { list: tools }, { tool: sum, expect: { ${schema} } } ]`
  const strict = await run(calls('schema: true'), { connect: to(lying) })
  expect(problemsOf(strict)).toEqual([
    expect.stringMatching(/^tool sum: schema: Tool "sum" returned structured content that does not fit/),
  ])
  const loose = await run(calls('count: 1'), { connect: to(lying) })
  expect(loose).toMatchObject({ failed: 0, calls: [{}, { warnings: [expect.stringContaining('does not fit')] }] })
  expect(await run(calls('schema: true'), { connect: to(honest) })).toMatchObject({ failed: 0 })
})

test('slowness is a warning, and an answer that never comes a failure', async () => {
  const { calls } = await run(`
tenonCalls: 1
calls:
  - tool: count_down
    arguments: { from: 1, intervalMs: 30 }
    expect: { maxMs: 1, text: Lift-off }
  - tool: count_down
    arguments: { from: 1, intervalMs: 5000 }
    timeoutMs: 50
  - tool: count_down
    arguments: { from: 1, intervalMs: 5000 }
    timeoutMs: 50
    expect: { error: timeout }
`)
  expect(calls.map(({ status }) => status)).toEqual(['passed', 'failed', 'passed'])
  expect(calls[0]!.warnings).toEqual([expect.stringMatching(/^took \d+ ms, more than 1 ms$/)])
})

const three = `
tenonCalls: 1
revisions: [ '2025-06-18', '2026-07-28' ]
calls:
  - { name: first, tool: add, arguments: { a: 1, b: 2 }, expectIn: { '2026-07-28': { structured: { sum: 4 } } } }
  - { name: second, tool: echo, arguments: { message: hi } }
`

test('calls are made in each revision, chosen, told as they go, and stopped', async () => {
  const events: RunEvent[] = []
  const all = await run(three, { onEvent: (event) => events.push(event) })
  expect(all.calls.map(({ name, revision, status }) => `${name} ${revision} ${status}`)).toEqual([
    'first 2025-06-18 passed',
    'second 2025-06-18 passed',
    'first 2026-07-28 failed',
    'second 2026-07-28 passed',
  ])
  expect(events.map(({ kind }) => kind)).toEqual([
    ...['started', 'connected', 'finished', 'started', 'finished'],
    ...['started', 'connected', 'finished', 'started', 'finished'],
  ])
  expect((await run(three, { bail: true })).calls).toHaveLength(3)
  expect((await run(three, { filter: ({ name }) => name === 'second' })).calls).toHaveLength(2)
  expect((await run(three, { revisions: ['2024-11-05'] })).calls).toMatchObject([
    { revision: '2024-11-05', status: 'passed' },
    { revision: '2024-11-05' },
  ])
  expect((await run(three, { signal: AbortSignal.abort() })).calls).toEqual([])
})

test('a server that cannot be reached fails the calls that need it, and no other', async () => {
  const file = loadCalls(`
tenonCalls: 1
servers:
  gone: { command: /nowhere/to/be/found }
  named: some-config
  everything: { command: ${JSON.stringify(process.execPath)}, args: [ ${JSON.stringify(everything)} ] }
calls:
  - { tool: add, server: gone }
  - { tool: add, server: named }
  - { tool: echo, arguments: { message: hi }, server: everything }
`)
  const { calls } = await runCalls(file)
  expect(calls.map(({ status }) => status)).toEqual(['failed', 'failed', 'passed'])
  expect(calls[0]!.failures[0]!.message).toContain('/nowhere/to/be/found')
  expect(calls[1]!.failures[0]!.message).toContain('"some-config" is a name of a configuration')
  expect(calls[0]!.failures[0]!.place).toEqual({ line: 8, column: 5 })
})

describe('reports', () => {
  const text = `
tenonCalls: 1
title: '"Quoted" & <angled>'
calls:
  - { name: 'fine # really', tool: echo, arguments: { message: "a" } }
  - { name: wrong, tool: echo, arguments: { message: "\\u001b[31m<b>\\ud800&\\u0000" }, expect: { text: b } }
  - { name: later, tool: add, skip: not yet }
`
  test('as JUnit XML', async () => {
    const xml = junitXml([await run(text, { revisions: ['2025-11-25'] })])
    expect(xml.replaceAll(/time="[\d.]+"/g, 'time=""')).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites tests="3" failures="1">
  <testsuite name="&#34;Quoted&#34; &#38; &#60;angled&#62;" tests="3" failures="1" skipped="1" time="">
    <testcase classname="calls.yaml default 2025-11-25" name="fine # really" time=""></testcase>
    <testcase classname="calls.yaml default 2025-11-25" name="wrong" time="" file="calls.yaml" line="6"><failure message="text: expected &#34;b&#34;, got &#34;\\u001b[31m&#60;b&#62;\\ud800&#38;\\u0000&#34;">text: expected &#34;b&#34;, got &#34;\\u001b[31m&#60;b&#62;\\ud800&#38;\\u0000&#34;</failure></testcase>
    <testcase classname="calls.yaml default 2025-11-25" name="later" time=""><skipped message="not yet"/></testcase>
  </testsuite>
</testsuites>
`)
  })

  test('as TAP', async () => {
    expect(tapText([await run(text, { revisions: ['2025-11-25'] })])).toBe(`TAP version 14
1..3
ok 1 - fine \\# really (2025-11-25)
not ok 2 - wrong (2025-11-25)
  ---
  failures:
    - "text: expected \\"b\\", got \\"\\\\u001b[31m<b>\\\\ud800&\\\\u0000\\" (calls.yaml:6:96)"
  ...
ok 3 - later (2025-11-25) # SKIP not yet
`)
  })

  test('with characters that XML cannot hold', () => {
    const result: RunResult = {
      file: 'a\u0001\ud800.yaml',
      title: undefined,
      passed: 0,
      failed: 0,
      skipped: 0,
      durationMs: 1,
      calls: [],
    }
    expect(junitXml([result])).toContain('name="a\ufffd\ufffd.yaml"')
  })
})

test('a file is read from disk, JSON too', async () => {
  const path = join(folder, 'calls.json')
  await writeFile(path, JSON.stringify({ tenonCalls: 1, calls: [{ tool: 'echo', arguments: { message: 'a' } }] }))
  const file: CallsFile = await loadCallsFile(path)
  expect(file).toMatchObject({ path, calls: [{ name: 'tool echo', server: 'default' }] })
  await expect(loadCallsFile(join(folder, 'nothing.yaml'))).rejects.toMatchObject({ code: 'ENOENT' })
})
