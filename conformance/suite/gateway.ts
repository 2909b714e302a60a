import { createGateway, serveGateway } from '@tenon/gateway'
import type { ResponseMode } from '@tenon/sdk/node'

const { PORT = '3002', RESPONSE_MODE = 'auto', UPSTREAM_URL = 'http://127.0.0.1:3000/mcp' } = process.env

/** The gateway that the official suite tests, at `PORT`, in front of the server at `UPSTREAM_URL`. Names are those of the server. */
const gateway = createGateway(
  {
    upstreams: { conformance: { url: UPSTREAM_URL } },
    servers: { all: { upstreams: { conformance: { prefix: '' } } } },
  },
  { onEvent: (event) => event.kind === 'error' && console.error(`${event.during}:`, event.error) },
)
const http = await serveGateway(gateway, {
  port: Number(PORT),
  responseMode: RESPONSE_MODE as ResponseMode,
  // As that of the server.
  pollAfterMs: 500,
})
console.log(`listening on ${http.url}`)

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, async () => {
    await http.close()
    await gateway.close()
  })
}
