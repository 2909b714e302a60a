/** Slips of the fingers and of files: each is named, has the next step, and never passes for a success. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { bin, everything, parsed, temporaryFolder, tenon, tenonProcess } from './tenon.ts'

const [, command, ...args] = everything
const calls = (more: object = {}): string =>
  JSON.stringify({
    tenonCalls: 1,
    calls: [{ name: 'add it', tool: 'add', arguments: { a: 1, b: 2 } }],
    ...more,
  })

describe('tenon test', () => {
  test('with a filter that no call fits fails with the names', async () => {
    const cwd = temporaryFolder()
    writeFileSync(join(cwd, 'calls.json'), calls())
    const line = ['test', 'calls.json', '--server', 'everything', '--filter']
    expect(await tenonProcess([...line, 'zzz'], { cwd })).toEqual({
      code: 2,
      stdout: '',
      stderr: 'error: --filter: no call has "zzz" in its name\nhint: There are add it.\n',
    })
    expect(await tenon([...line, 'add'], { cwd })).toMatchObject({ code: 0 })
  })

  test('of a file that names no server, without one, is a mistake of the command line', async () => {
    const cwd = temporaryFolder()
    writeFileSync(join(cwd, 'calls.json'), calls())
    expect(await tenon(['test', 'calls.json'], { cwd })).toEqual({
      code: 2,
      stdout: '',
      stderr: 'error: calls.json names no server\nhint: Give one with --server, or a program after --.\n',
    })
  })
})

describe('config files', () => {
  function folder(): string {
    const cwd = temporaryFolder()
    mkdirSync(join(cwd, '.cursor'))
    mkdirSync(join(cwd, '.vscode'))
    const servers = { one: { command, args }, broken: { comand: 'node' } }
    writeFileSync(join(cwd, '.cursor/mcp.json'), JSON.stringify({ mcpServers: servers }))
    return cwd
  }

  test('an unknown name of tenon servers is refused with the nearest', async () => {
    const outcome = await tenonProcess(['servers', 'oen', '--json'], { cwd: folder() })
    expect(outcome.code).toBe(2)
    expect(parsed(outcome)).toMatchObject({
      ok: false,
      error: { code: 'unknown_server', hint: expect.stringMatching(/^Did you mean one\?/) },
    })
  })

  test('a warning names the server and the place, also when that server is asked for', async () => {
    const cwd = folder()
    const problem = /mcp\.json:1:\d+: mcpServers\.broken: expected command or url, found none/
    expect((await tenon(['servers'], { cwd })).stderr).toMatch(problem)
    const outcome = await tenon(['info', 'broken'], { cwd })
    expect(outcome).toMatchObject({ code: 2, stderr: expect.stringContaining('The server "broken" cannot be used') })
    expect(outcome.stderr).toMatch(problem)
  })

  test('the same server in several files is used without a word, another one with the names of all files', async () => {
    const cwd = folder()
    const write = (file: string, key: string, entry: object): void =>
      writeFileSync(join(cwd, file), JSON.stringify({ [key]: { one: entry } }))
    write('.mcp.json', 'mcpServers', { command, args })
    expect(await tenon(['ping', 'one'], { cwd })).toMatchObject({ code: 0, stderr: '' })
    write('.mcp.json', 'mcpServers', { command, args: [...args, '--quiet'] })
    write('.vscode/mcp.json', 'servers', { command: 'other' })
    const { stderr } = await tenon(['info', 'one', '--json'], { cwd })
    expect(stderr).toMatch(
      /^one is the one of .*\.mcp\.json, not the one of .*\.vscode\/mcp\.json or .*\.cursor\/mcp\.json\.$/m,
    )
  })
})

test.each([
  ['localhost:4801/mcp', 'http://localhost:4801/mcp'],
  ['127.0.0.1:80', 'http://127.0.0.1:80'],
  ['mcp.example.com/mcp', 'https://mcp.example.com/mcp'],
  ['./server.js', '-- node ./server.js'],
  ['src/main.ts', '-- node src/main.ts'],
  ['server.py', '-- python server.py'],
  ['node server.js', '-- node server.js'],
  ['/usr/bin/server', '-- /usr/bin/server'],
])('%s: did you mean %s?', async (word, meant) => {
  const outcome = await tenon(['info', word])
  expect(outcome).toMatchObject({ code: 2, stderr: expect.stringContaining(`hint: Did you mean ${meant}?\n`) })
})

test('a recording of calls has the lists that a client of the replay asks for', async () => {
  const cwd = temporaryFolder()
  writeFileSync(join(cwd, 'calls.json'), calls())
  expect(await tenonProcess(['record', 'everything', '--calls', 'calls.json'], { cwd })).toMatchObject({ code: 0 })
  const replayed = await tenon(['call', 'add', 'a=1', 'b=2', '--', process.execPath, bin, 'replay', 'session.jsonl'], {
    cwd,
  })
  expect(replayed).toMatchObject({ code: 0, stdout: '{\n  "sum": 3\n}\n' })
})
