import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testClient } from '@tenon/sdk/testing'
import { server } from '../src/server.ts'

test('adds', async () => {
  await using client = await testClient(server)
  assert.deepEqual((await client.callTool('add', { a: 19, b: 23 })).structured, { sum: 42 })
})
