import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { begin, type Outcome, onTerminal, parsed, tenon } from './tenon.ts'

interface Script {
  capabilities: object
  answers?: { [method: string]: object }
  delayMs?: number
}

const peer = fileURLToPath(new URL('fixtures/scripted.mjs', import.meta.url))

/** Runs a command on a server that says exactly the answers of a script. */
const onScript = (args: string[], script: Script): Promise<Outcome> =>
  tenon([...args, '--', process.execPath, peer, JSON.stringify(script)])

describe('a large result', () => {
  const large = (bytes: number): Script => ({
    capabilities: { tools: {} },
    answers: {
      'tools/list': { result: { tools: [{ name: 'screenshot', inputSchema: { type: 'object' } }] } },
      'tools/call': { result: { content: [{ type: 'text', text: `$times(${bytes})` }] } },
    },
  })

  test('of 5 MB arrives', async () => {
    const outcome = await onScript(['call', 'screenshot'], large(5_000_000))
    expect(outcome).toMatchObject({ code: 0, stderr: '' })
    expect(outcome.stdout).toHaveLength(5_000_001)
  })

  test('beyond the limit names the option, and blames nobody', async () => {
    const outcome = await onScript(['call', 'screenshot', '--max-message-bytes', '1M'], large(2_000_000))
    expect(outcome).toMatchInlineSnapshot(`
      {
        "code": 6,
        "stderr": "error: Message exceeds the limit of 1048576 bytes on this side; raise it with maxLineBytes
      hint: Take larger messages with --max-message-bytes, for example --max-message-bytes 64M.
      ",
        "stdout": "",
      }
    `)
  })

  test('arrives with a larger limit', async () => {
    const outcome = await onScript(['call', 'screenshot', '--max-message-bytes', '32MiB', '--json'], large(17_000_000))
    expect(parsed(outcome)).toMatchObject({ ok: true })
  })

  test('a size that is none is refused', async () => {
    const outcome = await onScript(['call', 'screenshot', '--max-message-bytes', 'lots'], large(1))
    expect(outcome).toMatchObject({ code: 2 })
    expect(outcome.stderr).toContain(
      '--max-message-bytes: expected a number of bytes such as 500000, 64M or 1G, got "lots"',
    )
  })
})

