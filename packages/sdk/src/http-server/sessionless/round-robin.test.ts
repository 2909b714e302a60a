import { createServer as createHttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Client as OfficialClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { expect, test } from 'vitest'
import { nodeHandler } from '../node/node-handler.ts'
import { testServer } from '../tests/http.suite.ts'

/** Two instances behind one address, which get requests in turn and know nothing of each other. */
async function roundRobin(): Promise<AsyncDisposable & { url: URL; counts: number[] }> {
  const handlers = [0, 1].map(() => nodeHandler(testServer().server, { path: '/mcp', sessions: false }))
  const counts = [0, 0]
  let turn = 0
  const http = createHttpServer((request, response) => {
    const next = turn++ % 2
    counts[next]!++
    handlers[next]!(request, response)
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  return {
    url: new URL(`http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`),
    counts,
    [Symbol.asyncDispose]: async () => {
      for (const each of handlers) await each.close()
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
    },
  }
}

test('the official client works with two instances in turn', async () => {
  await using both = await roundRobin()
  const client = new OfficialClient({ name: 'official', version: '1.0.0' }, { capabilities: { elicitation: {} } })
  const errors: Error[] = []
  client.onerror = (error) => errors.push(error)
  const transport = new StreamableHTTPClientTransport(both.url)
  await client.connect(transport as never)
  expect(transport.sessionId).toBeUndefined()
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toContain('echo')
  for (const text of ['a', 'b', 'c']) {
    expect(await client.callTool({ name: 'echo', arguments: { text } })).toMatchObject({
      content: [{ text: `echo ${text}` }],
    })
  }
  const reports: number[] = []
  const slow = await client.callTool({ name: 'progress' }, undefined, {
    onprogress: ({ progress }) => reports.push(progress),
  })
  expect(slow).toMatchObject({ content: [{ text: 'finished' }] })
  expect(reports).toEqual([1, 2])
  expect(await client.callTool({ name: 'ask' })).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining('gives no sessions') }],
  })
  expect(await client.ping()).toEqual({})
  await transport.terminateSession()
  await client.close()
  expect(errors).toEqual([])
  expect(Math.min(...both.counts)).toBeGreaterThan(3)
})
