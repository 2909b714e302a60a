import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect } from '@tenon/sdk/client'
import { expect, test, vi } from 'vitest'
import { dialogue } from './dialogue.ts'
import {
  begin,
  bin,
  everything,
  everythingUrl,
  onEverything,
  onTerminal,
  parsed,
  temporaryFolder,
  tenon,
} from './tenon.ts'

const calls = `tenonCalls: 1
variables: { a: 19 }
calls:
  - tool: add
    arguments: { a: "\${a}", b: 23 }
    expect: { structured: { sum: 42 } }
  - tool: echo
    arguments: { message: hello, password: correct horse }
    expect: { text: hello }
  - list: tools
`

/** A folder with saved calls, and a recording of them. */
async function recorded(): Promise<string> {
  const cwd = temporaryFolder()
  writeFileSync(join(cwd, 'calls.yaml'), calls)
  expect(await onEverything(['record', '--calls', 'calls.yaml'], { cwd })).toMatchObject({ code: 0 })
  return cwd
}

const itself = (...args: string[]): string[] => ['--', process.execPath, bin, ...args]

test('a session is recorded without its secrets, and gives the same answers again', async () => {
  const cwd = await recorded()
  const file = join(cwd, 'session.jsonl')
  expect(readFileSync(file, 'utf8')).not.toContain('correct horse')
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600)
  const replay = itself('replay', 'session.jsonl')
  expect(await tenon(['test', 'calls.yaml', ...replay], { cwd })).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('\n3 passed\n'),
  })
  // An unrecorded request has no result.
  expect(await tenon(['call', 'add', 'a=1', 'b=1', ...replay], { cwd })).toMatchObject({
    code: 6,
    stderr: expect.stringContaining('Not in the recording: tools/call {"name":"add","arguments":{"a":1,"b":1}}'),
  })
})

test('a file that is there is not replaced unasked', async () => {
  const cwd = await recorded()
  const again = ['record', '--calls', 'calls.yaml']
  expect(await onEverything(again, { cwd })).toMatchInlineSnapshot(`
    {
      "code": 2,
      "stderr": "error: session.jsonl is there already
    hint: Give another file with --output, or --force.
    ",
      "stdout": "",
    }
  `)
  expect(await onEverything([...again, '--force'], { cwd })).toMatchObject({ code: 0 })
})

test('between a host and its server, both speak as if they were alone', async () => {
  const cwd = temporaryFolder()
  const said = await tenon(['call', 'add', 'a=19', 'b=23', ...itself('record', '-o', 'host.jsonl', ...everything)], {
    cwd,
  })
  expect(said).toMatchObject({ code: 0, stdout: '{\n  "sum": 42\n}\n' })
  await vi.waitFor(() => expect(readFileSync(join(cwd, 'host.jsonl'), 'utf8')).toContain('"kind":"closed"'))
})

test('on a terminal what is typed is recorded', async () => {
  const cwd = temporaryFolder()
  const { code } = await onTerminal(['record', '-o', 'typed.jsonl', ...everything], { cwd }, (terminal) =>
    dialogue(terminal, [
      ['Everything is recorded', 'add a=19 b=23\r'],
      ['42', '\u0004'],
      [/typed\.jsonl: \d+ messages/, ''],
    ]),
  )
  expect(code).toBe(0)
  expect(readFileSync(join(cwd, 'typed.jsonl'), 'utf8')).toContain('"sum":42')
})

test('a recording is served at an address, and strictly', async () => {
  const cwd = await recorded()
  const { stdout, interrupt, ended } = begin(['replay', 'session.jsonl', '--port', '0', '--strict', '--json'], { cwd })
  await vi.waitFor(() => expect(stdout()).toMatch(/\n$/), { timeout: 100_000 })
  await using client = await connect(JSON.parse(stdout()).url as string, { revisions: ['2025-06-18'] })
  expect((await client.callTool('add', { a: 19, b: 23 })).structured).toEqual({ sum: 42 })
  await expect(client.callTool('add', { a: 0, b: 0 })).rejects.toThrow('Not in the recording')
  interrupt()
  expect(await ended).toBe(8)
})

