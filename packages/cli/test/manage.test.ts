/** Servers of one's own: the files of hosts are changed by real commands, in a home of their own. */
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { everything, onTerminal, parsed, temporaryFolder, tenon } from './tenon.ts'

const [, program, ...args] = everything

/** A home with a file of Cursor. */
function home(text?: string): { cwd: string; cursor: string; read(): string } {
  const cwd = temporaryFolder()
  const cursor = join(cwd, '.cursor/mcp.json')
  mkdirSync(join(cwd, '.cursor'))
  if (text !== undefined) writeFileSync(cursor, text)
  return { cwd, cursor, read: () => readFileSync(cursor, 'utf8') }
}

test('a server gets a name, is used by it, is switched off and removed', async () => {
  const { cwd } = home()
  const added = await tenon(['add', 'mine', '--yes', '-e', 'GREETING=hi', '--', program!, ...args], { cwd })
  expect(added).toMatchObject({ code: 0, stderr: expect.stringMatching(/^Added mine: .*tenon\/mcp\.json\n$/) })
  expect(added.stdout).toContain('+     "mine": {\n')
  expect((await tenon(['call', 'mine.add', '1', '2', '-o', 'text'], { cwd })).stdout).toBe('{"sum":3}')
  expect(await tenon(['disable', 'mine', '--yes'], { cwd })).toMatchObject({ code: 0 })
  expect((await tenon(['servers'], { cwd })).stdout).toContain('(switched off)')
  expect(await tenon(['enable', 'mine', '-y'], { cwd })).toMatchObject({ code: 0 })
  expect(await tenon(['enable', 'mine', '-y'], { cwd })).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/^Nothing to change in /),
  })
  const removed = parsed(await tenon(['remove', 'mine', '--yes', '--json'], { cwd }))
  expect(removed).toMatchObject({
    ok: true,
    result: { changes: [{ kind: 'remove', servers: ['mine'], written: true }] },
  })
  expect((await tenon(['servers'], { cwd })).stderr).toContain('No servers are configured')
  expect(readdirSync(join(cwd, '.config/tenon/backups'))).toHaveLength(3)
})

test('a pasted text goes into several hosts, each in its own words, and the losses are told', async () => {
  const { cwd, read } = home('{\n  // mine\n  "mcpServers": {}\n}\n')
  const paste =
    '{ "servers": { "api": { "url": "https://a.example/mcp", "headers": { "Authorization": "Bearer $' +
    '{env:TOKEN}" } } } }'
  const outcome = await tenon(['add', '-', '--to', 'cursor,codex', '--yes'], { cwd, stdin: paste })
  expect(outcome.code).toBe(0)
  expect(read()).toContain('  // mine\n  "mcpServers": {\n    "api": {\n      "url"')
  expect(readFileSync(join(cwd, '.codex/config.toml'), 'utf8')).toContain('bearer_token_env_var = "TOKEN"')
  const installed = await tenon(['install', 'cursor:api', '--to', 'zed', '--dry-run'], { cwd })
  expect(installed).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('in Zed the variable TOKEN would not be filled in'),
  })
  expect(await tenon(['uninstall', 'api', '--from', 'cursor,codex', '-y'], { cwd })).toMatchObject({ code: 0 })
  expect(read()).toContain('  // mine\n  "mcpServers": {')
})

