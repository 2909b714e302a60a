import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type TestClient, testClient } from '@tenon/sdk/testing'
import { server } from '../src/server.ts'

test('counts words', async () => {
  await using client = await testClient(server)
  const { structured } = await client.callTool('count_words', { text: 'Less is more. Is it?' })
  assert.deepEqual(structured, { words: 5, sentences: 2, minutes: 1 })
})

test('says what is wrong with an argument', async () => {
  // A plain TestClient takes any arguments; the one that testClient returns knows those of the server.
  await using client: TestClient = await testClient(server)
  const { isError, text } = await client.callTool('count_words', { text: 7 })
  assert.equal(isError, true)
  assert.match(text, /arguments\.text/)
})

test('has a guide to read, and a prompt that sends it along', async () => {
  await using client = await testClient(server)
  const { contents } = await client.readResource('guide:///style')
  assert.equal(contents[0]?.mimeType, 'text/markdown')
  const { messages } = await client.getPrompt('rewrite', { text: 'It is what it is.', reader: 'expert' })
  assert.deepEqual(
    messages.map(({ content }) => content.type),
    ['resource', 'text'],
  )
})
