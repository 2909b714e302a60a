import { describe, expect, test } from 'vitest'
import { maskSecrets, parsePasted, type ServerEntry } from '../src/config.ts'

const pasted = async (text: string): Promise<unknown[]> => {
  const { entries } = await parsePasted(text)
  return entries.map(({ name, transport }) => {
    if (transport.kind !== 'stdio') return [name, transport.kind, transport.url, transport.headers]
    return [name, transport.command, ...transport.args, transport.env]
  })
}
const base64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64')
const query = (value: unknown): string => encodeURIComponent(JSON.stringify(value))

describe('command lines', () => {
  test.each([
    ['npx -y @scope/server-files@1.2.3 /tmp', ['server-files', 'npx', '-y', '@scope/server-files@1.2.3', '/tmp', {}]],
    ['A=1 B="two words" docker run -i mcp/git', ['git', 'docker', 'run', '-i', 'mcp/git', { A: '1', B: 'two words' }]],
    ['uvx kit --dir \'a b\' "c\\"d" e\\ f', ['kit', 'uvx', 'kit', '--dir', 'a b', 'c"d', 'e f', {}]],
    ['C:\\tools\\server.exe --dir C:\\data', ['server', 'C:\\tools\\server.exe', '--dir', 'C:\\data', {}]],
    ['$ npx \\\n  -y server', ['server', 'npx', '-y', 'server', {}]],
    ['node ""', ['node', 'node', '', {}]],
    ['node ./dist/my-server.js', ['my-server', 'node', './dist/my-server.js', {}]],
  ])('%s', async (line, expected) => {
    expect(await pasted(line)).toEqual([expected])
  })

  test.each(['a | b', 'a; b', 'a && b', 'a > b', 'a `b`', 'a $(b)', 'a "b', 'A=1', 'a\nb'])(
    '%j is refused',
    async (line) => {
      expect(await parsePasted(line)).toMatchObject({ entries: [], problems: [{ code: 'syntax' }] })
    },
  )

  test.each([
    [
      'claude mcp add --transport sse s https://s.example/sse --header "X-Key: a:b"',
      ['s', 'sse', 'https://s.example/sse', { 'X-Key': 'a:b' }],
    ],
    ['claude mcp add -e KEY=1 -s user air -- npx -y air --flag', ['air', 'npx', '-y', 'air', '--flag', { KEY: '1' }]],
    [`claude mcp add-json --scope user w '{"type":"stdio","command":"/w","args":["-x"]}'`, ['w', '/w', '-x', {}]],
    ['codex mcp add ctx --env A=b -- npx ctx', ['ctx', 'npx', 'ctx', { A: 'b' }]],
    [
      'codex mcp add fig --url https://f.example --bearer-token-env-var FIG',
      ['fig', 'http', 'https://f.example', { Authorization: 'Bearer ${FIG}' }],
    ],
    ['gemini mcp add -t http api https://a.example/mcp', ['api', 'http', 'https://a.example/mcp', {}]],
    [`code --add-mcp '{"name":"pw","command":"npx","args":["pw"]}'`, ['pw', 'npx', 'pw', {}]],
  ])('%s', async (line, expected) => {
    expect(await pasted(line)).toEqual([expected])
  })

  test.each(['claude mcp add', 'claude mcp add name', "code --add-mcp '{'", 'code --add-mcp 5'])(
    '%s is incomplete',
    async (line) => {
      expect(await parsePasted(line)).toMatchObject({ entries: [], problems: [{ code: 'syntax' }] })
    },
  )
})

test.each([
  ['https://mcp.sentry.dev/mcp', ['sentry', 'http', 'https://mcp.sentry.dev/mcp', {}]],
  ['  wss://live.example.com/x \n', ['live', 'websocket', 'wss://live.example.com/x', {}]],
])('the URL %s', async (url, expected) => {
  expect(await pasted(url)).toEqual([expected])
})

