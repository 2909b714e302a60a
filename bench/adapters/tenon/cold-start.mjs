import { createServer, tool } from '@tenon/sdk/server'
import { serveStdio } from '@tenon/sdk/stdio'

const echo = tool({
  name: 'echo',
  input: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  run: ({ text }) => text,
})

await serveStdio(createServer({ name: 'bench', version: '1.0.0', tools: [echo] }))
