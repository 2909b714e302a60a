import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { describe, expect, onTestFinished, test } from 'vitest'
import { connect } from '../../client/connect.ts'

async function listening(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

const alert = Buffer.from([0x15, 0x03, 0x03, 0x00, 0x02, 0x02, 0x46])

describe.each([
  ['node', {}],
  ['fetch', { fetch }],
])('with %s', (_engine, options) => {
  test('https to a port that speaks plain HTTP gets a sentence with the right URL', async () => {
    const host = await listening(createHttpServer((_request, reply) => reply.end()))
    await expect(connect(`https://${host}/mcp`, options)).rejects.toMatchObject({
      code: 'closed',
      message: `The connection to https://${host} failed: the server does not speak TLS on this port; try http://${host}/mcp`,
    })
  })

  test('http to a port that speaks TLS gets a sentence with the right URL', async () => {
    const host = await listening(createTlsServer({}))
    await expect(connect(`http://${host}/mcp`, options)).rejects.toThrow(
      /the server closed it without an answer \(.+\); if it expects TLS, try https:\/\/.+\/mcp$/,
    )
  })
})

test('an alert of TLS is recognized', async () => {
  const host = await listening(createServer((socket) => socket.on('error', () => {}).end(alert)))
  await expect(connect(`http://${host}/mcp`)).rejects.toThrow(
    `the server speaks TLS on this port; try https://${host}/mcp`,
  )
})

test('wss to a port that speaks plain HTTP gets a sentence with the right URL', async () => {
  const host = await listening(createHttpServer((_request, reply) => reply.end()))
  await expect(connect(`wss://${host}/mcp`, { headers: { a: 'b' } })).rejects.toThrow(
    `the server does not speak TLS on this port; try ws://${host}/mcp`,
  )
})

test('a 404 names the URL, without its secrets', async () => {
  const host = await listening(
    createHttpServer((_request, reply) => reply.writeHead(404).end('Not found: the endpoint is /mcp')),
  )
  await expect(connect(`http://${host}/mpc?token=abc`)).rejects.toThrow(
    `initialize was answered with HTTP 404 at http://${host}/mpc: Not found: the endpoint is /mcp`,
  )
})
