/** The command with servers as they are: every transport and two eras, a server of others, and some that misbehave. */
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { serveHttp } from '@tenon/sdk/node'
import { serveWebSocket } from '@tenon/sdk/websocket'
import { createEverythingServer } from '@tenon/server-everything'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { commandLines } from './processes.ts'
import { everything, onTerminal, parsed, start, temporaryFolder, tenon } from './tenon.ts'

describe('every transport, in two eras', () => {
  const server = createEverythingServer()
  let http: Awaited<ReturnType<typeof serveHttp>>
  let sockets: Awaited<ReturnType<typeof serveWebSocket>>
  beforeAll(async () => {
    http = await serveHttp(server, { port: 0 })
    sockets = await serveWebSocket(server, { port: 0 })
  })
  afterAll(async () => {
    await http.close()
    await sockets.close()
  })
  const targets: [string, () => { words: string[]; program: string[] }][] = [
    ['stdio', () => ({ words: [], program: everything })],
    ['HTTP', () => ({ words: [http.url], program: [] })],
    ['WebSocket', () => ({ words: [sockets.url!], program: [] })],
  ]
  const cases = targets.flatMap(([name, target]) =>
    (['2026-07-28', '2025-06-18'] as const).map((revision) => ({ name, revision, target })),
  )

  test.each(cases)('$name, $revision', async ({ revision, target }) => {
    const { words, program } = target()
    const outcome = await tenon(['call', ...words, 'add', 'a=1', 'b=2', '--json', '--revision', revision, ...program])
    expect(outcome).toMatchObject({ code: 0, stderr: '' })
    expect(parsed(outcome)).toMatchObject({ server: { revision }, result: { structured: { sum: 3 } } })
  })

  test('HTTP+SSE, 2024-11-05', async () => {
    const url = http.url.replace(/\/mcp$/, '/sse')
    const outcome = await tenon(['call', url, 'echo', 'message=long ago', '--json', '--revision', '2024-11-05'])
    expect(outcome).toMatchObject({ code: 0, stderr: '' })
    expect(parsed(outcome)).toMatchObject({
      server: { revision: '2024-11-05' },
      result: { content: [{ text: 'long ago' }] },
    })
  })

  test('an address where nobody listens, and one that is no server', async () => {
    expect(await tenon(['info', 'http://127.0.0.1:1/mcp'])).toMatchObject({ code: 3, stdout: '' })
    expect(await tenon(['info', http.url.replace('/mcp', '/nothing')])).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('many servers listen at the path /mcp'),
    })
  })
})

test('a note says which of two entries is used, unless the command names it or only their neighbours are equal', async () => {
  const cwd = realpathSync(temporaryFolder())
  const [, command, ...args] = everything
  const entry = { command, args }
  mkdirSync(join(cwd, '.cursor'))
  writeFileSync(join(cwd, '.mcp.json'), JSON.stringify({ mcpServers: { twice: entry, once: entry } }))
  writeFileSync(join(cwd, '.cursor/mcp.json'), JSON.stringify({ mcpServers: { twice: { ...entry, env: { A: '1' } } } }))
  const note = `twice is the one of ${join(cwd, '.mcp.json')}, not the one of ${join(cwd, '.cursor/mcp.json')}.\n`
  expect(await tenon(['ping', 'twice'], { cwd })).toMatchObject({ code: 0, stderr: note })
  for (const name of ['once', 'claude-code:twice', 'cursor:twice']) {
    expect(await tenon(['ping', name], { cwd }), name).toMatchObject({ code: 0, stderr: '' })
  }
})

test('the filesystem server of npm', async () => {
  const cwd = realpathSync(temporaryFolder())
  writeFileSync(join(cwd, 'notes.txt'), 'Buy milk\n')
  const program = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-filesystem/dist/index.js'))
  const server = ['--', process.execPath, program, cwd]
  const read = await tenon(['call', 'read_text_file', `path=${join(cwd, 'notes.txt')}`, ...server], { cwd })
  expect(read).toMatchObject({ code: 0, stdout: expect.stringContaining('Buy milk') })
  const refused = await tenon(['call', 'read_text_file', 'path=/etc/passwd', ...server], { cwd })
  expect(refused).toMatchObject({ code: 5, stdout: expect.stringContaining('Access denied') })
})

