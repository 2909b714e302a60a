import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  ConfigError,
  type ExpandOptions,
  expand,
  type HostId,
  type InputDefinition,
  type ResolvedEntry,
  readConfig,
  readConfigText,
  type ServerEntry,
  toTarget,
} from '../src/config.ts'

const fixtures = fileURLToPath(new URL('fixtures/', import.meta.url))

async function fixture(host: HostId, file: string, name: string, folder?: string): Promise<ServerEntry> {
  const { entries } = await readConfig(`${fixtures}${host}/${file}`, { host, ...(folder && { folder }) })
  return entries.find((entry) => entry.name === name)!
}

/** One value, expanded by the rules of a host. */
async function header(host: HostId, value: string, options: ExpandOptions = {}): Promise<[string, string[]]> {
  const { entries } = await readConfigText('{"mcpServers":{"x":{"url":"https://x.example"}}}', { host: 'generic' })
  const [entry] = entries as [ServerEntry]
  const written: ServerEntry = {
    ...entry,
    source: { ...entry.source, host },
    transport: { kind: 'http', url: 'https://x.example', headers: { h: value } },
  }
  const { transport, unresolved } = await expand(written, { env: { A: 'a', EMPTY: '' }, ...options })
  return [transport.kind === 'stdio' ? '' : transport.headers.h!, unresolved.map(({ text }) => text)]
}

describe('variables, host by host', () => {
  const rows: [HostId, string, string, string[]][] = [
    ['claude-code', '${A}|${B:-b}|${EMPTY:-e}|$A|${env:A}', 'a|b||$A|${env:A}', []],
    ['claude-code', '${B}', '${B}', ['${B}']],
    ['claude-desktop', '${A}', '${A}', []],
    ['vscode', '${env:A}|${A}|$A', 'a|${A}|$A', []],
    [
      'vscode',
      '${env:B}|${command:x}|${config:y}',
      '${env:B}|${command:x}|${config:y}',
      ['${env:B}', '${command:x}', '${config:y}'],
    ],
    ['cursor', '${env:A}|${input:x}', 'a|${input:x}', []],
    ['windsurf', '${env:A}|${A}|${workspaceFolder}', 'a|${A}|${workspaceFolder}', []],
    ['kiro', '${A}|${env:A}', 'a|${env:A}', []],
    ['copilot', '${A}|${B:-c}', 'a|c', []],
    ['gemini', '$A|${A}|${B:-b}|$', 'a|a|b|$', []],
    ['gemini', '$B', '$B', ['$B']],
    ['crush', '$A|$(cat /etc/passwd)', 'a|$(cat /etc/passwd)', ['$(cat /etc/passwd)']],
    ['goose', '${A}|$A', 'a|a', []],
    ['opencode', '{env:A}|${A}|{env:B}', 'a|${A}|{env:B}', ['{env:B}']],
    ['continue', '${{ secrets.A }}|${A}|${{ inputs.B }}', 'a|${A}|${{ inputs.B }}', ['${{ inputs.B }}']],
    ['fast-agent', '${A}|${B:b}', 'a|b', []],
    ['mcp-agent', '${A}', '${A}', []],
    ['cline', '${env:A}|${A}|$A', 'a|${A}|$A', []],
    ['zed', '${A}', '${A}', []],
    ['codex', '${A}', '${A}', []],
    ['generic', '${A}|${env:A}|${B:-b}|$A', 'a|a|b|$A', []],
  ]
  test.each(rows)('%s: %s', async (host, value, expected, unresolved) => {
    expect(await header(host, value)).toEqual([expected, unresolved])
  })

  test('what a variable contains is not expanded again', async () => {
    expect(await header('claude-code', '${A}', { env: { A: '${B}', B: 'b' } })).toEqual(['${B}', []])
  })

  test('names of variables have no case on Windows', async () => {
    const env = { Path: 'p' }
    expect(await header('claude-code', '${PATH}', { env, platform: 'win32' })).toEqual(['p', []])
    expect(await header('claude-code', '${PATH}', { env, platform: 'linux' })).toEqual(['${PATH}', ['${PATH}']])
  })

  test('inherited names are no variables', async () => {
    expect(await header('claude-code', '${constructor}${__proto__}')).toEqual([
      '${constructor}${__proto__}',
      ['${constructor}', '${__proto__}'],
    ])
  })

  test('folders are those of the platform', async () => {
    const where = { cwd: 'C:\\work\\app', home: 'C:\\Users\\me', platform: 'win32' } as const
    const value = '${workspaceFolder}|${workspaceFolderBasename}|${userHome}|${pathSeparator}|${/}'
    expect(await header('vscode', value, where)).toEqual(['C:\\work\\app|app|C:\\Users\\me|\\|\\', []])
  })
})

