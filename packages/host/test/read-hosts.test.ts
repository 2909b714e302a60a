import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { hosts } from '../src/config/hosts/hosts.ts'
import { type Config, type HostId, readConfig, readConfigText, type ServerEntry } from '../src/config.ts'

const fixtures = fileURLToPath(new URL('fixtures/', import.meta.url))
const read = (host: HostId, name: string): Promise<Config> => readConfig(`${fixtures}${host}/${name}`, { host })
const named = ({ entries }: Config, name: string): ServerEntry => entries.find((entry) => entry.name === name)!
const codes = ({ problems }: ServerEntry | Config): string[] =>
  problems.map(({ code, path }) => `${code} ${path?.at(-1)}`)

test('there is a fixture for every host', () => {
  const known = hosts.map(({ id }) => id).filter((id) => id !== 'generic')
  expect(readdirSync(fixtures).sort()).toEqual(known.sort())
})

test('the documentation has a row for every host', () => {
  const page = readFileSync(new URL('../../../docs/config-files.md', import.meta.url), 'utf8')
  for (const { id, title } of hosts) if (id !== 'generic') expect(page).toContain(`\n| ${title} |`)
})

describe('Claude Code', () => {
  test('reads projects with every transport, and runs no helper', async () => {
    const config = await read('claude-code', '.mcp.json')
    expect(config.problems).toEqual([])
    expect(config.entries.map(({ name, transport }) => [name, transport.kind])).toEqual([
      ['database', 'stdio'],
      ['api', 'http'],
      ['events', 'sse'],
      ['live', 'websocket'],
      ['internal', 'http'],
    ])
    expect(named(config, 'api')).toMatchObject({
      timeoutMs: 600_000,
      auth: {
        clientId: 'abc',
        callbackPort: 8080,
        scopes: ['read', 'write'],
        metadataUrl: 'https://auth.example.com/.well-known/openid-configuration',
      },
      problems: [],
    })
    expect(named(config, 'internal').problems).toMatchObject([{ code: 'not_run', line: 25, column: 7 }])
  })

  test('reads what a user added for all projects and for one', async () => {
    const { entries } = await read('claude-code', '.claude.json')
    expect(entries.map(({ name, source }) => [name, source.scope, source.folder])).toEqual([
      ['database', 'local', '/projects/app'],
      ['elsewhere', 'local', '/projects/other'],
      ['database', 'user', undefined],
      ['notion', 'user', undefined],
    ])
    expect(entries[0]!.source.path).toEqual(['projects', '/projects/app', 'mcpServers', 'database'])
  })
})

test('Tenon: the list of `tenon add`', async () => {
  const config = await read('tenon', 'mcp.json')
  expect(config.problems).toEqual([])
  expect(named(config, 'files')).toMatchObject({ timeoutMs: 30_000, transport: { cwd: '/work' }, problems: [] })
  expect(named(config, 'off')).toMatchObject({ disabled: true, transport: { kind: 'http' }, problems: [] })
})

test('Claude Desktop: values are as they are', async () => {
  const config = await read('claude-desktop', 'claude_desktop_config.json')
  expect(config.entries).toMatchObject([{ name: 'filesystem', source: { title: 'Claude Desktop' }, problems: [] }])
})

test('VS Code: comments, inputs, files with variables, sockets', async () => {
  const config = await read('vscode', 'mcp.json')
  expect(config.problems).toEqual([])
  const python = named(config, 'python')
  expect(python.transport).toMatchObject({ cwd: 'src', envFile: '${workspaceFolder}/.env' })
  expect(python.inputs?.map(({ id, type }) => [id, type])).toEqual([
    ['region', 'pickString'],
    ['login', 'command'],
    ['api-key', 'promptString'],
  ])
  expect(python.inputs?.[0]).toMatchObject({ options: ['eu', 'us'], default: 'eu' })
  expect(codes(python)).toEqual(['ignored dev', 'ignored sandboxEnabled'])
  expect(named(config, 'remote')).toMatchObject({ auth: { clientId: 'vscode-client' }, inputs: [{ password: true }] })
})