describe('install links', () => {
  const process = { command: 'npx', args: ['-y', 'pg'] }
  test.each([
    ['Cursor', `cursor://anysphere.cursor-deeplink/mcp/install?name=pg&config=${encodeURIComponent(base64(process))}`],
    ['Cursor, unescaped', `cursor://anysphere.cursor-deeplink/mcp/install?name=pg&config=${base64(process)}`],
    ['Cursor, by a page', `https://cursor.com/en/install-mcp?name=pg&config=${base64(process)}`],
    ['VS Code', `vscode:mcp/install?${query({ name: 'pg', ...process })}`],
    ['VS Code Insiders', `vscode-insiders:mcp/install?${query({ name: 'pg', ...process })}`],
    ['VS Code, by a page', `https://insiders.vscode.dev/redirect/mcp/install?name=pg&config=${query(process)}`],
    [
      'VS Code, wrapped',
      `https://vscode.dev/redirect?url=${encodeURIComponent(`vscode:mcp/install?${query({ name: 'pg', ...process })}`)}`,
    ],
    ['LM Studio', `lmstudio://add_mcp?name=pg&config=${base64(process)}`],
    ['Goose', 'goose://extension?cmd=npx&arg=-y&arg=pg&id=pg&name=pg'],
  ])('of %s', async (_host, link) => {
    expect(await pasted(link)).toEqual([['pg', 'npx', '-y', 'pg', {}]])
  })

  test('with inputs', async () => {
    const inputs = [{ id: 'token', type: 'promptString', password: true }]
    const entry = { name: 'x', type: 'http', url: 'https://x.example', headers: { A: '${input:token}' }, inputs }
    const { entries } = await parsePasted(`vscode:mcp/install?${query(entry)}`)
    expect(entries).toMatchObject([{ name: 'x', inputs }])
  })

  test('of Goose name variables, and URLs', async () => {
    const { entries } = await parsePasted('goose://extension?url=https%3A%2F%2Fx.example&name=x&timeout=5')
    expect(entries).toMatchObject([{ timeoutMs: 5_000, transport: { kind: 'http', url: 'https://x.example' } }])
    const keys = await parsePasted('goose://extension?cmd=npx&arg=x&name=x&env=TOKEN%3DYour%20token')
    expect(keys.entries).toMatchObject([{ transport: { envFromHost: ['TOKEN'] } }])
  })

  test.each([
    'cursor://anysphere.cursor-deeplink/mcp/install?name=x',
    'cursor://anysphere.cursor-deeplink/mcp/install?name=x&config=%00',
    'vscode:mcp/install?%7B',
    'vscode:mcp/install?%',
    'goose://extension?name=x',
  ])('%s is refused', async (link) => {
    expect(await parsePasted(link)).toMatchObject({ entries: [], problems: [{ code: 'syntax' }] })
  })
})

describe('parts of files', () => {
  const one = ['a', 'npx', 'b', {}]
  test.each([
    ['a file', '{"mcpServers":{"a":{"command":"npx","args":["b"]}}}'],
    ['another host’s file', '{"servers":{"a":{"type":"stdio","command":"npx","args":["b"]}}}'],
    ['entries by name', '{"a":{"command":"npx","args":["b"]}}'],
    ['a member', '"a": {"command":"npx","args":["b"]},'],
    ['with comments and commas', '// why\n{"a":{"command":"npx","args":["b",],},}'],
    ['in a fence', '```json\n{"a":{"command":"npx","args":["b"]}}\n```\n'],
    ['an entry with a name', '{"name":"a","command":"npx","args":["b"]}'],
    ['a list', '[{"name":"a","command":"npx","args":["b"]}]'],
    ['TOML', '[mcp_servers.a]\ncommand = "npx"\nargs = ["b"]\n'],
    ['YAML of Goose', 'extensions:\n  a: {type: stdio, cmd: npx, args: [b]}\n'],
    ['YAML of Continue', 'mcpServers:\n  - name: a\n    command: npx\n    args: [b]\n'],
    ['YAML by name', 'a:\n  command: npx\n  args: [b]\n'],
    ['a list as command', '{"a":{"type":"local","command":["npx","b"]}}'],
  ])('%s', async (_what, text) => {
    expect(await pasted(text)).toEqual([one])
  })

  test('an entry without a name gets one', async () => {
    expect(await pasted('{"url":"https://api.linear.app/mcp"}')).toMatchObject([
      ['linear', 'http', 'https://api.linear.app/mcp', {}],
    ])
    expect(await pasted('{"command":"npx","args":["-y","b-mcp"]}')).toMatchObject([['b-mcp', 'npx', '-y', 'b-mcp', {}]])
  })

  test('names of prototypes are just names', async () => {
    const { entries } = await parsePasted('{"mcpServers":{"__proto__":{"command":"x"},"constructor":{"command":"y"}}}')
    expect(entries.map(({ name }: ServerEntry) => name)).toEqual(['__proto__', 'constructor'])
    expect(await pasted('// \n{"__proto__":{"command":"x"}}')).toEqual([['__proto__', 'x', {}]])
  })

  test.each([
    '',
    '{}',
    '[]',
    '{"a":1}',
    '{"mcpServers":5}',
    '{"mcpServers":{"a":{}}}',
    '{"mcpServers":{"a":',
    'x'.repeat(2 ** 20 + 1),
  ])('%.40j has no server and says so', async (text) => {
    const { entries, problems } = await parsePasted(text)
    expect(entries).toEqual([])
    expect(problems).not.toEqual([])
  })
})

describe('a megabyte that somebody thought about', () => {
  const many = (text: string): string => text.repeat(Math.floor((2 ** 20 - 100) / text.length))
  test.each([
    ['pages that lead to pages', `${many('https://vscode.dev/redirect?url=')}x`],
    ['lines', `a${many('\n')}b`],
    ['lines after a name', `a:${many('\n')}b`],
    ['a fence', `\`\`\`\n${many(' ')}\n`],
    ['nesting', many('[')],
    ['nesting in what may have comments', `{"mcpServers": // \n${many('[')}`],
    ['nesting in YAML', `mcp: ${many('[')}`],
    ['quotes', many('"')],
    ['backslashes', `"${many('\\')}`],
    ['slashes', many('/')],
    ['dollars', `x ${many('${')}`],
    ['passwords', `x a://${many(':')}`],
    ['words', many('a ')],
  ])('%s', async (_what, text) => {
    const { entries, problems } = await parsePasted(text)
    for (const entry of entries) maskSecrets(entry)
    expect(entries.length + problems.length).toBeGreaterThan(0)
  })
})
