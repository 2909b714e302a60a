/** Errors that clients do not see are shown to the operator: on standard error, unless there is an `onError`. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, type MockInstance, test, vi } from 'vitest'
import { fetchHandler } from '../src/http.ts'
import { createServer, prompt, resource, type ServerOptions, ToolError, tool } from '../src/server.ts'
import { openWire, testClient } from '../src/testing.ts'

let printed: MockInstance<typeof console.error>
const lines = (): string[] => printed.mock.calls.map(([text]) => String(text))

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
  printed = vi.spyOn(console, 'error').mockImplementation(() => {})
})

afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const fails = (error: unknown, more: Partial<ServerOptions> = {}) =>
  createServer({
    name: 'shop',
    version: '1',
    tools: [
      tool({
        name: 'buy',
        run: () => {
          throw error
        },
      }),
    ],
    ...more,
  })

async function callBuy(server: ReturnType<typeof fails>): Promise<string> {
  await using client = await testClient(server)
  const result = await client.callTool('buy')
  return (result.content[0] as { text: string }).text
}

describe('without onError', () => {
  test('a handler that throws is printed with the id that the client sees, the place, the stack and the causes', async () => {
    const refused = new Error('connect ECONNREFUSED 10.0.0.5')
    const shown = await callBuy(fails(new TypeError('no stock', { cause: new Error('db', { cause: refused }) })))
    const id = /^Internal error \(id (\w{8})\)$/.exec(shown)![1]!
    const [text] = lines()
    expect(lines()).toHaveLength(1)
    expect(text).toMatch(`shop: tool buy failed (id ${id})\n  TypeError: no stock\n      at `)
    expect(text).toContain('errors-shown.test.ts')
    expect(text).toMatch(/\n {2}caused by Error: db\n {6}at /)
    expect(text).toMatch(/\n {2}caused by Error: connect ECONNREFUSED 10\.0\.0\.5\n {6}at /)
  })

  test('no line of a message looks like another error', async () => {
    await callBuy(fails(new Error('over\nshop: tool buy failed (id deadbeef)')))
    expect(lines()[0]).toContain('\n  shop: tool buy failed (id deadbeef)\n')
  })

  test('a thrown object is shown one level deep', async () => {
    await callBuy(fails({ code: 'E_STOCK', response: { token: 'secret' } }))
    expect(lines()[0]).toMatch(/\n {2}\{ code: E_STOCK, response: an object \}$/)
  })

  test('a server that fails all the time does not keep the errors of another one from being seen', async () => {
    const noisy = fails(new Error('again'))
    for (let i = 0; i < 60; i++) await callBuy(noisy)
    await callBuy(fails(new Error('IMPORTANT')))
    expect(lines().at(-1)).toContain('IMPORTANT')
  })

  test('resources, prompts and rules that throw are printed too', async () => {
    const boom = (): never => {
      throw new Error('boom')
    }
    const server = fails(0, {
      resources: [resource({ uri: 'note:///a', name: 'a', read: boom })],
      prompts: [prompt({ name: 'p', run: boom })],
      tools: [tool({ name: 'hidden', visible: boom, run: () => 'x' })],
    })
    await using client = await testClient(server)
    await client.readResource('note:///a').catch(() => {})
    await client.getPrompt('p').catch(() => {})
    await client.callTool('hidden').catch(() => {})
    const places = lines().map((text) => /^shop: (.+) failed \(id \w{8}\)\n {2}Error: boom\n/.exec(text)?.[1])
    expect(places).toEqual(['resources/read', 'prompts/get', 'visible'])
  })

  test("the library's own messages about results are seen", async () => {
    const wrong = tool({ name: 'wrong', run: () => 5 as never })
    await using client = await testClient(fails(0, { tools: [wrong] }))
    await client.callTool('wrong')
    expect(lines()[0]).toContain('McpError: a tool without an output schema returns a string')
  })

  test('a result that cannot be sent is printed', async () => {
    const wrong = tool({ name: 'wrong', run: () => [{ type: 'text', text: 'x', _meta: { n: 5n } }] as never })
    await using client = await testClient(fails(0, { tools: [wrong] }))
    await expect(client.callTool('wrong')).rejects.toThrow('Internal error')
    expect(lines()[0]).toContain('BigInt')
  })

  test('anything can be thrown', async () => {
    const bare = Object.create(null)
    const round: { self?: unknown } = {}
    round.self = round
    const hostile = new Error('x')
    Object.defineProperty(hostile, 'stack', { get: () => boom() })
    const boom = (): never => {
      throw new Error('no stack for you')
    }
    const cycle = new Error('cycle')
    cycle.cause = cycle
    for (const thrown of ['words', undefined, null, 5n, { code: 7 }, Symbol('s'), bare, round, hostile, cycle]) {
      expect(await callBuy(fails(thrown))).toMatch(/^Internal error/)
    }
    const texts = lines().map((text) => text.split('\n')[1])
    expect(texts).toHaveLength(10)
    expect(texts.slice(0, 6)).toEqual(
      ['words', 'undefined', 'null', '5', '{ code: 7 }', 'Symbol(s)'].map((text) => `  ${text}`),
    )
    expect(lines()[9]!.match(/caused by/g)).toHaveLength(5)
  })

  test('a message of a client cannot command the terminal', async () => {
    await callBuy(fails(new Error('no file \u001b[2J\u202egpj.exe')))
    expect(lines()[0]).toContain('no file ␛[2J⟨U+202E⟩gpj.exe\n')
  })

  test('a client cannot fill a disk: texts and their number are bounded, and the number left out is told', async () => {
    const error = new Error('x'.repeat(1_000_000), { cause: new Error('y'.repeat(1_000_000)) })
    const server = fails(error)
    await using client = await testClient(server)
    for (let i = 0; i < 200; i++) await client.callTool('buy')
    expect(lines()).toHaveLength(50)
    for (const text of lines()) expect(text.length).toBeLessThan(8_100)
    expect(lines()[0]).toMatch(/caused by Error: y+\.\.\.\n {6}at /)
    vi.advanceTimersByTime(6_000)
    await client.callTool('buy')
    expect(lines()).toHaveLength(51)
    expect(lines()[50]).toContain('; 150 errors before it were left out)\n')
  })
})

test('onError takes the place of printing', async () => {
  const seen: unknown[] = []
  await callBuy(fails('words', { onError: (error, { during }) => seen.push([error, during]) }))
  expect(seen).toEqual([['words', 'tool buy']])
  expect(lines()).toEqual([])
})

test('a ToolError is for the model, and a fault of the client is told to the client: neither is printed', async () => {
  const server = fails(new ToolError('sold out'))
  expect(await callBuy(server)).toBe('sold out')
  await using wire = openWire(server)
  wire.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 5 } })
  await wire.next()
  wire.send({ jsonrpc: '2.0', id: 77, result: {} })
  wire.send({ jsonrpc: '2.0', id: 2, method: 'ping' })
  await wire.next()
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  const body = JSON.stringify({ jsonrpc: '2.0', method: 'x/wrong', params: { _meta: {} } })
  const revision = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'x/wrong' }
  await using handle = fetchHandler(server, { allowedHosts: '*' })
  await handle(new Request('http://localhost/mcp', { method: 'POST', headers: { ...headers, ...revision }, body }))
  expect(lines()).toEqual([])
})

test('over stdio it goes to standard error, even when the process ends with the answer', async () => {
  const folder = fileURLToPath(new URL('.', import.meta.url))
  const program = `
    import { createServer, tool } from '@tenon/sdk/server'
    import { serveStdio } from '@tenon/sdk/stdio'
    const boom = tool({ name: 'boom', run: () => { throw new Error('the disk is full') } })
    await serveStdio(createServer({ name: 'files', version: '1', tools: [boom] }))
  `
  const { stdout, stderr } = await new Promise<{ stdout: string; stderr: string }>((resolve) => {
    const options = { cwd: folder }
    const child = execFile(process.execPath, ['--input-type=module', '-e', program], options, (_e, stdout, stderr) =>
      resolve({ stdout, stderr }),
    )
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    }
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'boom', arguments: {}, _meta } }
    child.stdin!.end(`${JSON.stringify(call)}\n`)
  })
  const id = /Internal error \(id (\w{8})\)/.exec(stdout)?.[1]
  expect(stdout).not.toContain('the disk is full')
  expect(stderr).toContain(`files: tool boom failed (id ${id})\n  Error: the disk is full\n      at `)
})
