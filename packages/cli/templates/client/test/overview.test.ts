import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createServer, tool } from '@tenon/sdk/server'
import { testClient } from '@tenon/sdk/testing'
import { overview } from '../src/overview.ts'

const hello = tool({ name: 'hello', description: 'Says hello', run: () => 'Hello' })

test('lists what a server offers', async () => {
  const server = createServer({ name: 'friendly', version: '1.0.0', tools: [hello] })
  await using client = await testClient(server, { revision: '2025-11-25' })
  assert.equal(await overview(client), 'friendly, in 2025-11-25\n  tool hello: Says hello')
})

test('does without what a server has not got', async () => {
  await using client = await testClient(createServer({ name: 'empty', version: '1.0.0' }), { revision: '2025-11-25' })
  assert.equal(await overview(client), 'empty, in 2025-11-25')
})
