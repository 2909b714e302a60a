import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { serveHttp } from '@tenon/sdk/node'
import { createServer, prompt, resource, revisions, type Server, tool } from '@tenon/sdk/server'
import { expect, test } from 'vitest'
import type { Operation, ServerSpec, TimelineEntry } from '../src/protocol.ts'
import { splitWords } from '../ui/servers/words.ts'
import { connected, taskRevisions, taskThat } from './tasks.suite.ts'
import { TestBench } from './workbench-in-test.suite.ts'

const place = {
  type: 'object',
  properties: { region: { type: 'string', 'x-mcp-header': 'Region' }, count: { type: 'integer' } },
} as const

/** The URI cannot stand in a header as it is, and the region travels in a header of its own. */
const createShop = (): Server =>
  createServer({
    name: 'shop',
    version: '1.0.0',
    tools: [
      tool({ name: 'weigh', input: place, run: ({ region }) => `from ${region}` }),
      tool({ name: 'dig', task: { pollIntervalMs: 50, ttlMs: 60_000 }, run: () => 'a hole' }),
    ],
    resources: [resource({ uri: 'note:///Übersicht', name: 'one', read: () => 'the note' })],
    prompts: [prompt({ name: 'ask', run: () => 'Why?' })],
  })

const calls: readonly Operation[] = [
  { method: 'tools/call', name: 'weigh', arguments: { region: 'Ünterland' } },
  { method: 'resources/read', uri: 'note:///Übersicht' },
  { method: 'prompts/get', name: 'ask', arguments: {} },
]

async function call(bench: TestBench, server: string, operation: Operation): Promise<void> {
  const { call: id } = await bench.run('call.start', { server, operation })
  const outcome = await bench.until((event) => {
    const known = event.type === 'snapshot' ? event.snapshot.calls : event.type === 'call' ? [event.call] : []
    return known.find((one) => one.id === id)?.outcome
  })
  expect(outcome).toMatchObject({ kind: 'result' })
}

/** The newest request of a method, as the page gets it. */
async function newest(bench: TestBench, method: string): Promise<TimelineEntry> {
  const query = `method:${method} kind:request`
  const { rows } = await bench.run('timeline.query', { query, offset: 0, count: 500 })
  expect(rows, method).not.toEqual([])
  return bench.run('timeline.get', { id: rows.at(-1)!.id })
}

/** Sends the copied line: its address, headers and body, and nothing else. */
async function post(line: string): Promise<{ status: number; answer: unknown }> {
  const words = splitWords(line.replaceAll('\\\n', ' '))!
  expect(words.slice(0, 2)).toEqual(['curl', '-N'])
  const after = (option: string): string[] => words.filter((_, at) => words[at - 1] === option)
  const headers = after('-H').map((header) => header.split(/: (.*)/s).slice(0, 2) as [string, string])
  const reply = await fetch(words[2]!, { method: 'POST', headers, body: after('-d')[0]! })
  const text = await reply.text()
  const [json] = text.match(/\{.*"jsonrpc".*\}/) ?? [text]
  return { status: reply.status, answer: JSON.parse(json) }
}

async function worksCopied(bench: TestBench, method: string): Promise<void> {
  const { copyAs } = await newest(bench, method)
  expect
    .soft(await post(copyAs!.curl!), `${method}:\n${copyAs!.curl}`)
    .toMatchObject({ status: 200, answer: { result: {} } })
}

test.each(revisions)('a request of %s that is copied as curl is answered with a result', async (revision) => {
  await using http = await serveHttp(createShop(), { port: 0 })
  const spec: ServerSpec = { kind: 'url', name: 'shop', url: http.url, revision }
  await using bench = await TestBench.open({ servers: [spec] })
  const server = await connected(bench)
  for (const operation of calls) {
    await call(bench, server.id, operation)
    await worksCopied(bench, operation.method)
  }
})

test('requests that are copied as TypeScript are programs that make them', async () => {
  await using http = await serveHttp(createShop(), { port: 0 })
  const headers = { 'X-Team': 'secret' }
  await using bench = await TestBench.open({ servers: [{ kind: 'url', name: 'shop', url: http.url, headers }] })
  const server = await connected(bench)
  const programs: string[] = []
  for (const operation of calls) {
    await call(bench, server.id, operation)
    const { copyAs } = await newest(bench, operation.method)
    expect(copyAs!.typescript).not.toContain('secret')
    programs.push(copyAs!.typescript!)
  }
  // One after the other in one process: a block each, and the import once.
  const [head] = programs[0]!.split('\n')
  const blocks = programs.map((text) => `{${text.replace(head!, '')}}`)
  const cwd = fileURLToPath(new URL('..', import.meta.url))
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '-e', [head, ...blocks].join('\n')],
    { cwd },
  )
  for (const part of ['from Ünterland', 'the note', 'Why?']) expect(stdout).toContain(part)
})

test.each(taskRevisions)('a copied tasks/get of %s is answered with the task', async (revision) => {
  await using http = await serveHttp(createShop(), { port: 0 })
  const spec: ServerSpec = { kind: 'url', name: 'shop', url: http.url, revision }
  await using bench = await TestBench.open({ servers: [spec] })
  const server = await connected(bench)
  const operation = { method: 'tools/call' as const, name: 'dig', arguments: {}, task: true }
  await bench.run('call.start', { server: server.id, operation })
  const { task } = await taskThat(bench, (view) => view.task.status === 'completed')
  await call(bench, server.id, { method: 'request', name: 'tasks/get', params: { taskId: task.taskId } })
  await worksCopied(bench, 'tasks/get')
})
