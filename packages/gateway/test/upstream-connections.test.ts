/** The connections to an upstream over HTTP: kept, given up and made again. */
import { once } from 'node:events'
import { createServer as createHttp } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { connect } from '@tenon/sdk/client'
import { nodeHandler } from '@tenon/sdk/node'
import { createServer, tool } from '@tenon/sdk/server'
import { expect, test } from 'vitest'
import { createGateway, serveGateway } from '../src/index.ts'

test('a connection is kept, one that died is replaced, and a call that is cancelled ends at the upstream', async () => {
  let stopped: Promise<unknown> | undefined
  const server = createServer({
    name: 'one',
    version: '1.0.0',
    tools: [
      tool({ name: 'echo', run: () => 'here' }),
      tool({
        name: 'wait',
        async run(_, ctx) {
          stopped = once(ctx.signal, 'abort')
          await stopped
          return 'stopped'
        },
      }),
    ],
  })
  const sockets: Socket[] = []
  const handler = nodeHandler(server)
  const http = createHttp(handler).on('connection', (socket) => sockets.push(socket))
  await once(http.listen(0, '127.0.0.1'), 'listening')
  const { port } = http.address() as AddressInfo
  await using gateway = createGateway({
    upstreams: { a: { url: `http://127.0.0.1:${port}/mcp`, headers: { 'x-team': 'a' } } },
  })
  await using served = await serveGateway(gateway)
  await using client = await connect(served.url, { revisions: ['2026-07-28'] })

  for (let turn = 0; turn < 5; turn++) expect((await client.callTool('a__echo')).text).toBe('here')
  expect(sockets).toHaveLength(1)

  // Closed without a word: lists are asked for again, on another connection.
  for (const socket of sockets.splice(0)) socket.destroy()
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['a__echo', 'a__wait'])
  expect((await client.callTool('a__echo')).text).toBe('here')

  const giveUp = new AbortController()
  const call = client.callTool('a__wait', {}, { signal: giveUp.signal })
  await expect.poll(() => stopped !== undefined).toBe(true)
  giveUp.abort()
  await expect(call).rejects.toThrow()
  await stopped

  http.close()
  http.closeAllConnections()
  await handler.close()
  await expect(client.callTool('a__echo')).rejects.toThrow(/failed|cannot be used/)
})
