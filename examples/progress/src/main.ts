import assert from 'node:assert/strict'
import { fileURLToPath } from 'node:url'
import { connect, isMcpError } from '@tenon/sdk/client'

const server = fileURLToPath(new URL('server.js', import.meta.url))
await using client = await connect({ command: 'node', args: [server] })

// Progress extends the time of a call: `timeoutMs` is about silence, `maxTotalMs` about the whole.
const { text } = await client.callTool(
  'bake',
  { loaves: 3 },
  {
    timeoutMs: 5_000,
    maxTotalMs: 60_000,
    onProgress: ({ progress, total, message }) => console.log(`${progress} of ${total}: ${message}`),
  },
)
console.log(text)

// Cancelling reaches the handler too: a thousand million loaves are not baked.
const stop = new AbortController()
const call = client.callTool('bake', { loaves: 1_000_000_000 }, { signal: stop.signal, onProgress: () => stop.abort() })
const error = await call.catch((thrown: unknown) => thrown)
assert.ok(isMcpError(error))
console.log(`${error.code}: ${error.message}`)
