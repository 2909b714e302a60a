/** Structured output that is not an object, seen by a client of sessions that checks results against their schemas. */
import { Client as OfficialClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { connect } from '@tenon/sdk/client'
import { serveHttp } from '@tenon/sdk/node'
import { createServer, tool } from '@tenon/sdk/server'
import { expect, test } from 'vitest'
import { z } from 'zod'

const primes = tool({ name: 'primes', output: z.array(z.number()), run: () => [2, 3, 5] })
const either = tool({
  name: 'either',
  input: z.object({ plain: z.boolean() }),
  output: z.union([z.string(), z.object({ name: z.string() })]),
  run: ({ plain }) => (plain ? 'Ada' : { name: 'Ada' }),
})
const server = createServer({ name: 'lists', version: '1.0.0', tools: [primes, either] })

test('the official client gets it wrapped, and finds that it fits', async () => {
  await using http = await serveHttp(server)
  const client = new OfficialClient({ name: 'official', version: '1.0.0' })
  await client.connect(new StreamableHTTPClientTransport(new URL(http.url)) as never)
  const { tools } = await client.listTools()
  expect(tools[0]!.outputSchema).toMatchObject({ type: 'object', properties: { result: { type: 'array' } } })
  expect(await client.callTool({ name: 'primes' })).toMatchObject({
    structuredContent: { result: [2, 3, 5] },
    content: [{ type: 'text', text: '[2,3,5]' }],
  })
  const plain = await client.callTool({ name: 'either', arguments: { plain: true } })
  expect(plain.structuredContent).toEqual({ result: 'Ada' })
  const object = await client.callTool({ name: 'either', arguments: { plain: false } })
  expect(object.structuredContent).toEqual({ name: 'Ada' })
  await client.close()
})

test('in 2026-07-28 it is as the tool returned it', async () => {
  await using client = await connect(server)
  expect((await client.callTool('primes')).structured).toEqual([2, 3, 5])
})
