import { describe, expect, test } from 'vitest'
import {
  ConfigError,
  expand,
  type HostId,
  knownHosts,
  parsePasted,
  readConfigText,
  type ServerEntry,
  toSnippet,
} from '../src/config.ts'

const entryOf = async (value: object, host: HostId = 'generic'): Promise<ServerEntry> => {
  const [root] = host === 'vscode' ? ['servers'] : host === 'codex' ? ['mcp_servers'] : ['mcpServers']
  const { entries } = await readConfigText(JSON.stringify({ [root!]: { x: value } }), { host, format: 'json' })
  return entries[0]!
}
const lostBy = async (entry: ServerEntry, host: HostId): Promise<string[]> =>
  (await toSnippet(entry, host)).lost.map(({ path }) => path!.slice(1).join('.'))

const remoteHosts = knownHosts.map(({ id }) => id).filter((id) => id !== 'claude-desktop')

describe('what is written is read back alike', () => {
  const process = { command: 'npx', args: ['-y', 'a b'], env: { LEVEL: 'debug' } }

  test.each(knownHosts.map(({ id }) => id))('a process, by %s', async (host) => {
    const entry = await entryOf(process)
    const { text, format, lost } = await toSnippet(entry, host)
    const { entries, problems } = await readConfigText(text, { host, format })
    expect(lost).toEqual([])
    expect(problems).toEqual([])
    expect(entries).toMatchObject([{ name: 'x', transport: entry.transport, problems: [] }])
    // Pasting it gives the same entry.
    expect((await parsePasted(text)).entries).toMatchObject([{ name: 'x', transport: entry.transport }])
  })

  test.each(remoteHosts)('a URL with a token in a variable, by %s', async (host) => {
    const entry = await entryOf({
      type: 'http',
      url: 'https://x.example/mcp',
      headers: { Authorization: 'Bearer ${T}' },
    })
    const { text, format, lost } = await toSnippet(entry, host)
    const { entries } = await readConfigText(text, { host, format })
    const { transport } = await expand(entries[0]!, { env: { T: 'secret' } })
    const fills = lost.length === 0
    expect(transport).toMatchObject({ kind: 'http', url: 'https://x.example/mcp' })
    expect(transport).toMatchObject({ headers: { Authorization: fills ? 'Bearer secret' : 'Bearer ${T}' } })
    expect(fills).toBe(!['lm-studio', 'zed', 'mcp-agent'].includes(host))
  })

  test.each(remoteHosts.filter((id) => !['codex', 'goose'].includes(id)))('a stream of events, by %s', async (host) => {
    const entry = await entryOf({ type: 'sse', url: 'https://x.example/sse' })
    const { text, format } = await toSnippet(entry, host)
    const { entries } = await readConfigText(text, { host, format })
    expect(entries).toMatchObject([{ transport: { url: 'https://x.example/sse' } }])
  })

  test('names that are more than words', async () => {
    for (const name of ['__proto__', 'a.b "c"', 'ü\n']) {
      const entry = { ...(await entryOf(process)), name }
      for (const host of ['codex', 'goose', 'cursor', 'continue'] as const) {
        const { text, format } = await toSnippet(entry, host)
        expect((await readConfigText(text, { host, format })).entries.map((read) => read.name)).toEqual([name])
      }
    }
  })
})

