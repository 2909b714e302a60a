/** The lists of a server on terminals of different widths and in pipes, and the health of all servers. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { bare } from './dialogue.ts'
import { everything, everythingUrl, onTerminal, parsed, temporaryFolder, tenon, tenonProcess } from './tenon.ts'

const scripted = fileURLToPath(new URL('fixtures/scripted.mjs', import.meta.url))
const long = 'a_tool_whose_name_is_longer_than_any_column_should_be'
const description = `Reads a file. It has many more words that belong to the manual and not into a list of tools at all.\n\nSecond.`
const tools = [
  {
    name: 'read',
    description,
    inputSchema: {
      type: 'object',
      properties: { limit: { type: 'number' }, path: { type: 'string' } },
      required: ['path'],
    },
  },
  { name: long, description: 'Has a long name.', inputSchema: { type: 'object' } },
]
const capabilities = { tools: {} }
const answers = { 'tools/list': { result: { tools } } }
const program = ['--', process.execPath, scripted, JSON.stringify({ capabilities, answers })]

/** The lines of a terminal without what was there before the list. */
const linesOf = (shown: string): string[] => {
  const lines = bare(shown)
    .split(/\r*\n/)
    .map((line) => line.slice(line.lastIndexOf('\r') + 1))
  return lines.slice(lines.findIndex((line) => line.startsWith('tools ')))
}

describe('tools', () => {
  test('have their name and first sentence on a line, and the arguments below, required ones first', async () => {
    const { stdout } = await tenon(['list', 'tools', ...program])
    expect(stdout).toBe(`tools 2
  read  Reads a file.
        path: string, limit?: number
  ${long}
        Has a long name.
`)
  })

  test('--schema shows the schemas instead', async () => {
    const { stdout } = await tenon(['list', 'tools', '--schema', ...program])
    expect(stdout).toContain('  read  Reads a file.\n    {\n      "type": "object",\n')
    expect(stdout).not.toContain('limit?: number')
  })

  test.each([80, 120])('fit a terminal of %i columns, with every first sentence whole', async (columns) => {
    const { shown } = await onTerminal(['list', 'tools', ...everything], { columns })
    const lines = linesOf(shown)
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(columns)
    const text = lines.join(' ').replace(/\s+/g, ' ')
    const listed = parsed(await tenon(['list', 'tools', '--json', ...everything])) as never as {
      result: { tools: { name: string; description: string }[] }
    }
    for (const { name, description } of listed.result.tools) {
      const [sentence] = description.split(/(?<=[.!?])\s+(?=[A-Z])|\n/)
      expect(text).toContain(`${name} ${sentence!.replace(/\s+/g, ' ')}`)
    }
    expect(text).not.toContain('…  ')
  })

  test('have dimmed arguments, and with NO_COLOR no colours at all', async () => {
    const { shown } = await onTerminal(['list', 'tools', ...program])
    expect(shown).toContain('\u001b[2mpath: string, limit?: number\u001b[22m')
    const plain = await onTerminal(['list', 'tools', '-q', ...program], { env: { NO_COLOR: '1' } })
    expect(plain.shown).not.toContain('\u001b[')
  })
})

describe('without a target', { timeout: 100_000 }, () => {
  /** A home whose Cursor knows some servers, and a project with a file of its own. */
  async function home(): Promise<string> {
    const cwd = temporaryFolder()
    const silent = createServer(() => {})
    const locked = createServer((_request, reply) => reply.writeHead(401, { 'www-authenticate': 'Bearer' }).end())
    const urls: string[] = []
    for (const server of [silent, locked]) {
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      onTestFinished(() => {
        server.closeAllConnections()
        server.close()
      })
      urls.push(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`)
    }
    const [, command, ...args] = everything
    const crash = { command: process.execPath, args: ['-e', 'console.error("no database"); process.exit(3)'] }
    const servers = {
      good: { command, args },
      remote: { url: await everythingUrl() },
      broken: crash,
      silent: { url: urls[0] },
      locked: { url: urls[1] },
      needy: { command, args, env: { KEY: `\${env:NOT_SET_ANYWHERE}` } },
    }
    mkdirSync(join(cwd, '.cursor'))
    mkdirSync(join(cwd, 'project/.git'), { recursive: true })
    writeFileSync(join(cwd, '.cursor/mcp.json'), JSON.stringify({ mcpServers: servers }))
    const mark = { command: process.execPath, args: ['-e', `require('fs').writeFileSync('started', '')`] }
    writeFileSync(join(cwd, 'project/.mcp.json'), JSON.stringify({ mcpServers: { theirs: mark } }))
    return cwd
  }

  test('all servers are tried, each with its state', async () => {
    const cwd = await home()
    const env = { HOME: cwd, USERPROFILE: cwd, XDG_CONFIG_HOME: join(cwd, '.config') }
    const outcome = await tenonProcess(['list', '--json', '-t', '5s'], { cwd: join(cwd, 'project'), env })
    expect(outcome).toMatchObject({ code: 3 })
    const { result } = parsed(outcome) as { result: { servers: { name: string; state: string }[] } }
    expect(Object.fromEntries(result.servers.map(({ name, state }) => [name, state]))).toEqual({
      theirs: 'not tried',
      good: 'ok',
      remote: 'ok',
      broken: 'failed',
      silent: 'timeout',
      locked: 'login',
      needy: 'input',
    })
    const good = result.servers.find(({ name }) => name === 'good')
    expect(good).toMatchObject({
      revision: '2026-07-28',
      tools: expect.any(Number),
      prompts: 4,
      ms: expect.any(Number),
    })
  })

  test('a terminal has a table, the errors below it, and nobody is asked anything', async () => {
    const cwd = await home()
    const env = { HOME: cwd, USERPROFILE: cwd, XDG_CONFIG_HOME: join(cwd, '.config') }
    const { shown, code } = await onTerminal(['list', '-t', '5s'], { cwd: join(cwd, 'project'), env, columns: 80 })
    const lines = bare(shown).split(/\r*\n/)
    expect(code).toBe(3)
    expect(
      Math.max(...lines.filter((line) => /^(?:good|remote|server)/.test(line)).map((line) => line.length)),
    ).toBeLessThan(80)
    expect(lines).toContainEqual(expect.stringMatching(/^good +ok +2026-07-28 +\d+ +\d+ +4 +\d+$/))
    expect(bare(shown)).toContain('error: broken: ')
    expect(bare(shown)).toContain("1 of this folder's files not tried; --all starts their programs.")
  })

  test('files of the folder are tried with --all, and the built-in server if there is no other', async () => {
    const cwd = temporaryFolder()
    expect(await tenon(['list'], { cwd })).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^server +state[\s\S]*\neverything +ok +2026-07-28 +\d+ /),
      stderr: 'No servers are configured; everything is built in.\n',
    })
    const [, command, ...args] = everything
    writeFileSync(join(cwd, '.mcp.json'), JSON.stringify({ mcpServers: { mine: { command, args } } }))
    expect((await tenon(['list'], { cwd })).stdout).toMatch(/^mine +not tried/m)
    expect((await tenon(['list', '--all'], { cwd })).stdout).toMatch(/^mine +ok/m)
  })
})
