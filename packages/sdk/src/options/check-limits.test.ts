import { createServer as createHttpServer } from 'node:http'
import { describe, expect, test } from 'vitest'
import { connect } from '../client.ts'
import { fetchHandler } from '../http.ts'
import { serveHttp } from '../node.ts'
import { createServer } from '../server.ts'
import { serveSocket } from '../socket.ts'
import { serveStdio } from '../stdio.ts'
import { attachWebSocket } from '../websocket.ts'

const info = { name: 'tables', version: '1.0.0' }
const server = createServer(info)

/** Every function with limits, as one that takes a name and a number. */
const places: { [what: string]: (name: string, value: number) => unknown } = {
  'createServer limits': (name, value) => createServer({ ...info, limits: { [name]: value } }),
  fetchHandler: (name, value) => fetchHandler(server, { [name]: value }),
  sessions: (name, value) => fetchHandler(server, { sessions: { [name]: value } }),
  eventLog: (name, value) => fetchHandler(server, { eventLog: { [name]: value } }),
  serveHttp: (name, value) => serveHttp(server, { [name]: value }),
  serveStdio: (name, value) => serveStdio(server, { [name]: value }),
  serveSocket: (name, value) => serveSocket(server, { port: 0 }, { [name]: value }),
  attachWebSocket: (name, value) => attachWebSocket(createHttpServer(), server, { [name]: value }),
  'connect httpLimits': (name, value) => connect(server, { httpLimits: { [name]: value } }),
}

describe.each([
  ['createServer limits', 'maxIncoming'],
  ['createServer limits', 'askTimeoutMs'],
  ['fetchHandler', 'maxBodyBytes'],
  ['fetchHandler', 'keepAliveMs'],
  ['sessions', 'max'],
  ['sessions', 'idleMs'],
  ['eventLog', 'maxTotalBytes'],
  ['serveHttp', 'maxHeaderBytes'],
  ['serveStdio', 'maxLineBytes'],
  ['serveSocket', 'maxConnections'],
  ['serveSocket', 'closeTimeoutMs'],
  ['attachWebSocket', 'maxMessageBytes'],
  ['connect httpLimits', 'maxMessageBytes'],
])('%s %s', (what, name) => {
  const tooLong = name.endsWith('Ms') ? [Number.POSITIVE_INFINITY, 2 ** 31, 1e308] : []
  test.each([Number.NaN, -1, ...tooLong])('of %d is refused with the expected and the found value', async (value) => {
    const given = async (): Promise<unknown> => places[what]!(name, value)
    await expect(given()).rejects.toMatchObject({
      code: what.startsWith('createServer') ? 'invalid_definition' : 'invalid_argument',
      message: expect.stringMatching(
        new RegExp(`${what} ${name}: expected .* from 0.*, got ${String(value).replace('+', '\\+')}$`),
      ),
    })
  })
})