describe('nothing is changed', () => {
  const line = ['add', 'time', '--to', 'cursor']
  const program = ['--', 'uvx', 'mcp-server-time']
  test.each<[string, (file: string) => void, RegExp]>([
    ['by a file that is a link', (file) => symlinkSync('/etc/hosts', file), /mcp\.json: is a link to \/etc\/hosts/],
    ['by invalid JSON', (file) => writeFileSync(file, '{ "mcpServers": { "x": } }'), /mcp\.json:1:24: value expected/],
    ['by a read-only file', (file) => writeFileSync(file, '{}', { mode: 0o444 }), /mcp\.json: is read-only/],
    ['by an unreadable file', (file) => writeFileSync(file, '{}', { mode: 0 }), /may not be read by this user/],
  ])('%s', async (_, make, message) => {
    const { cwd, cursor } = home()
    make(cursor)
    const outcome = await tenon([...line, '--yes', ...program], { cwd })
    expect(outcome).toMatchObject({ code: 2, stdout: '' })
    expect(outcome.stderr).toMatch(message)
    expect(outcome.stderr.split('\n')).toHaveLength(2)
    expect(readdirSync(join(cwd, '.cursor'))).toEqual(['mcp.json'])
  })

  test('by a script without --yes, by --dry-run, and by a name that is taken', async () => {
    const { cwd, read } = home('{ "mcpServers": { "time": { "command": "old" } } }')
    const before = read()
    expect(await tenon(['remove', 'time'], { cwd })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('hint: --yes writes it, --dry-run only shows it.'),
    })
    expect(await tenon(['remove', 'time', '--dry-run'], { cwd })).toMatchObject({ code: 0 })
    expect(await tenon([...line, '--yes', ...program], { cwd })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('hint: --replace replaces it.'),
    })
    expect(read()).toBe(before)
  })

  test.each([
    [['install', 'everything', '--to', 'curser'], 'Did you mean cursor?'],
    [['install', 'evrything', '--to', 'cursor'], 'Did you mean everything?'],
    [['add', 'time'], 'tenon add time -- uvx'],
    [['remove', 'nobody'], 'No config file has a server named "nobody"'],
    [['disable', 'time', '--from', 'vscode'], 'time is not in a file of vscode'],
  ])('by a slip: %j', async (line, hint) => {
    const { cwd } = home('{ "mcpServers": { "time": { "command": "x" } } }')
    const outcome = await tenon(line, { cwd })
    expect(outcome.code).toBe(2)
    expect(outcome.stderr).toContain(hint)
  })
})

test('a name in several files has to be told apart', async () => {
  const { cwd } = home('{ "mcpServers": { "time": { "command": "x" } } }')
  writeFileSync(join(cwd, '.mcp.json'), '{ "mcpServers": { "time": { "command": "x" } } }')
  const outcome = await tenon(['remove', 'time', '-y'], { cwd })
  expect(outcome).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Say which with --from claude-code,cursor.'),
  })
  expect(await tenon(['remove', 'cursor:time', '-y'], { cwd })).toMatchObject({ code: 0 })
})

test('a person is shown the change and asked', async () => {
  const { cwd, read } = home('{ "mcpServers": { "key": { "command": "x", "env": { "API_KEY": "s3cr3t" } } } }')
  const before = read()
  const answer = (text: string) => async (terminal: { type(text: string): void; shown(): string }) => {
    await expect.poll(() => terminal.shown(), { timeout: 100_000 }).toContain('Write it? (Y/n)')
    terminal.type(`${text}\r`)
  }
  const line = ['add', 'time', '--to', 'cursor', '--', 'uvx', 'mcp-server-time']
  const no = await onTerminal(line, { cwd, columns: 80 }, answer('n'))
  expect(no).toMatchObject({ code: 2, shown: expect.stringContaining('Nothing was changed') })
  expect(no.shown).not.toContain('s3cr3t')
  expect(read()).toBe(before)
  expect(await onTerminal(line, { cwd, columns: 80 }, answer(''))).toMatchObject({ code: 0 })
  expect(JSON.parse(read()).mcpServers).toHaveProperty('time.command', 'uvx')
})

test('links and exports', async () => {
  const { cwd } = home()
  const { stdout } = await tenon(['link', 'notes', '--markdown', '--', 'npx', '-y', 'notes'], { cwd })
  expect(
    stdout.split('\n').filter((line) => /^\[!\[Install in .*\]\(https:.*\)\]\(https:.*\)$/.test(line)),
  ).toHaveLength(4)
  const link = parsed(await tenon(['link', 'notes', '--as', 'cursor', '--json', '--', 'npx', '-y', 'notes'], { cwd }))
  const { url } = (link.result as { links: { url: string }[] }).links[0]!
  expect((await tenon(['add', url, '--dry-run'], { cwd })).stdout).toContain('"notes": {')
  const secret = await tenon(['link', '-e', 'API_KEY=s3cr3t', '--', 'npx', 'notes'], { cwd })
  expect(secret.stderr).toContain('warning: notes: env.API_KEY looks like a secret, and is in the links')
  expect((await tenon(['export', 'everything', '--as', 'codex'], { cwd })).stdout).toContain('[mcp_servers.everything]')
  expect(await tenon(['export', 'everything', '--as', 'none'], { cwd })).toMatchObject({ code: 2 })
})