test('diff exits with 8 if something differs, and says what', async () => {
  const cwd = await recorded()
  expect(await tenon(['diff', 'session.jsonl', 'session.jsonl'], { cwd })).toMatchObject({ code: 0 })
  const text = readFileSync(join(cwd, 'session.jsonl'), 'utf8')
  writeFileSync(join(cwd, 'after.jsonl'), text.replaceAll('"sum":42', '"sum":41').replaceAll('{\\"sum\\":42}', '{}'))
  const different = await tenon(['diff', 'session.jsonl', 'after.jsonl'], { cwd })
  expect(different).toMatchObject({ code: 8, stdout: expect.stringContaining('structuredContent.sum was 42, is 41') })
  expect(await tenon(['diff', '--breaking', 'session.jsonl', 'after.jsonl'], { cwd })).toMatchObject({ code: 0 })
  writeFileSync(join(cwd, 'other.txt'), 'no session\n')
  expect(await tenon(['diff', 'session.jsonl', 'other.txt'], { cwd })).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^error: other\.txt: line 1: /),
  })
})

test('saved calls that fail say where and why, for people, CI systems and programs', async () => {
  const cwd = temporaryFolder()
  writeFileSync(join(cwd, 'calls.yaml'), calls)
  const failing = ['test', 'calls.yaml', '--var', 'a:=20', '--server', await everythingUrl()]
  const { stdout, code } = await tenon([...failing, '--junit', 'results.xml'], { cwd })
  expect({ code, stdout: stdout.replace(/\d+ ms/g, 'N ms') }).toMatchInlineSnapshot(`
    {
      "code": 8,
      "stdout": "✗ tool add 2026-07-28 N ms
        structured.sum: expected 42, got 43 calls.yaml:6:15
    ✓ tool echo 2026-07-28 N ms
    ✓ list tools 2026-07-28 N ms

    2 passed, 1 failed
    ",
    }
  `)
  expect(readFileSync(join(cwd, 'results.xml'), 'utf8')).toMatch(/<testsuites tests="3" failures="1"/)
  expect(parsed(await tenon([...failing, '--json', '--filter', 'add'], { cwd }))).toMatchObject({
    ok: false,
    result: [{ passed: 0, failed: 1, calls: [{ name: 'tool add', status: 'failed' }] }],
    error: { code: 'failed', exitCode: 8 },
  })
  expect((await tenon([...failing, '--tap'], { cwd })).stdout).toMatch(/^TAP version 14\n1\.\.3\nnot ok 1 - /)
})

test('a file of saved calls that is wrong, and one without a server, are told before anything runs', async () => {
  const cwd = temporaryFolder()
  writeFileSync(join(cwd, 'wrong.yaml'), 'tenonCalls: 1\ncalls:\n  - tol: add\n')
  expect(await tenon(['test', 'wrong.yaml', ...everything], { cwd })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('wrong.yaml:3:5: '),
  })
  writeFileSync(join(cwd, 'calls.yaml'), calls)
  expect(await tenon(['test', 'calls.yaml'], { cwd })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('calls.yaml names no server'),
  })
  expect(existsSync(join(cwd, 'session.jsonl'))).toBe(false)
})

test('the calls of a recording are made again: test --from expects its results, or writes them', async () => {
  const cwd = temporaryFolder()
  writeFileSync(join(cwd, 'calls.yaml'), 'tenonCalls: 1\ncalls:\n  - { tool: add, arguments: { a: 19, b: 23 } }\n')
  expect(await onEverything(['record', '--calls', 'calls.yaml'], { cwd })).toMatchObject({ code: 0 })
  const server = ['--server', await everythingUrl()]
  const same = await tenon(['test', '--from', 'session.jsonl', ...server], { cwd })
  expect(same).toMatchObject({ code: 0, stdout: expect.stringMatching(/✓ tool add [\s\S]* passed\n/) })
  const file = join(cwd, 'session.jsonl')
  writeFileSync(
    file,
    readFileSync(file, 'utf8').replaceAll('"sum":42', '"sum":43').replaceAll('\\"sum\\":42', '\\"sum\\":43'),
  )
  const other = await tenon(['test', '--from', 'session.jsonl', '--filter', 'add', ...server], { cwd })
  expect(other).toMatchObject({ code: 8, stdout: expect.stringContaining('expected 43, got 42') })
  // For a person to edit.
  const written = ['test', '--from', 'session.jsonl', '-o', 'mine.yaml']
  expect(await tenon(written, { cwd })).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/^mine\.yaml: \d+ calls\n$/),
  })
  expect(await tenon(['test', 'mine.yaml', '--filter', 'add', ...server], { cwd })).toMatchObject({ code: 8 })
  expect(await tenon(written, { cwd })).toMatchObject({ code: 2, stderr: expect.stringContaining('is there already') })
  expect(await tenon(['test', '--from', 'none.jsonl', ...server], { cwd })).toMatchObject({ code: 2 })
  expect(await tenon(['test', 'calls.yaml', '-o', 'x.yaml'], { cwd })).toMatchObject({ code: 2 })
})