describe('list on a server that fails at one of its lists', () => {
  const refused = (code: number, message: string): object => ({ error: { code, message } })
  const tools = { result: { tools: [{ name: 'search', inputSchema: { type: 'object' } }] } }
  const resources = { result: { resources: [{ uri: 'file:///a', name: 'a' }] } }
  const offers = { tools: {}, resources: {} }

  test('takes resource templates that it does not know as none', async () => {
    const script = { capabilities: offers, answers: { 'tools/list': tools, 'resources/list': resources } }
    expect(await onScript(['list'], script)).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stderr": "",
        "stdout": "tools 1
        search

      resources 1
        file:///a  a
      ",
      }
    `)
    expect(parsed(await onScript(['list', 'templates', '--json'], script))).toMatchObject({
      ok: true,
      result: { templates: [] },
    })
  })

  test('shows the others, names the one that failed, and exits with its code', async () => {
    const answers = { 'tools/list': tools, 'resources/list': refused(-32603, 'connect ECONNREFUSED') }
    const script = { capabilities: offers, answers }
    expect(await onScript(['list'], script)).toMatchInlineSnapshot(`
      {
        "code": 6,
        "stderr": "error: resources: The server answered with error -32603: connect ECONNREFUSED
      ",
        "stdout": "tools 1
        search
      ",
      }
    `)
    expect(parsed(await onScript(['list', '--json'], script))).toMatchInlineSnapshot(`
      {
        "command": "list",
        "error": {
          "code": "incomplete",
          "exitCode": 6,
          "hint": "The message is of the server; \`tenon info\` shows its capabilities, --verbose the messages.",
          "message": "Not listed: resources. The server answered with error -32603: connect ECONNREFUSED",
        },
        "failed": {
          "resources": {
            "code": "refused",
            "exitCode": 6,
            "message": "The server answered with error -32603: connect ECONNREFUSED",
            "rpc": {
              "code": -32603,
            },
          },
        },
        "ok": false,
        "result": {
          "templates": [],
          "tools": [
            {
              "inputSchema": {
                "type": "object",
              },
              "name": "search",
            },
          ],
        },
        "server": {
          "name": "scripted",
          "revision": "2025-11-25",
          "version": "1.0.0",
        },
      }
    `)
  })

  test('fails where everything that was wanted failed', async () => {
    const script = { capabilities: offers, answers: { 'tools/list': refused(-32603, 'broken') } }
    const outcome = await onScript(['list', 'tools', '--json'], script)
    expect(parsed(outcome)).toMatchObject({ ok: false, error: { code: 'refused', rpc: { code: -32603 }, exitCode: 6 } })
    expect(parsed(outcome)).not.toHaveProperty('result')
  })
})

describe('info', () => {
  test('shows only capabilities that the server declared', async () => {
    const serverInfo = { name: 'old', version: '1.0.0' }
    const capabilities = { tools: { listChanged: false }, experimental: {} }
    const initialize = { result: { protocolVersion: '2024-11-05', capabilities, serverInfo } }
    const script = { capabilities, answers: { initialize } }
    expect((await onScript(['info'], script)).stdout).toMatchInlineSnapshot(`
      "old
      name      old 1.0.0
      revision  2024-11-05
      offers    tools
                experimental
      "
    `)
    expect(parsed(await onScript(['info', '--json'], script))).toMatchObject({ result: { capabilities } })
    expect((parsed(await onScript(['info', '--json'], script)) as { result: object }).result).toEqual({
      info: serverInfo,
      revision: '2024-11-05',
      capabilities,
    })
  })
})

test('a port that cannot be one gets a clear message', async () => {
  expect(await tenon(['info', 'http://localhost:99999/mcp'])).toMatchInlineSnapshot(`
    {
      "code": 2,
      "stderr": "error: Expected a URL, got "http://localhost:99999/mcp"
    hint: The port is 99999; the largest one is 65535.
    ",
      "stdout": "",
    }
  `)
})

describe('a program that does not answer', () => {
  const silent = ['--', process.execPath, '-e', 'process.stdin.resume()']

  test('is said to be waited for, long before the timeout', async () => {
    const running = begin(['info', ...silent])
    await expect.poll(() => running.stderr(), { timeout: 100_000 }).toMatch(/^Starting .*… no answer yet; --timeout/)
    running.interrupt()
    expect(await running.ended).toBe(130)
  })

  test('is said to be starting on a terminal, with the seconds', async () => {
    const { shown } = await onTerminal(['info', ...silent], {}, async ({ shown, type }) => {
      await expect.poll(() => shown(), { timeout: 100_000 }).toMatch(/Starting .*… no answer yet, \d+ s/)
      type('\u0003')
    })
    expect(shown).not.toContain('--timeout')
  })

  test('and repeats its input is no server', async () => {
    expect(await tenon(['info', '--', 'cat'])).toMatchInlineSnapshot(`
      {
        "code": 3,
        "stderr": "error: cat repeats its input: it is not an MCP server
      hint: The words after -- are a program that speaks MCP on its standard input and output.
      ",
        "stdout": "",
      }
    `)
  })
})

test('--prefer session opens one with a server that has both', async () => {
  const answers = {
    'server/discover': {
      result: {
        resultType: 'complete',
        supportedVersions: ['2026-07-28'],
        capabilities: {},
        ttlMs: 0,
        cacheScope: 'private',
      },
    },
  }
  const script = { capabilities: { tools: {} }, answers }
  const revisionOf = async (...args: string[]) =>
    (parsed(await onScript(['info', '--json', ...args], script)) as { server?: { revision?: string } }).server?.revision
  expect(await revisionOf('--prefer', 'newest')).toBe('2026-07-28')
  expect(await revisionOf('--prefer', 'session')).toBe('2025-11-25')
})
