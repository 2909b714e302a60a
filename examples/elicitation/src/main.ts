import assert from 'node:assert/strict'
import { fileURLToPath } from 'node:url'
import { type ConnectOptions, connect } from '@tenon/sdk/client'

const server = fileURLToPath(new URL('server.js', import.meta.url))

/** A host shows the form to its user, and sends the messages to its model, after asking whether it may. */
const answers: ConnectOptions = {
  elicit: {
    form: ({ message, requestedSchema }) => {
      console.log(`  the user is asked: ${message} (${Object.keys(requestedSchema.properties)})`)
      return { action: 'accept', content: { day: 'friday' } }
    },
  },
  sample: ({ messages, maxTokens }) => {
    console.log(`  the model is asked: ${messages.length} message, at most ${maxTokens} tokens`)
    return { role: 'assistant', model: 'example', content: { type: 'text', text: 'A joint that fits exactly' } }
  },
}

// The same handler and the same callbacks: in 2025-11-25 by requests of the server, in 2026-07-28 by rounds of the call.
for (const revision of ['2025-11-25', '2026-07-28'] as const) {
  console.log(revision)
  await using client = await connect({ command: 'node', args: [server] }, { ...answers, revisions: [revision] })
  const booked = await client.callTool('book')
  console.log(`  ${booked.text}`)
  assert.equal(booked.text, 'Table 7 is yours on friday')
  const { text } = await client.callTool('summarize', { article: 'Mortise and tenon' })
  console.log(`  ${text}`)
}
