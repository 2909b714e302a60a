/** A batch of 2025-03-26 gets the same answers on every transport; an HTTP status reports refused messages. */
import { connect as connectTcp } from 'node:net'
import { createInterface } from 'node:readline'
import { afterEach, describe, expect, test } from 'vitest'
import WebSocket from 'ws'
import { serveHttp } from '../src/http-server/serve-http.ts'
import { EventReader, initializeRequest, post, SessionClient } from '../src/http-server/tests/http.suite.ts'
import { createServer } from '../src/server/server.ts'
import { serveSocket } from '../src/socket/serve.ts'
import { serveWebSocket } from '../src/websocket/serve.ts'

/** A client that sends bodies unchanged. */
interface Raw {
  /** Sends a body. Returns the status and the answer, if the transport returns them. */
  send(body: unknown): Promise<{ status?: number; answer?: unknown }>
  /** The next message, if answers come on a stream of their own. */
  next?(): Promise<unknown>
}

const revision = '2025-03-26'
const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

let errors: unknown[]
const server = (): ReturnType<typeof createServer> => {
  errors = []
  return createServer({ name: 'batches', version: '1.0.0', onError: (error: unknown) => errors.push(error) })
}

/** Messages in the order of their arrival. */
function inbox(): { take(text: string): void; next(): Promise<unknown> } {
  const come: unknown[] = []
  let told = (): void => {}
  return {
    take(text) {
      come.push(JSON.parse(text))
      told()
    },
    async next() {
      while (come.length === 0) await new Promise<void>((resolve) => (told = resolve))
      return come.shift()
    },
  }
}

const transports: { [name: string]: () => Promise<Raw> } = {
  async 'lines over TCP'() {
    const listening = await serveSocket(server(), { port: 0 })
    const { port } = listening.address as { port: number }
    const socket = connectTcp(port, '127.0.0.1')
    const { take, next } = inbox()
    createInterface(socket).on('line', take)
    closing.push(
      () => listening.close(),
      () => socket.destroy(),
    )
    return {
      next,
      async send(body) {
        socket.write(`${JSON.stringify(body)}\n`)
        return {}
      },
    }
  },
  async WebSocket() {
    const listening = await serveWebSocket(server(), { port: 0 })
    const socket = new WebSocket(listening.url!, 'mcp')
    const { take, next } = inbox()
    socket.on('message', (data) => take(String(data)))
    await new Promise((resolve) => socket.on('open', resolve))
    closing.push(
      () => listening.close(),
      () => socket.terminate(),
    )
    return {
      next,
      async send(body) {
        socket.send(JSON.stringify(body))
        return {}
      },
    }
  },
  async 'HTTP+SSE'() {
    const http = await serveHttp(server())
    const origin = new URL(http.url).origin
    const events = new EventReader(await fetch(`${origin}/sse`, { headers: { accept: 'text/event-stream' } }))
    const path = (await events.next())!.data!
    closing.push(
      () => http.close(),
      () => events.cancel(),
    )
    return {
      next: () => events.message(),
      async send(body) {
        const response = await fetch(origin + path, post(body))
        const text = await response.text()
        return { status: response.status, ...(text !== '' && { answer: JSON.parse(text) }) }
      },
    }
  },
}

async function open(transport: string): Promise<Raw> {
  const raw = await transports[transport]!()
  await raw.send(initializeRequest(revision))
  await raw.next!()
  return raw
}

async function openSession(): Promise<Raw> {
  const http = await serveHttp(server())
  closing.push(() => http.close())
  const origin = new URL(http.url).origin
  const client = await SessionClient.open(
    { fetch: (path, init) => fetch(origin + path, init), close: async () => {} },
    revision,
  )
  return {
    async send(body) {
      const response = await client.post(body)
      const text = await response.text()
      return { status: response.status, ...(text !== '' && { answer: JSON.parse(text) }) }
    },
  }
}

const ping = (id: number): object => ({ jsonrpc: '2.0', id, method: 'ping' })
const pong = (id: number): object => ({ jsonrpc: '2.0', id, result: {} })
const notification = { jsonrpc: '2.0', method: 'notifications/x' }
const withoutMethod = (id: number): object => ({ jsonrpc: '2.0', id })
const invalid = (id: number): object => ({ jsonrpc: '2.0', id, error: { code: -32600, message: expect.any(String) } })

/** Something in it is a message: that is accepted, and each of the others is answered if it has an id. */
const taken: [name: string, batch: unknown[], answers: object[] | undefined, problems: number][] = [
  ['a request', [ping(1)], [pong(1)], 0],
  ['a request and a number', [ping(1), 1], [pong(1)], 1],
  ['null and a request', [null, ping(1)], [pong(1)], 1],
  ['a request and a batch', [ping(1), [ping(2)]], [pong(1)], 1],
  ['a request and one without a method', [ping(1), withoutMethod(2)], [pong(1), invalid(2)], 1],
  ['a notification and one without a method', [notification, withoutMethod(2)], [invalid(2)], 1],
  ['a notification', [notification], undefined, 0],
  ['a notification and a number', [notification, 1], undefined, 1],
]

/** Nothing in it is a message. */
const refused: [name: string, batch: unknown[]][] = [
  ['nothing', []],
  ['null', [null]],
  ['a number', [1]],
  ['an object', [{}]],
  ['a batch', [[ping(1)]]],
  ['several of these', [null, 1, {}, []]],
  ['more than the limit', Array.from({ length: 101 }, () => notification)],
]

describe.each(Object.keys(transports))('over %s', (transport) => {
  // [rpc.batch.receive] [rpc.codes.invalid-request]
  test.each(taken)('a batch of %s', async (_, batch, answers, problems) => {
    const raw = await open(transport)
    const { status = 202 } = await raw.send(batch)
    expect(status).toBe(202)
    await raw.send(ping(99))
    if (answers !== undefined) expect(await raw.next!()).toEqual(answers)
    expect(await raw.next!()).toEqual(pong(99))
    expect(errors).toHaveLength(problems)
  })

  // The revision has no error without an id, so nothing is sent on a stream: it is reported to the operator.
  test.each(refused)('a batch of %s is refused', async (_, batch) => {
    const raw = await open(transport)
    const { status, answer } = await raw.send(batch)
    if (status !== undefined) {
      expect(status).toBe(400)
      expect(answer).toEqual({ jsonrpc: '2.0', error: { code: -32600, message: expect.any(String) } })
    } else expect(await nextErrors(raw)).not.toEqual([])
    await raw.send(ping(99))
    expect(await raw.next!()).toEqual(pong(99))
  })
})

async function nextErrors(raw: Raw): Promise<unknown[]> {
  await raw.send(ping(98))
  expect(await raw.next!()).toEqual(pong(98))
  return errors
}

describe('over Streamable HTTP', () => {
  // [rpc.batch.receive] [http.post.not-accepted-error-status]
  test.each(taken)('a batch of %s', async (_, batch, answers, problems) => {
    const raw = await openSession()
    expect(await raw.send(batch)).toEqual(answers === undefined ? { status: 202 } : { status: 200, answer: answers })
    expect(errors).toHaveLength(problems)
  })

  test.each(refused)('a batch of %s is refused', async (_, batch) => {
    const raw = await openSession()
    const { status, answer } = await raw.send(batch)
    expect(status).toBe(400)
    expect(answer).toEqual({ jsonrpc: '2.0', error: { code: -32600, message: expect.any(String) } })
    expect(await raw.send(ping(99))).toEqual({ status: 200, answer: pong(99) })
  })
})
