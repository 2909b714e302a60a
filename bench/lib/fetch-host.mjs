// Serves an adapter's handler with the server of Bun or Deno. Runs there, not on Node.
import { pathToFileURL } from 'node:url'

const { createHandler } = await import(pathToFileURL(process.argv[2]).href)
const handler = createHandler()
const options = { port: 0, hostname: '127.0.0.1' }

if (globalThis.Bun) {
  const server = globalThis.Bun.serve({ ...options, fetch: (request) => handler(request) })
  console.log(`port ${server.port}`)
} else {
  const onListen = ({ port }) => console.log(`port ${port}`)
  globalThis.Deno.serve({ ...options, onListen }, (request) => handler(request))
}
