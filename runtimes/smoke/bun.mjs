/* global Bun */
import { fetchHandler } from '@tenon/sdk/http'
import { main } from './program.mjs'

await main({
  async listen(server) {
    const handler = fetchHandler(server)
    const http = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: handler })
    const close = async () => {
      await handler.close(0)
      await http.stop(true)
    }
    return { url: `http://127.0.0.1:${http.port}/mcp`, close }
  },
  scriptArgs: (script) => [script],
})
