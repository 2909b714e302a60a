import { createServer as createHttpServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { afterEach, expect, test } from 'vitest'
import { tool } from '../../server/features/tool.ts'
import { createServer } from '../../server/server.ts'
import { fetchHandler } from '../fetch/fetch-handler.ts'
import { nodeHandler } from '../node/node-handler.ts'
import { callToolRequest, statelessRequest } from './http.suite.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** A server whose tool loses its client while it runs, in the turn in which nobody watches for that yet. */
function losing(lose: () => void): { server: ReturnType<typeof createServer>; cancelled: Promise<unknown> } {
  let told: (reason: unknown) => void
  const cancelled = new Promise<unknown>((resolve) => {
    told = resolve
  })
  const wait = tool({
    name: 'wait',
    async run(_input, { signal }) {
      lose()
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      told(signal.reason)
      return 'too late'
    },
  })
  return { server: createServer({ name: 'test', version: '1.0.0', tools: [wait] }), cancelled }
}

// [http.cancel.stream-close-is-cancel]
test('a connection of Node that breaks before it is watched cancels the request', async () => {
  let response: ServerResponse | undefined
  const { server, cancelled } = losing(() => response!.destroy())
  const handler = nodeHandler(server)
  const http = createHttpServer(async (request, reply) => {
    response = reply
    const body = await json(request)
    // From here on Node closes connections before the next turn begins.
    setImmediate(() => handler(request, reply, body))
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  closing.push(
    () => handler.close(),
    () => http.close(),
  )
  const { port } = http.address() as AddressInfo
  await expect(fetch(`http://127.0.0.1:${port}/mcp`, callToolRequest('wait'))).rejects.toThrow()
  expect(await cancelled).toMatchObject({ code: 'cancelled' })
})

// [http.cancel.stream-close-is-cancel]
test('a request of the Fetch standard that is aborted before it is watched is cancelled', async () => {
  const stop = new AbortController()
  const { server, cancelled } = losing(() => stop.abort())
  const handler = fetchHandler(server, { allowedHosts: ['127.0.0.1'] })
  closing.push(() => handler.close())
  const response = await handler(
    new Request('http://127.0.0.1/mcp', { ...callToolRequest('wait'), signal: stop.signal }),
  )
  expect(response.status).toBe(499)
  expect(await cancelled).toMatchObject({ code: 'cancelled' })
})

// [sec.session.verify-requests]
test('a token that is no good any more when its stream opens leaves nothing open', async () => {
  const { server } = losing(() => {})
  const watch = (_request: unknown, _auth: unknown, ended: () => void): (() => void) => {
    ended()
    return () => {}
  }
  const auth = Object.assign(() => ({ principal: 'ada' }), { watch })
  const handler = fetchHandler(server, { allowedHosts: ['127.0.0.1'], auth, maxListens: 1 })
  closing.push(() => handler.close())
  const listen = (): Promise<Response> => {
    const wanted = { notifications: { toolsListChanged: true } }
    return handler(new Request('http://127.0.0.1/mcp', statelessRequest('subscriptions/listen', wanted)))
  }
  await (await listen()).text()
  await expect.poll(async () => (await listen()).status).toBe(200)
})
