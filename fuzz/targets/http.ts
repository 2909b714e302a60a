import fc from 'fast-check'
import { type HttpServer, serveHttp } from '../../packages/sdk/src/http-server/serve-http.ts'
import { tool } from '../../packages/sdk/src/server/features/tool.ts'
import { createServer } from '../../packages/sdk/src/server/server.ts'
import { type HttpReply, readReplies } from '../lib/http-replies.ts'
import { anyHeader, bytesOf, type HttpInput, httpInputs } from '../lib/http-requests.ts'
import { cutAt, mutatedText } from '../lib/mutate.ts'
import { talk } from '../lib/raw-socket.ts'
import { saidLines } from '../lib/seeds.ts'
import { assert, show, type Target, target } from '../lib/target.ts'

const echo = tool({
  name: 'echo',
  input: { type: 'object', properties: { text: { type: 'string' } } },
  run: ({ text }) => String(text),
})

let serving: Promise<HttpServer> | undefined

function start(): Promise<HttpServer> {
  const server = createServer({ name: 'fuzzed', version: '1', tools: [echo] })
  return serveHttp(server, { bodyTimeoutMs: 500, maxBodyBytes: 20_000, sessions: { max: 50 } })
}

const header = fc.oneof(
  fc.constantFrom(
    'Content-Type: application/json',
    'Content-Type: text/plain',
    'Content-Type: application/json; charset=utf-16',
    'Accept: application/json, text/event-stream',
    'Accept: text/event-stream',
    'Accept: */*;q=0',
    'Mcp-Protocol-Version: 2026-07-28',
    'Mcp-Protocol-Version: 2025-11-25',
    'Mcp-Protocol-Version: 1999-01-01',
    'Mcp-Method: tools/list',
    'Mcp-Method: tools/call',
    'Mcp-Name: echo',
    'Mcp-Name: =?base64?ZWNobw==?=',
    'Mcp-Name: =?base64?%%?=',
    'Mcp-Session-Id: nobody',
    'Last-Event-ID: 0',
    'Origin: http://localhost',
    'Origin: null',
    'Host: evil.example.com',
    'Transfer-Encoding: chunked',
    'Content-Length: 3',
    'Content-Encoding: gzip',
    'Expect: 100-continue',
    'Upgrade: websocket',
    'Connection: upgrade',
  ),
  anyHeader,
)
const usual = ['Content-Type: application/json', 'Accept: application/json, text/event-stream']
const body = fc.oneof(mutatedText(fc.constantFrom(...saidLines())), fc.string({ unit: 'binary', maxLength: 40 }))

const inputs: fc.Arbitrary<HttpInput> = httpInputs({
  verbs: fc.constant('POST'),
  paths: fc.oneof(
    { weight: 6, arbitrary: fc.constant('/mcp') },
    fc.constantFrom(
      '/',
      '*',
      '/sse',
      '/mcp?a=%00',
      '/MCP',
      '//mcp',
      '/%6dcp',
      'http://evil.example.com/mcp',
      '/mcp#x',
      '',
    ),
  ),
  headers: fc.oneof(
    fc.constant(usual),
    fc.tuple(fc.subarray(usual, { minLength: 1 }), fc.array(header, { maxLength: 4 })).map((parts) => parts.flat()),
  ),
  bodies: body,
})

const wellFormed = Buffer.from(
  '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}',
)

async function assertAlive(port: number): Promise<void> {
  const head = [
    'POST /mcp HTTP/1.1',
    `Host: 127.0.0.1:${port}`,
    'Connection: close',
    ...usual,
    'Mcp-Protocol-Version: 2026-07-28',
    'Mcp-Method: tools/list',
    `Content-Length: ${wellFormed.length}`,
    '',
    '',
  ].join('\r\n')
  const answer = await talk({ port }, [Buffer.concat([Buffer.from(head), wellFormed])])
  assert(answer.startsWith('HTTP/1.1 200') && answer.includes('"tools"'), `the server does not answer: ${show(answer)}`)
}

/** Whether only the body can be wrong. */
const isUsual = ({ verb, path, headers, framing }: HttpInput): boolean =>
  verb === 'POST' && path === '/mcp' && framing === 'length' && headers.join() === usual.join()

/** Invalid JSON always gets its error; a request gets exactly one answer, of any content. */
function judge(body: string, replies: readonly HttpReply[]): void {
  const statuses = replies.map(({ status }) => status)
  assert(statuses.length === 1, `${statuses.length} replies to one request`)
  assert(isJson(body) || statuses[0] === 400, `status ${statuses[0]} for a body that is not JSON`)
}

function isJson(text: string): boolean {
  try {
    // As bytes: half of a surrogate pair cannot be sent.
    JSON.parse(
      Buffer.from(text)
        .toString()
        .replace(/^\ufeff/, ''),
    )
    return true
  } catch {
    return false
  }
}

const expected = new Set([
  100, 200, 202, 204, 400, 403, 404, 405, 406, 408, 411, 413, 415, 417, 426, 429, 431, 501, 505,
])

export const http: Target = target({
  name: 'http',
  claim: 'any bytes on a socket get well-formed HTTP with a status for what they are, and the server lives',
  inputs,
  async check(input: HttpInput) {
    serving ??= start()
    const { port } = await serving
    const bytes = bytesOf(input, `127.0.0.1:${port}`)
    const pieces = input.places.length > 8 ? cutAt(bytes, input.places) : [bytes]
    const answer = await talk({ port }, pieces, { hangUp: true })
    const replies = readReplies(answer, input.verb === 'HEAD')
    for (const { status } of replies) assert(expected.has(status), `status ${status}: ${show(answer)}`)
    if (isUsual(input)) judge(input.body, replies)
    await assertAlive(port)
  },
  async close() {
    await (await serving)?.close()
  },
})