describe('a server that', () => {
  const script = (source: string): string[] => ['--', process.execPath, '-e', source]

  test('crashes is named with its last words', async () => {
    const outcome = await tenon(['list', ...script('console.error("no database"); process.exit(7)')])
    expect(outcome).toMatchObject({ code: 3, stdout: '', stderr: expect.stringContaining('no database') })
  })

  test('hangs is given up after --timeout, and is gone', async () => {
    const outcome = await tenon([
      'info',
      ...['--timeout', '300ms', '-v'],
      ...script('setInterval(() => {}, 1e6); "hanging-server"'),
    ])
    expect(outcome).toMatchObject({ code: 7, stderr: expect.stringContaining('--timeout 5m') })
    // Both steps of the handshake share the time: the second has what the first has left.
    expect(outcome.stderr).toMatch(/^error: .* within 300 ms$/m)
    const [, left] = /^Cause: .*initialize within (\d+) ms$/m.exec(outcome.stderr)!
    expect(Number(left)).toBeLessThan(300)
    expect(commandLines().filter((line) => line.endsWith('"hanging-server"'))).toEqual([])
  })

  test('prints garbage is used all the same', async () => {
    const [, command, file] = everything
    const noisy = `console.log('Starting up...'); console.log('\\u001b[31mready\\u001b[0m')
      require('child_process').spawn(${JSON.stringify(command)}, [${JSON.stringify(file)}], { stdio: 'inherit' })`
    const outcome = await tenon(['call', 'add', 'a=1', 'b=2', ...script(noisy)])
    expect(outcome).toMatchObject({ code: 0, stdout: '{\n  "sum": 3\n}\n' })
  })

  test('floods is given up, with bounded memory', async () => {
    const outcome = await tenon([
      'info',
      '--timeout',
      '500ms',
      ...script(`const x = 'x'.repeat(1 << 20); setInterval(() => process.stdout.write(x), 0)`),
    ])
    expect(outcome).toMatchObject({ code: 7, stdout: '' })
  })
})

test('Ctrl-C cancels the call at the server and ends with 130', async () => {
  const { code, shown } = await onTerminal(
    ['call', 'count_down', 'from=100', 'intervalMs=50', ...everything],
    {},
    async ({ type, shown }) => {
      await expect.poll(shown).toMatch(/\d+\/100/)
      type('\u0003')
    },
  )
  expect(code).toBe(130)
  expect(shown).toContain('Cancelling')
})

test('a killed command leaves no server behind', async () => {
  const marker = `orphan-${process.pid}-${Date.now()}`
  const child = start(['call', 'count_down', 'from=100', 'intervalMs=50', ...everything, marker])
  const running = (): string[] => commandLines().filter((line) => line.includes(marker))
  await expect.poll(running).toHaveLength(2)
  child.kill('SIGKILL')
  await expect.poll(running).toEqual([])
})

test('everything is built in, unless a config file has a server of that name or one file is asked for', async () => {
  const cwd = temporaryFolder()
  const call = ['call', 'everything', 'add', 'a=19', 'b=23']
  expect(await tenon(call, { cwd })).toMatchObject({ code: 0, stdout: expect.stringContaining('42') })
  const empty = join(cwd, 'empty.json')
  writeFileSync(empty, '{ "mcpServers": {} }')
  expect(await tenon([...call, '--config', empty], { cwd })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('No config file has a server named "everything"'),
  })
  const own = { command: process.execPath, args: ['-e', 'process.stderr.write("mine"); process.exit(3)'] }
  writeFileSync(join(cwd, '.mcp.json'), JSON.stringify({ mcpServers: { everything: own } }))
  expect(await tenon(call, { cwd })).toMatchObject({ code: 3, stderr: expect.stringContaining('mine') })
})

test('a name that is nearly that of the server that is built in', async () => {
  expect(await tenon(['info', 'everythin'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('hint: Did you mean everything?'),
  })
})