test('each host is written in its own words', async () => {
  const full = await entryOf({
    type: 'http',
    url: 'https://x.example/mcp',
    headers: { Authorization: 'Bearer ${T}', 'X-Trace': '${TRACE}', 'X-Plain': 'p' },
    timeout: 5_000,
    disabled: true,
    includeTools: ['a'],
    oauth: { clientId: 'id', scopes: ['r', 'w'] },
  })
  expect((await toSnippet(full, 'codex')).text).toMatchInlineSnapshot(`
    "[mcp_servers.x]
    url = "https://x.example/mcp"
    bearer_token_env_var = "T"
    enabled = false
    tool_timeout_sec = 5
    enabled_tools = [ "a" ]
    scopes = [ "r", "w" ]

    [mcp_servers.x.env_http_headers]
    X-Trace = "TRACE"

    [mcp_servers.x.http_headers]
    X-Plain = "p"

    [mcp_servers.x.oauth]
    client_id = "id"
    "
  `)
  expect((await toSnippet(full, 'claude-code')).text).toMatchInlineSnapshot(`
    "{
      "mcpServers": {
        "x": {
          "type": "http",
          "url": "https://x.example/mcp",
          "headers": {
            "Authorization": "Bearer \${T}",
            "X-Trace": "\${TRACE}",
            "X-Plain": "p"
          },
          "timeout": 5000,
          "oauth": {
            "clientId": "id",
            "scopes": "r w"
          }
        }
      }
    }
    "
  `)
  expect((await toSnippet(full, 'continue')).text).toMatchInlineSnapshot(`
    "mcpServers:
      - name: x
        type: streamable-http
        url: https://x.example/mcp
        requestOptions:
          headers:
            Authorization: Bearer \${{ secrets.T }}
            X-Trace: \${{ secrets.TRACE }}
            X-Plain: p
    "
  `)
  expect(await lostBy(full, 'codex')).toEqual([])
  expect(await lostBy(full, 'claude-code')).toEqual(['disabled', 'tools.allow'])
})

describe('what cannot be said is reported', () => {
  test('variables of other hosts', async () => {
    const entry = await entryOf(
      { type: 'stdio', command: '${workspaceFolder}/x', args: ['${input:k}'], envFile: '.env' },
      'vscode',
    )
    expect(await lostBy(entry, 'cursor')).toEqual(['args.0'])
    expect(await lostBy(entry, 'claude-code')).toEqual(['command', 'args.0', 'envFile'])
    expect(JSON.parse((await toSnippet(entry, 'vscode')).text)).toMatchObject({ inputs: [{ id: 'k' }] })
  })

  test('defaults where there are none', async () => {
    const entry = await entryOf({ command: 'x', args: ['${A:-b}'] }, 'claude-code')
    expect(await lostBy(entry, 'cursor')).toEqual(['args.0'])
    expect(await lostBy(entry, 'fast-agent')).toEqual([])
    expect((await toSnippet(entry, 'fast-agent')).value).toMatchObject({ args: ['${A:b}'] })
  })

  test('text that another host would take for a variable', async () => {
    const entry = await entryOf({ command: 'x', args: ['${LITERAL}'] }, 'claude-desktop')
    expect(await lostBy(entry, 'claude-code')).toEqual(['args.0'])
    expect(await lostBy(entry, 'cline')).toEqual([])
  })

  test('variables that are passed on become a list, or references', async () => {
    const entry = await entryOf({ command: 'x', env: { TOKEN: '${TOKEN}', LEVEL: '${DEBUG}' } }, 'claude-code')
    const codex = await toSnippet(entry, 'codex')
    expect(codex.value).toMatchObject({ env_vars: ['TOKEN'], env: { LEVEL: '${DEBUG}' } })
    expect(codex.lost).toMatchObject([{ path: ['x', 'env', 'LEVEL'] }])
    const back = await entryOf({ command: 'x', env_vars: ['TOKEN'] }, 'codex')
    expect((await toSnippet(back, 'vscode')).value).toMatchObject({ env: { TOKEN: '${env:TOKEN}' } })
  })

  test('servers that a host cannot reach', async () => {
    const url = await entryOf({ url: 'https://x.example' })
    await expect(toSnippet(url, 'claude-desktop')).rejects.toThrow(ConfigError)
    const socket = await entryOf({ url: 'wss://x.example' })
    await expect(toSnippet(socket, 'vscode')).rejects.toThrow(
      'x: config files of VS Code cannot name servers by websocket',
    )
  })
})
