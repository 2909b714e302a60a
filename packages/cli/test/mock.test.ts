/** `tenon mock`: stand-ins from schemas and from recordings, used by real clients. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Client, connect } from '@tenon/sdk/client'
import { expect, onTestFinished, test, vi } from 'vitest'
import { begin, everythingUrl, onEverything, temporaryFolder, tenon } from './tenon.ts'

async function mock(cwd: string, ...words: string[]): Promise<Client> {
  const running = begin(['mock', ...words, '--port', '0'], { cwd })
  const url = await vi.waitFor(() => / is at (\S+)/.exec(running.stdout())![1]!, { timeout: 100_000 })
  const client = await connect(url, { validate: 'strict' })
  onTestFinished(() => client.close())
  return client
}

test('a stand-in from schemas: the same lists, results that fit, arguments that are checked', async () => {
  const cwd = temporaryFolder()
  const { stdout } = await onEverything(['list', '--json'])
  writeFileSync(join(cwd, 'tools.json'), stdout)
  const client = await mock(cwd, 'tools.json')
  expect(client.server.info).toMatchObject({ name: 'everything', version: '0.1.0' })
  const first = await client.callTool('convert_units', { value: 5, from: 'km', to: 'mi' })
  expect(first.structured).toMatchObject({ value: expect.any(Number), unit: expect.any(String) })
  expect(await client.callTool('convert_units', { value: 5, from: 'km', to: 'mi' })).toEqual(first)
  const wrong = await client.callTool('add', { a: 'one' })
  expect(wrong).toMatchObject({ isError: true, text: expect.stringContaining('arguments.b: is required') })
  await expect(client.callTool('nothing')).rejects.toThrow('Unknown tool: "nothing"')
  expect((await client.readResource('board:///today')).contents).toMatchObject([{ uri: 'board:///today' }])
  // Another seed, another result.
  const other = await mock(cwd, 'tools.json', '--seed', '7')
  expect(await other.callTool('convert_units', { value: 5, from: 'km', to: 'mi' })).not.toEqual(first)
})

test('a stand-in from a recording: recorded answers, and made-up ones for other calls', async () => {
  const cwd = temporaryFolder()
  writeFileSync(
    join(cwd, 'calls.json'),
    '{ "tenonCalls": 1, "calls": [{ "tool": "add", "arguments": { "a": 19, "b": 23 } }] }',
  )
  const recorded = await tenon(['record', await everythingUrl(), '--calls', 'calls.json', '-o', 's.jsonl'], { cwd })
  expect(recorded.code).toBe(0)
  const client = await mock(cwd, 's.jsonl')
  expect((await client.callTool('add', { a: 19, b: 23 })).structured).toEqual({ sum: 42 })
  const { structured, isError } = await client.callTool('add', { a: 1, b: 2 })
  expect({ structured, isError }).toEqual({ structured: { sum: expect.any(Number) }, isError: false })
  expect((await client.callTool('echo', { message: 'hi' })).text).toBe('echo {"message":"hi"}')
})

test.each([
  ['no file', ['mock'], 'Expected one file'],
  ['a file that is missing', ['mock', 'none.json'], 'There is no file none.json'],
  ['a recording that is missing', ['mock', 'none.jsonl'], 'There is no file none.jsonl'],
  ['no JSON', ['mock', 'bad.json'], 'bad.json is no JSON'],
])('refused with 2: %s', async (_name, line, message) => {
  const cwd = temporaryFolder()
  writeFileSync(join(cwd, 'bad.json'), '{')
  const { code, stderr } = await tenon(line, { cwd })
  expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(message) })
})
