import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Revision } from '@tenon/sdk/server'
import { expand } from './notation.ts'

/** A client's part: lines to execute in order, as `README.md` lists them. */
export interface ClientCase {
  title: string
  line: number
  /** `http-2026` is a server without older revisions. */
  over: 'stdio' | 'http' | 'http-2026'
  lines: { verb: string; text: string }[]
}

const server = fileURLToPath(new URL('../clients/server.mjs', import.meta.url))

export function readClientCases(source: string): ClientCase[] {
  const cases: ClientCase[] = []
  source.split('\n').forEach((line, index) => {
    if (line.trim() === '' || line.startsWith('#')) return
    const title = /^== (.+)$/.exec(line)?.[1]
    const [, verb = '', text = ''] = /^\s*(\S+)\s?(.*)$/.exec(line)!
    if (title !== undefined) cases.push({ title, line: index + 1, over: 'stdio', lines: [] })
    else if (verb === 'over') cases.at(-1)!.over = text as ClientCase['over']
    else cases.at(-1)!.lines.push({ verb, text })
  })
  return cases
}

/** The revision of a case: that of its handshake, or of stateless requests. */
export function spokenIn({ over, lines }: ClientCase): Revision {
  const hello = lines.find(({ verb }) => verb === 'hello')
  if (hello !== undefined) return (hello.text || '2025-11-25') as Revision
  const alone = lines.some(({ text }) => text.includes('2026-07-28'))
  return alone || over === 'http-2026' ? '2026-07-28' : '2025-11-25'
}

const initialize = (version: string): string =>
  `{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"${version}","capabilities":{},"clientInfo":{"name":"bad","version":"1"}}}`

/** Plays a case to a server process on its standard input. One line per unexpected behaviour. */
export async function playStdio(one: ClientCase): Promise<string[]> {
  const child = spawn(process.execPath, [server, 'stdio'], { stdio: ['pipe', 'pipe', 'ignore'] })
  const exit = once(child, 'exit') as Promise<[number | null]>
  child.stdin.on('error', () => {})
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  try {
    return await talk(one, child, lines, exit)
  } finally {
    child.kill('SIGKILL')
  }
}

async function talk(
  { lines: steps }: ClientCase,
  child: ChildProcess,
  said: AsyncIterator<string>,
  exit: Promise<[number | null]>,
): Promise<string[]> {
  const stdin = child.stdin!
  const expectLine = async (pattern: RegExp): Promise<string[]> => {
    const { value, done } = await said.next()
    if (!done && pattern.test(value)) return []
    return [`expected ${pattern}, got ${done ? 'the end' : value.slice(0, 300)}`]
  }
  for (const { verb, text } of steps) {
    const problems: string[] = []
    const sent = expand(text, {})
    if (verb === '>') stdin.write(`${sent}\n`)
    else if (verb === 'write') stdin.write(JSON.parse(sent) as string)
    else if (verb === 'bytes') stdin.write(Buffer.from(sent.replaceAll(' ', ''), 'hex'))
    else if (verb === 'bytewise') for (const byte of Buffer.from(`${sent}\n`)) stdin.write(Buffer.of(byte))
    else if (verb === 'hello') {
      stdin.write(`${initialize(text || '2025-11-25')}\n{"jsonrpc":"2.0","method":"notifications/initialized"}\n`)
      problems.push(...(await expectLine(/"id":"hello","result"/)))
    } else if (verb === '<') problems.push(...(await expectLine(readPattern(text))))
    else if (verb === 'end') {
      stdin.end()
      const [code] = await exit
      return code === Number(text) ? [] : [`expected exit code ${text}, got ${code}`]
    } else problems.push(`unknown word ${verb}`)
    if (problems.length > 0) return problems
  }
  // Nothing else was sent, and the server is still alive.
  stdin.write('{"jsonrpc":"2.0","id":"alive","method":"ping"}\n')
  return expectLine(/^\{"jsonrpc":"2\.0","id":"alive","result":\{\}\}$/)
}

type Ports = { readonly [over: string]: number }

