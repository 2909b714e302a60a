import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { serveSocket } from '../../packages/sdk/src/socket/serve.ts'
import { readReplies } from '../lib/http-replies.ts'
import { anyHeader, bytesOf, type HttpInput, httpInputs } from '../lib/http-requests.ts'
import { assertAlive, hostOf, type Listener, type Listening, listeners, serverToTry } from '../lib/listeners.ts'
import { cutAt, cuts, mutatedText } from '../lib/mutate.ts'
import { talk } from '../lib/raw-socket.ts'
import { saidLines } from '../lib/seeds.ts'
import { respell, someSpelling } from '../lib/spellings.ts'
import { assert, show, type Target, target } from '../lib/target.ts'

interface Input {
  /** The listener's request to start from. */
  ask: number
  /** The spelling of its target. */
  tricks: string[]
  /** The headers that stay, and the added ones. */
  keeps: number
  request: HttpInput
}

const inputs: fc.Arbitrary<Input> = fc.record({
  ask: fc.nat(3),
  tricks: fc.oneof(fc.constant<string[]>([]), someSpelling),
  keeps: fc.nat(8),
  request: httpInputs({
    verbs: fc.constant('as asked'),
    paths: fc.oneof({ weight: 6, arbitrary: fc.constant('as asked') }, fc.string({ unit: 'binary', maxLength: 12 })),
    headers: fc.array(
      fc.oneof(
        anyHeader,
        fc.constantFrom(
          'Host: evil.example',
          'Origin: http://evil.example',
          'Origin: null',
          'Connection: upgrade',
          'Upgrade: websocket',
          'Upgrade: h2c',
          'Sec-WebSocket-Key: x',
          'Sec-WebSocket-Version: 99',
          'Sec-WebSocket-Protocol: ,,',
          'Expect: 100-continue',
          'Cookie: %',
          'Authorization: Basic %',
          'DPoP: x',
          'Transfer-Encoding: gzip',
        ),
      ),
      { maxLength: 3 },
    ),
    bodies: fc.oneof(mutatedText(fc.constantFrom(...saidLines())), fc.constant('a=b&a=c&%=%'), fc.constant('')),
  }),
})

function bytesFor({ ask: index, tricks, keeps, request }: Input, listening: Listening): Buffer {
  const ask = listening.asks[index % listening.asks.length]!
  const host = hostOf(listening)
  const verb = request.verb === 'as asked' ? ask.verb : request.verb
  const path = request.path === 'as asked' ? respell(tricks, ask.path, host) : request.path
  const headers = [...ask.headers.slice(0, keeps), ...request.headers]
  return bytesOf({ ...request, verb, path, headers, body: ask.body ?? request.body }, host)
}

/** No input may make a listener fail: that would be 500. */
const isFine = (status: number): boolean => (status >= 100 && status < 500) || status === 501 || status === 505

function listenerTarget({ name, start }: Listener): Target {
  let serving: Promise<Listening> | undefined
  return target({
    name,
    claim: `whatever the ${name} listener gets, it answers well-formed HTTP, fails at nothing, and lives`,
    inputs,
    async check(input: Input) {
      serving ??= start()
      const listening = await serving
      const bytes = bytesFor(input, listening)
      const { places, verb } = input.request
      const answer = await talk(listening, places.length > 8 ? cutAt(bytes, places) : [bytes], { hangUp: true })
      // The head of a WebSocket is followed by frames.
      const replies = answer.startsWith('HTTP/1.1 101') ? [] : readReplies(answer, verb === 'HEAD')
      for (const { status } of replies) assert(isFine(status), `status ${status}: ${show(answer)}`)
      await assertAlive(listening)
    },
    async close() {
      await (await serving)?.close()
      serving = undefined
    },
  })
}

interface SocketInput {
  text: string
  places: number[]
}

const lines = fc
  .array(fc.oneof(mutatedText(fc.constantFrom(...saidLines())), fc.constantFrom(...saidLines())), { maxLength: 4 })
  .map((said) => said.map((line) => `${line}\n`).join(''))

interface OpenSocket {
  path: string
  reported: unknown[]
  close(): Promise<void>
}

async function openSocket(): Promise<OpenSocket> {
  const folder = await mkdtemp(join(tmpdir(), 'tenon-fuzz-'))
  const path = join(folder, 'socket')
  const reported: unknown[] = []
  const listening = await serveSocket(serverToTry(), { path }, { onError: (error) => reported.push(error) })
  const close = async (): Promise<void> => {
    await listening.close()
    await rm(folder, { recursive: true, force: true })
  }
  return { path, reported, close }
}

const hello = `${JSON.stringify({
  jsonrpc: '2.0',
  id: 'alive',
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'fuzz', version: '1' } },
})}\n`

let socket: Promise<OpenSocket> | undefined

const unixSocket = target({
  name: 'unix-socket',
  claim: 'any bytes on a Unix socket get lines of JSON or are hung up on, and the server lives',
  inputs: fc.record({ text: fc.oneof(lines, fc.string({ unit: 'binary', maxLength: 60 })), places: cuts }),
  async check({ text, places }: SocketInput) {
    socket ??= openSocket()
    const { path, reported } = await socket
    const bytes = Buffer.from(text)
    const answer = await talk({ path }, places.length > 8 ? cutAt(bytes, places) : [bytes], { hangUp: true })
    for (const line of answer.split('\n').slice(0, -1)) JSON.parse(Buffer.from(line, 'latin1').toString())
    const alive = await talk({ path }, [Buffer.from(hello)], { hangUp: true })
    assert(alive.includes('"id":"alive"'), `the server does not answer: ${show(alive)}`)
    assert(reported.length === 0, `it reported ${String(reported[0])}`)
  },
  async close() {
    await (await socket)?.close()
    socket = undefined
  },
})

/** A target for every listener. */
export const listenerTargets: readonly Target[] = [...listeners.map(listenerTarget), unixSocket]