test('Cursor: env files and credentials of clients', async () => {
  const config = await read('cursor', 'mcp.json')
  expect(named(config, 'local').transport).toMatchObject({ envFile: '.env' })
  expect(named(config, 'oauth-server').auth).toEqual({
    clientId: '${env:MCP_CLIENT_ID}',
    clientSecret: '${env:MCP_CLIENT_SECRET}',
    scopes: ['read', 'write'],
  })
})

test('Windsurf: serverUrl, and tools that are switched off', async () => {
  const config = await read('windsurf', 'mcp_config.json')
  expect(named(config, 'github').tools).toEqual({ deny: ['delete_repository'] })
  expect(named(config, 'remote')).toMatchObject({
    disabled: true,
    transport: { kind: 'http', url: 'https://example.com/mcp' },
  })
})

test('Codex: TOML, variables by name, tokens in variables', async () => {
  const config = await read('codex', 'config.toml')
  expect(named(config, 'context7')).toMatchObject({
    transport: { env: { LOG_LEVEL: 'debug', PORT: '8080' }, envFromHost: ['CONTEXT7_KEY', 'REMOTE_KEY'] },
    timeoutMs: 45_500,
    startTimeoutMs: 20_000,
    tools: { allow: ['resolve-library-id'], deny: ['dangerous'] },
    problems: [],
  })
  const figma = named(config, 'figma')
  expect(figma).toMatchObject({
    disabled: true,
    auth: { clientId: 'figma-client', callbackPort: 5555, scopes: ['files:read'] },
    transport: {
      headers: { 'X-Figma-Region': 'us-east-1' },
      headersFromEnv: {
        Authorization: { variable: 'FIGMA_OAUTH_TOKEN', prefix: 'Bearer ' },
        'X-Trace': { variable: 'TRACE_ID' },
      },
    },
  })
  expect(codes(figma)).toEqual(['ignored default_tools_approval_mode', 'not_run http_headers_helper'])
  expect(named(config, '__proto__').transport).toMatchObject({ command: 'proto' })
})

test('Cline: seconds, and approvals that are not taken over', async () => {
  const config = await read('cline', 'cline_mcp_settings.json')
  expect(named(config, 'local-server')).toMatchObject({ disabled: true, timeoutMs: 60_000 })
  expect(codes(named(config, 'local-server'))).toEqual(['ignored autoApprove'])
  expect(config.entries.map(({ transport }) => transport.kind)).toEqual(['stdio', 'http', 'sse', 'http'])
})

test('OpenCode: commands as lists, in both versions of the file', async () => {
  const first = await read('opencode', 'opencode.jsonc')
  expect(named(first, 'everything')).toMatchObject({
    transport: {
      command: 'npx',
      args: ['-y', '@modelcontextprotocol/server-everything'],
      env: { KEY: '{env:MY_KEY}' },
    },
    startTimeoutMs: 10_000,
    problems: [],
  })
  expect(named(first, 'sentry')).toMatchObject({ disabled: true, auth: { scopes: ['tools:read', 'tools:execute'] } })
  const second = await read('opencode', 'v2.json')
  expect(second.entries).toMatchObject([
    { name: 'mine', disabled: true, timeoutMs: 60_000, startTimeoutMs: 30_000, problems: [] },
    { name: 'remote', auth: { clientId: 'id', scopes: ['a', 'b'], callbackPort: 1234 }, problems: [] },
  ])
})

test('Gemini CLI: a URL is HTTP unless the type says otherwise', async () => {
  const config = await read('gemini', 'settings.json')
  expect(config.entries.map(({ transport }) => transport.kind)).toEqual(['stdio', 'http', 'http', 'sse'])
  expect(named(config, 'python')).toMatchObject({ tools: { allow: ['safe'], deny: ['dangerous'] }, timeoutMs: 15_000 })
  expect(codes(named(config, 'python'))).toEqual(['ignored trust'])
})

test('LM Studio and Copilot CLI', async () => {
  const studio = await read('lm-studio', 'mcp.json')
  expect(studio.entries.map(({ name, problems }) => [name, problems])).toEqual([
    ['hf', []],
    ['files', []],
  ])
  const copilot = await read('copilot', 'mcp-config.json')
  expect(copilot.entries.map(({ tools, transport }) => [transport.kind, tools])).toEqual([
    ['stdio', undefined],
    ['http', { allow: ['get-library-docs'] }],
  ])
})