/** A process with servers that serve HTTP. */
export class HttpTarget implements AsyncDisposable {
  readonly #child: ChildProcess
  readonly ports: Ports

  private constructor(child: ChildProcess, ports: Ports) {
    this.#child = child
    this.ports = ports
  }

  static async start(): Promise<HttpTarget> {
    const child = spawn(process.execPath, [server, 'http'], { stdio: ['ignore', 'pipe', 'inherit'] })
    const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
    return new HttpTarget(child, JSON.parse(line) as Ports)
  }

  get isAlive(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null
  }

  /** Sends bytes unchanged, and returns the answer up to the end of the connection. */
  async send(port: number, bytes: Uint8Array): Promise<string> {
    const socket = connect(port, '127.0.0.1')
    let received = ''
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1')
    })
    socket.on('error', () => {})
    socket.write(bytes)
    await new Promise((resolve) => socket.once('close', resolve))
    return received
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const exit = once(this.#child, 'exit')
    this.#child.kill('SIGKILL')
    await exit
  }
}

const json = ['Content-Type: application/json', 'Accept: application/json, text/event-stream']

/** Plays a case on sockets of its own, and checks afterwards whether the server still answers. */
export async function playHttp(one: ClientCase, target: HttpTarget): Promise<string[]> {
  const port = target.ports[one.over]!
  const host = `127.0.0.1:${port}`
  const send = (bytes: Uint8Array): Promise<string> => target.send(port, bytes)
  const problems: string[] = []
  const names: { [name: string]: string } = { host }
  const given: string[] = []
  let answer = ''
  for (const { verb, text } of one.lines) {
    const said = expand(text, names)
    if (verb === 'header') given.push(said)
    else if (verb === 'raw') answer = await send(Buffer.from(JSON.parse(said) as string))
    else if (verb === 'post') answer = await send(postOf(host, given.splice(0), said))
    else if (verb === 'hello') answer = await send(postOf(host, json, initialize(text || '2025-11-25')))
    else if (verb === 'answers') problems.push(...judge(answer, said))
    else problems.push(`unknown word ${verb}`)
    names.session = /mcp-session-id: (\S+)/i.exec(answer)?.[1] ?? names.session ?? ''
    names.state = /"requestState":"([^"]+)"/.exec(answer)?.[1] ?? names.state ?? ''
    names.question = /"inputRequests":\{"([^"]+)"/.exec(answer)?.[1] ?? names.question ?? ''
  }
  const alive = await send(postOf(host, modern, modernPing))
  return alive.startsWith('HTTP/1.1 200') ? problems : [...problems, `the server does not answer any more: ${alive}`]
}

const modern = [...json, 'Mcp-Protocol-Version: 2026-07-28', 'Mcp-Method: server/discover']
const modernPing =
  '{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}'

/** A request with complete headers, unless the case gives its own. */
function postOf(host: string, given: readonly string[], body: string): Uint8Array {
  const has = (name: string): boolean => given.some((line) => line.toLowerCase().startsWith(`${name.toLowerCase()}:`))
  const usual = [`Host: ${host}`, ...json].filter((line) => !has(line.slice(0, line.indexOf(':'))))
  // A header without a value is omitted.
  const headers = [...usual, ...given].filter((line) => !line.endsWith(':'))
  const length = `Content-Length: ${Buffer.byteLength(body)}`
  return Buffer.from(['POST /mcp HTTP/1.1', ...headers, length, 'Connection: close', '', body].join('\r\n'))
}

function judge(answer: string, expected: string): string[] {
  const [, status = '', pattern = '/./'] = /^(\S+)\s*(.*)$/.exec(expected)!
  const fits = status === 'nothing' ? answer === '' : answer.startsWith(`HTTP/1.1 ${status}`)
  if (fits && (status === 'nothing' || readPattern(pattern || '/./').test(answer))) return []
  return [`expected ${expected}, got ${answer.slice(0, 600) || 'nothing'}`]
}

const readPattern = (text: string): RegExp => new RegExp(text.slice(1, -1), 's')
