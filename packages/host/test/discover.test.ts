import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  configPlaces,
  describeProblem,
  discoverServers,
  findConfigFiles,
  findServer,
  readConfig,
  type Whereabouts,
} from '../src/config.ts'

let top = ''
let where: Whereabouts

beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'tenon-config-'))
  where = { cwd: join(top, 'app/src'), home: join(top, 'home'), env: {}, platform: 'linux' }
  for (const folder of ['app/src', 'app/.git', 'home']) mkdirSync(join(top, folder), { recursive: true })
})
afterEach(() => rmSync(top, { recursive: true }))

function write(path: string, content: unknown): string {
  const file = join(top, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  return file
}
const servers = (...names: string[]): object => ({
  mcpServers: Object.fromEntries(names.map((name) => [name, { command: name }])),
})

describe('discovery', () => {
  test('finds projects from within, and says which entry of a name is used', async () => {
    const project = write('app/.mcp.json', servers('db', 'only-project'))
    const nearer = write('app/src/.cursor/mcp.json', servers('db'))
    const local = { projects: { [join(top, 'app')]: servers('db'), '/elsewhere': servers('hidden') } }
    const user = write('home/.claude.json', { ...local, ...servers('db') })
    const { entries, files, problems } = await discoverServers(where)
    expect(problems).toEqual([])
    expect(files.map(({ file }) => file).sort()).toEqual([project, nearer, user].sort())
    expect(entries.map(({ name, source }) => [name, source.host, source.scope])).toEqual([
      ['db', 'claude-code', 'local'],
      ['db', 'cursor', 'project'],
      ['db', 'claude-code', 'project'],
      ['only-project', 'claude-code', 'project'],
      ['db', 'claude-code', 'user'],
    ])
    expect(entries.map(({ shadowedBy }) => shadowedBy?.scope)).toEqual([
      undefined,
      'local',
      'local',
      undefined,
      'local',
    ])
    expect(findServer(entries, 'db')).toBe(entries[0])
    expect(findServer(entries, 'cursor:db')).toBe(entries[1])
    expect(findServer(entries, 'nothing')).toBeUndefined()
  })

  test('what is switched off shadows nothing', async () => {
    write('app/.kiro/settings/mcp.json', { mcpServers: { x: { command: 'off', disabled: true } } })
    write('home/.kiro/settings/mcp.json', servers('x'))
    const { entries } = await discoverServers(where)
    expect(entries.map(({ shadowedBy }) => shadowedBy)).toEqual([undefined, undefined])
    expect(findServer(entries, 'x')).toBe(entries[1])
  })

  test('a broken file is reported with its place and hides nothing', async () => {
    const broken = write('home/.cursor/mcp.json', '{\n  "mcpServers": {\n    "a": }\n')
    write('home/.codex/config.toml', '[mcp_servers.b]\ncommand = \n')
    write('home/.config/goose/config.yaml', 'extensions:\n  - [}\n')
    write('app/.mcp.json', servers('fine'))
    const { entries, problems } = await discoverServers(where)
    expect(entries.map(({ name }) => name)).toEqual(['fine'])
    expect(problems.map(({ code, line, column }) => [code, line, column])).toEqual([
      ['syntax', 3, 10],
      ['syntax', 2, 11],
      ['syntax', 2, 6],
    ])
    expect(describeProblem(problems[0]!)).toBe(`${broken}:3:10: value expected`)
  })

  test('a file of a project that nests without end is reported, and does not end the process', async () => {
    write('app/.continue/mcpServers/deep.yaml', '{"a":'.repeat(50_000))
    write('app/.mcp.json', servers('fine'))
    const { entries, problems } = await discoverServers(where)
    expect(entries.map(({ name }) => name)).toEqual(['fine'])
    expect(problems).toMatchObject([{ code: 'too_large', message: expect.stringContaining('levels deep') }])
  })

  test('problems never quote the file', async () => {
    const secret = 'sk-very-secret-value'
    write('home/.codex/config.toml', `[mcp_servers.b]\ntoken = ${secret}\n`)
    write('home/.config/goose/config.yaml', `extensions:\n  ${secret}: [}\n`)
    write(
      'home/.cursor/mcp.json',
      `{"mcpServers": {"a": {"command": ["${secret}"], "env": "${secret}", "url": 5}, ${secret}}}`,
    )
    write('home/.kiro/settings/mcp.json', { mcpServers: { a: { command: 'x', args: { a: secret }, env: [secret] } } })
    const { entries, problems } = await discoverServers(where)
    const all = [...problems, ...entries.flatMap((entry) => entry.problems)]
    expect(all.length).toBeGreaterThanOrEqual(5)
    expect(all.map(describeProblem).join('\n')).not.toContain(secret)
  })

  test('files that cannot be read are reported', async () => {
    mkdirSync(join(top, 'home/.cursor/mcp.json'), { recursive: true })
    mkdirSync(join(top, 'home/.gemini'))
    symlinkSync('settings.json', join(top, 'home/.gemini/settings.json'))
    const closed = write('app/.mcp.json', servers('closed'))
    chmodSync(closed, 0)
    const { problems } = await discoverServers(where)
    const messages = problems.map(describeProblem)
    expect(messages).toContainEqual(expect.stringMatching(/mcp\.json: is not a file$/))
    expect(messages).toContainEqual(expect.stringMatching(/settings\.json: is a link that leads to itself$/))
    // root may read every file.
    if (process.getuid?.() !== 0)
      expect(messages).toContainEqual(expect.stringMatching(/may not be read by this user$/))
  })

  test('outside of version control only the folder itself is a project', async () => {
    rmSync(join(top, 'app/.git'), { recursive: true })
    write('app/.mcp.json', servers('above'))
    write('app/src/.mcp.json', servers('here'))
    const { entries } = await discoverServers(where)
    expect(entries.map(({ name }) => name)).toEqual(['here'])
  })

  test('folders of files are read, and only the hosts that are asked for', async () => {
    write('app/.continue/mcpServers/one.yaml', 'mcpServers:\n  - name: one\n    command: x\n')
    write('app/.continue/mcpServers/two.json', servers('two'))
    write('app/.continue/mcpServers/whole.json', { command: 'x' })
    write('app/.continue/mcpServers/readme.md', '#')
    write('app/.mcp.json', servers('three'))
    const { entries } = await discoverServers({ ...where, hosts: ['continue'] })
    expect(entries.map(({ name }) => name)).toEqual(['one', 'two', 'whole'])
  })

  test('a file that is both of the user and of the project is read once', async () => {
    write('home/.cursor/mcp.json', servers('once'))
    const { entries } = await discoverServers({ ...where, cwd: join(top, 'home') })
    expect(entries.map(({ source }) => source.scope)).toEqual(['user'])
  })

  test('variables of hosts move their files', async () => {
    write('elsewhere/config.toml', '[mcp_servers.b]\ncommand = "x"\n')
    write('claude/.claude.json', servers('c'))
    const env = { CODEX_HOME: join(top, 'elsewhere'), CLAUDE_CONFIG_DIR: join(top, 'claude') }
    const files = await findConfigFiles({ ...where, env })
    expect(files.map(({ host }) => host)).toEqual(['claude-code', 'codex'])
  })
})

describe('files', () => {
  test('may start with a byte order mark and have lines of Windows', async () => {
    const file = write('x.json', '\uFEFF{\r\n// why\r\n"mcpServers": { "a": { "command": "x", "odd": 1 } }\r\n}')
    const { entries } = await readConfig(file)
    expect(entries).toMatchObject([{ name: 'a', problems: [{ code: 'ignored', line: 3, column: 40 }] }])
  })

  test('that are empty have no servers', async () => {
    expect(await readConfig(write('.mcp.json', ' \n'))).toEqual({ host: 'claude-code', entries: [], problems: [] })
  })

  test('know their host by their place, or by what is in them', async () => {
    const hostOf = async (path: string, content: unknown): Promise<string> =>
      (await readConfig(write(path, content))).host
    expect(await hostOf('p/.cursor/mcp.json', {})).toBe('cursor')
    expect(await hostOf('p/.vscode/mcp.json', {})).toBe('vscode')
    expect(await hostOf('p/Claude/claude_desktop_config.json', {})).toBe('claude-desktop')
    expect(await hostOf('p/.codeium/windsurf/mcp_config.json', {})).toBe('windsurf')
    expect(await hostOf('p/Code/User/mcp.json', {})).toBe('vscode')
    expect(await hostOf('p/goose/config.yaml', 'a: 1')).toBe('goose')
    expect(await hostOf('q.json', { servers: {} })).toBe('vscode')
    expect(await hostOf('q.json', { context_servers: {} })).toBe('zed')
    expect(await hostOf('q.json', { mcp: { a: { type: 'remote', url: 'https://x' } } })).toBe('opencode')
    expect(await hostOf('q.json', { mcp: { a: { type: 'http', url: 'https://x' } } })).toBe('crush')
    expect(await hostOf('q.toml', '[mcp_servers.a]\ncommand="x"')).toBe('codex')
    expect(await hostOf('q.yaml', 'mcp:\n  servers: {}')).toBe('fast-agent')
    expect(await hostOf('q.json', servers('a'))).toBe('generic')
  })

  test('that keep servers where their host does not look say so', async () => {
    const { problems } = await readConfig(write('p/.vscode/mcp.json', servers('a')))
    expect(problems).toMatchObject([
      { code: 'shape', message: 'this host looks for servers in servers', line: 1, column: 2 },
    ])
  })

  test('with secrets beside them that are broken are read without those', async () => {
    const file = write('fast-agent.yaml', 'mcp:\n  servers:\n    a: {command: x}\n')
    const beside = write('fast-agent.secrets.yaml', 'mcp: [}\n')
    const { entries, problems } = await readConfig(file)
    expect(entries).toHaveLength(1)
    expect(problems).toMatchObject([{ code: 'syntax', file: beside, line: 1 }])
  })

  test('with too many servers are read in part', async () => {
    const many = Array.from({ length: 1_001 }, (_, index) => `s${index}`)
    const { entries, problems } = await readConfig(write('.mcp.json', servers(...many)))
    expect(entries).toHaveLength(1_000)
    expect(problems).toMatchObject([{ code: 'too_large', path: ['mcpServers'] }])
  })

  test.each([
    ['json', `{"mcpServers": /**/ ${'['.repeat(20_000)}`],
    ['json', `{"mcpServers": {"a": {"env": /**/ ${'{"a":'.repeat(200)}1${'}'.repeat(200)}}}}`],
    ['yaml', `mcp: ${'['.repeat(500)}${']'.repeat(500)}`],
    ['yaml', `a: &a [x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c,*c,*c]\n`],
  ])('in %s that are bombs are refused', async (ending, content) => {
    const { entries, problems } = await readConfig(write(`bomb.${ending}`, content))
    expect(entries).toEqual([])
    expect(problems).toMatchObject([{ code: expect.stringMatching(/too_large|syntax/) }])
  })

  test.each([
    ['json', `// \n${' '.repeat(4 * 1024 * 1024)}`],
    ['toml', `a = 1\n${' '.repeat(1024 * 1024)}`],
    ['yaml', `a: 1\n${' '.repeat(256 * 1024)}`],
  ])('in %s that are too long for their parser are refused', async (ending, content) => {
    const { problems } = await readConfig(write(`long.${ending}`, content))
    expect(problems).toMatchObject([{ code: 'too_large', message: expect.stringContaining('characters at most') }])
  })

  test('that do not exist are a problem', async () => {
    expect((await readConfig(join(top, 'nothing.json'))).problems).toMatchObject([
      { code: 'unreadable', message: 'does not exist' },
    ])
  })
})

describe('places', () => {
  const filesOn = (platform: NodeJS.Platform, home: string, env: Record<string, string> = {}): string[] =>
    configPlaces({ platform, home, cwd: platform === 'win32' ? 'C:\\app' : '/app', env }).map(({ file }) => file)

  test('on macOS', () => {
    const files = filesOn('darwin', '/Users/me')
    expect(files).toContain('/Users/me/Library/Application Support/Claude/claude_desktop_config.json')
    expect(files).toContain('/Users/me/Library/Application Support/Code/User/mcp.json')
    expect(files).toContain('/Library/Application Support/ClaudeCode/managed-mcp.json')
    expect(files).toContain('/Users/me/.config/zed/settings.json')
    expect(files).toContain('/app/.vscode/mcp.json')
  })

  test('on Windows', () => {
    const files = filesOn('win32', 'C:\\Users\\me', { AppData: 'D:\\Roaming' })
    expect(files).toContain('D:\\Roaming\\Claude\\claude_desktop_config.json')
    expect(files).toContain('D:\\Roaming\\Block\\goose\\config\\config.yaml')
    expect(files).toContain('C:\\Users\\me\\.cursor\\mcp.json')
    expect(files).toContain('C:\\Users\\me\\AppData\\Local\\crush\\crush.json')
    expect(files).toContain('C:\\Program Files\\ClaudeCode\\managed-mcp.json')
    expect(files).toContain('C:\\app\\.kiro\\settings\\mcp.json')
    expect(files.filter((file) => file.includes('/'))).toEqual([])
  })

  test('on Linux', () => {
    const files = filesOn('linux', '/home/me', { XDG_CONFIG_HOME: '/xdg' })
    expect(files).toContain('/xdg/Claude/claude_desktop_config.json')
    expect(files).toContain('/xdg/opencode/opencode.json')
    expect(files).toContain('/etc/claude-code/managed-mcp.json')
  })
})