describe('VS Code', () => {
  const files = new Map([['/projects/app/.env', 'FROM_FILE=1\nTOKEN="file"\n']])
  const readFile = async (file: string): Promise<string> => files.get(file) ?? Promise.reject(new Error('no such file'))
  const where = { cwd: '/elsewhere', home: '/home/me', platform: 'linux', env: { TOKEN: 't' }, readFile } as const

  test('asks for inputs once, in order, and runs no command', async () => {
    const entry = await fixture('vscode', 'mcp.json', 'python', '/projects/app')
    const asked: InputDefinition[] = []
    const askInput = (input: InputDefinition): string => {
      asked.push(input)
      return `<${input.id}>`
    }
    const { transport, unresolved } = await expand(entry, { ...where, askInput })
    expect(asked.map(({ id }) => id)).toEqual(['region', 'api-key'])
    expect(transport).toEqual({
      kind: 'stdio',
      command: '/projects/app/.venv/bin/python',
      args: ['server.py', '--region', '<region>', '--user', '${input:login}'],
      env: { FROM_FILE: '1', TOKEN: 't', API_KEY: '<api-key>', HOME_DIR: '/home/me/data' },
      cwd: '/projects/app/src',
    })
    expect(unresolved).toMatchObject([{ text: '${input:login}', path: ['args', 4] }])
  })

  test('takes answers that are known, and reports what nobody answers', async () => {
    const entry = await fixture('vscode', 'mcp.json', 'remote')
    const { transport, unresolved } = await expand(entry, { ...where, inputs: { 'api-key': 'k' } })
    expect(transport).toMatchObject({ headers: { Authorization: 'Bearer k' } })
    expect(unresolved.map(({ text }) => text)).toEqual(['${config:editor.fontSize}'])
    const unanswered = await expand(entry, { ...where, askInput: () => undefined })
    expect(unanswered.unresolved).toMatchObject([{ text: '${input:api-key}', why: 'nobody has answered' }, {}])
  })

  test('a file of variables that cannot be read is reported', async () => {
    const entry = await fixture('vscode', 'mcp.json', 'python', '/nowhere')
    const { unresolved } = await expand(entry, { ...where, askInput: () => 'x' })
    expect(unresolved).toContainEqual(expect.objectContaining({ path: ['envFile'], text: '/nowhere/.env' }))
    const refused = await expand(entry, { ...where, readFile: false, askInput: () => 'x' })
    expect(refused.unresolved).toContainEqual(expect.objectContaining({ path: ['envFile'], why: 'files are not read' }))
  })
})

test('Codex: variables and headers come from the environment', async () => {
  const context7 = await expand(await fixture('codex', 'config.toml', 'context7'), { env: { CONTEXT7_KEY: 'k' } })
  expect(context7.transport).toMatchObject({ env: { CONTEXT7_KEY: 'k', LOG_LEVEL: 'debug' } })
  expect(context7.unresolved).toMatchObject([{ text: 'REMOTE_KEY', path: ['envFromHost', 1] }])
  const figma = await expand(await fixture('codex', 'config.toml', 'figma'), {
    env: { FIGMA_OAUTH_TOKEN: 'f', TRACE_ID: '1' },
  })
  expect(figma.transport).toEqual({
    kind: 'http',
    url: 'https://mcp.figma.com/mcp',
    headers: { 'X-Figma-Region': 'us-east-1', Authorization: 'Bearer f', 'X-Trace': '1' },
  })
})

test('Goose: headers are filled in, from the entry itself too; commands are not', async () => {
  const remote = await expand(await fixture('goose', 'config.yaml', 'remote'), { env: { REMOTE_TOKEN: 'r' } })
  expect(remote.transport).toMatchObject({ headers: { Authorization: 'Bearer r', 'X-Team': 'tools' } })
  const github = await expand(await fixture('goose', 'config.yaml', 'github'), { env: { NOT_EXPANDED: 'x' } })
  expect(github.transport).toMatchObject({ args: ['-y', '@modelcontextprotocol/server-github', '$NOT_EXPANDED'] })
  expect(github.unresolved).toMatchObject([{ variable: { name: 'GITHUB_PERSONAL_ACCESS_TOKEN' } }])
})

test('OpenCode and Windsurf: contents of files, relative to the project', async () => {
  const readFile = async (file: string): Promise<string> => `<${file}>\n`
  const sentry = await expand(await fixture('opencode', 'opencode.jsonc', 'sentry', '/p'), {
    readFile,
    env: { ID: 'i' },
    platform: 'linux',
  })
  expect(sentry.transport).toMatchObject({ headers: { Authorization: 'Bearer </p/token>' } })
  expect(sentry.auth).toMatchObject({ clientId: 'i' })
})

describe('targets', () => {
  const resolved = async (value: object): Promise<ResolvedEntry> => {
    const { entries } = await readConfigText(JSON.stringify({ mcpServers: { x: value } }), { host: 'generic' })
    return expand(entries[0]!, { env: {} })
  }

  test('are what connect takes', async () => {
    const process = await resolved({ command: 'node', args: ['x.js'], env: { A: '1' }, timeout: 5 })
    expect(toTarget(process)).toEqual({
      target: { command: 'node', args: ['x.js'], env: { A: '1' }, inheritEnv: 'network' },
      options: { timeoutMs: 5 },
    })
    const url = await resolved({ url: 'https://x.example/mcp', headers: { A: '1' } })
    expect(toTarget(url)).toEqual({ target: 'https://x.example/mcp', options: { headers: { A: '1' } } })
  })

  test.each(['ftp://x.example', 'not a url', 'unix:', '${URL}'])('%s is refused', async (url) => {
    const entry = await resolved({ type: 'http', url })
    expect(() => toTarget(entry)).toThrow(ConfigError)
    expect(() => toTarget(entry)).toThrow(/mcpServers\.x\.url: expected a URL with http/)
  })

  describe('at a socket', () => {
    let folder = ''
    beforeAll(() => {
      folder = mkdtempSync(join(tmpdir(), 'tenon-socket-'))
      writeFileSync(join(folder, 'keep'), '')
    })
    afterAll(() => rmSync(folder, { recursive: true }))

    test('are reached through it', async () => {
      const socket = join(folder, 's.sock')
      const seen: (string | undefined)[] = []
      const server = createServer((request, response) => {
        seen.push(request.url)
        response.writeHead(418).end()
      })
      await new Promise<void>((resolve) => server.listen(socket, resolve))
      const { target, options } = toTarget(await resolved({ url: `unix://${socket}#/mcp` }))
      const { connect } = await import('@tenon/sdk/client')
      await expect(connect(target, options)).rejects.toMatchObject({ name: 'McpError' })
      server.close()
      expect(seen[0]).toBe('/mcp')
    })
  })
})
