// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how saved calls write variables
/** The schemas that editors use say the same as the code that reads the files. */
import { readFileSync } from 'node:fs'
import { serveHttp } from '@tenon/sdk/node'
import { tool } from '@tenon/sdk/server'
import { createEverythingServer } from '@tenon/server-everything'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { loadCalls } from '../src/replay.ts'
import { tour } from './tour.ts'
import { recordVisit } from './visit.ts'

const read = (name: string) =>
  JSON.parse(readFileSync(new URL(`../schemas/${name}.schema.json`, import.meta.url), 'utf8'))

/** Whether a value fits a schema, as the library sees it. */
function checker({ $schema, ...schema }: { $schema: string }): (value: unknown) => Promise<boolean> {
  // As a part of another schema its references begin elsewhere.
  const inner = JSON.parse(JSON.stringify(schema).replaceAll('#/definitions/', '#/properties/value/definitions/'))
  const { input } = tool({
    name: 'check',
    input: { $schema, type: 'object', properties: { value: inner } },
    run: () => '',
  })
  return async (value) => (await input!.parse({ value })).ok
}

const fitsCalls = checker(read('calls'))
const fitsSession = checker(read('session'))

const accepted = (value: unknown): boolean => {
  try {
    loadCalls(JSON.stringify(value))
    return true
  } catch {
    return false
  }
}

test('a file with everything in it fits', async () => {
  expect(await fitsCalls(parse(tour))).toBe(true)
})

const call = (members: object) => ({ tenonCalls: 1, variables: { x: 1 }, calls: [members] })
const expecting = (members: object) => call({ tool: 'a', expect: members })

test.each([
  { tenonCalls: 1, calls: [] },
  { tenonCalls: 2, calls: [] },
  { tenonCalls: 1 },
  { tenonCalls: 1, calls: [], more: 1 },
  { tenonCalls: 1, calls: [], title: '' },
  { tenonCalls: 1, calls: [], revisions: [] },
  { tenonCalls: 1, calls: [], revisions: ['2025-06-18'] },
  { tenonCalls: 1, calls: [], revisions: ['2025-06-19'] },
  { tenonCalls: 1, calls: [], roots: ['file:///a', { uri: 'file:///b', name: 'b' }] },
  { tenonCalls: 1, calls: [], roots: [{ name: 'b' }] },
  {
    tenonCalls: 1,
    calls: [],
    servers: { a: 'https://example.com', b: { config: 'x' }, c: { command: 'x', env: { A: 1 } } },
  },
  { tenonCalls: 1, calls: [], servers: { a: { command: 'x', url: 'y' } } },
  { tenonCalls: 1, calls: [], servers: { a: {} } },
  { tenonCalls: 1, calls: [], servers: { a: { command: 'x', arg: [] } } },
  call({ tool: 'a' }),
  call({ tool: '' }),
  call({}),
  call({ tool: 'a', read: 'b' }),
  call({ tool: 'a', arguments: { b: '${x}' }, timeoutMs: 5, skip: true }),
  call({ tool: 'a', timeoutMs: 0 }),
  call({ tool: 'a', skip: 'why' }),
  call({ tool: 'a', capture: { b: 'text' } }),
  call({ tool: 'a', capture: { env: 'text' } }),
  call({ tool: 'a', capture: { b: '' } }),
  call({ list: 'tools' }),
  call({ list: 'tool' }),
  call({ complete: { prompt: 'a', argument: 'b' } }),
  call({ complete: { prompt: 'a', template: 'c', argument: 'b' } }),
  call({ complete: { prompt: 'a' } }),
  call({ request: { method: 'a', params: {} } }),
  call({ request: { params: {} } }),
  call({
    tool: 'a',
    answers: [{ elicit: 'decline' }, { elicit: { accept: { a: 1 } }, message: 'b' }, { sample: 'c' }],
  }),
  call({ tool: 'a', answers: [{ elicit: 'accept' }] }),
  call({ tool: 'a', answers: [{ elicit: 'decline', sample: 'c' }] }),
  call({ tool: 'a', answers: [{}] }),
  call({ tool: 'a', expectIn: { '2025-06-18': { text: 'a' } } }),
  call({ tool: 'a', expectIn: { '2025-06-19': { text: 'a' } } }),
  expecting({ text: 'a', count: 1, isError: true, schema: false, maxMs: 10, structured: { a: 1 }, result: 5 }),
  expecting({ error: true }),
  expecting({ error: 'timeout' }),
  expecting({ error: { code: 5, message: { contains: 'a' } } }),
  expecting({ error: [] }),
  expecting({ error: { cod: 5 } }),
  expecting({ text: { contains: 'a', not: { matches: 'b' }, length: { above: '${x}' } } }),
  expecting({ text: {} }),
  expecting({ text: { has: 'a' } }),
  expecting({ text: { startsWith: 5 } }),
  expecting({ count: { above: 'a' } }),
  expecting({ at: { 'a.b': 1, 'c[0]': { exists: true } } }),
  expecting({ at: { a: { exists: 'yes' } } }),
  expecting({ at: { a: { includes: 'yes' } } }),
  expecting({ maxMs: 0 }),
])('loader and schema agree on %j', async (value) => {
  expect(await fitsCalls(value)).toBe(accepted(value))
})

test('every line of a recording fits', async () => {
  await using http = await serveHttp(createEverythingServer({ onError: () => {} }), { port: 0 })
  const { text } = await recordVisit(http.url, { revisions: ['2025-11-25'] }, { title: 'a', by: 'b' })
  const lines = text.trim().split('\n')
  expect(lines.length).toBeGreaterThan(100)
  for (const line of lines) expect(await fitsSession(JSON.parse(line)), line).toBe(true)
  for (const wrong of [
    { tenonSession: 2, at: 1 },
    { at: 1 },
    { kind: 'note', at: 1 },
    { kind: 'message', at: 1, from: 'me', payload: {} },
  ]) {
    expect(await fitsSession(wrong)).toBe(false)
  }
  expect(await fitsSession({ kind: 'telepathy', at: 1 })).toBe(true)
})

test('the schemas can be imported by those who install the package', () => {
  expect(import.meta.resolve('@tenon/replay/schemas/calls.schema.json')).toMatch(/schemas\/calls\.schema\.json$/)
})