test('Continue: a list in YAML, with numbers that should have been strings', async () => {
  const config = await read('continue', 'config.yaml')
  expect(config.entries.map(({ name, transport }) => [name, transport.kind])).toEqual([
    ['SQLite MCP', 'stdio'],
    ['Remote', 'http'],
    ['Hub', 'sse'],
  ])
  expect(config.entries[0]!.transport).toMatchObject({ env: { PORT: '8080' } })
  expect(config.entries[1]).toMatchObject({
    transport: { headers: { 'X-Team': 'tools', Authorization: 'Bearer ${{ secrets.REMOTE_KEY }}' } },
    startTimeoutMs: 5_000,
    problems: [],
  })
})

test('Zed: servers of extensions cannot be used elsewhere', async () => {
  const config = await read('zed', 'settings.json')
  expect(config.entries.map(({ name, disabled }) => [name, disabled])).toEqual([
    ['local', undefined],
    ['remote', true],
  ])
  expect(config.problems).toMatchObject([{ code: 'shape', path: ['context_servers', 'from-extension'], line: 6 }])
})

test('Kiro and Crush', async () => {
  const kiro = await read('kiro', 'mcp.json')
  expect(named(kiro, 'local')).toMatchObject({ tools: { deny: ['tool_name3'] }, problems: [{ code: 'ignored' }] })
  const crush = await read('crush', 'crush.json')
  expect(named(crush, 'filesystem')).toMatchObject({ startTimeoutMs: 120_000, problems: [] })
  expect(named(crush, 'github').auth).toEqual({ clientId: 'id', callbackPort: 4000 })
})

test('Goose: built-in extensions are the host’s, keys are variables', async () => {
  const config = await read('goose', 'config.yaml')
  expect(config.problems).toMatchObject([{ code: 'unsupported', path: ['extensions', 'developer', 'type'], line: 4 }])
  expect(named(config, 'github')).toMatchObject({
    transport: { command: 'npx', env: { LOG: '1' }, envFromHost: ['GITHUB_PERSONAL_ACCESS_TOKEN'] },
    timeoutMs: 300_000,
    problems: [],
  })
  expect(named(config, 'github').tools).toBeUndefined()
  expect(named(config, 'remote')).toMatchObject({ disabled: true, tools: { allow: ['search'] }, problems: [] })
})

test('fast-agent: targets in one string, and secrets from the file beside it', async () => {
  const config = await read('fast-agent', 'fast-agent.yaml')
  expect(named(config, 'fetch').transport).toMatchObject({
    command: 'uvx',
    args: ['mcp-server-fetch', '--flag', 'two words'],
  })
  expect(named(config, 'hf').transport).toMatchObject({ kind: 'http', url: 'https://huggingface.co/mcp' })
  expect(named(config, 'remote')).toMatchObject({
    transport: { headers: { Authorization: 'Bearer secret' } },
    auth: { scopes: ['user'] },
  })
  expect(named(config, 'filesystem').timeoutMs).toBe(30_000)
})

test('mcp-agent', async () => {
  const config = await read('mcp-agent', 'mcp_agent.config.yaml')
  expect(config.entries.map(({ name, transport }) => [name, transport.kind])).toEqual([
    ['fetch', 'stdio'],
    ['api', 'http'],
    ['live', 'websocket'],
  ])
  expect(codes(named(config, 'fetch'))).toEqual(['ignored roots'])
})

test('Zed: the older shape, with the program in a member of its own', async () => {
  const old = { command: { path: 'npx', args: ['-y', 'files'], env: { A: '1' } }, settings: {} }
  const { entries, problems } = await readConfigText(JSON.stringify({ context_servers: { old } }), { host: 'zed' })
  expect(problems).toEqual([])
  expect(entries).toMatchObject([
    { name: 'old', transport: { kind: 'stdio', command: 'npx', args: ['-y', 'files'], env: { A: '1' } }, problems: [] },
  ])
})
