/* global Deno */
import { fetchHandler } from '@tenon/sdk/http'
import { main } from './program.mjs'

await main({
  async listen(server) {
    const handler = fetchHandler(server)
    const http = Deno.serve({ hostname: '127.0.0.1', port: 0, onListen() {} }, handler)
    const close = async () => {
      await handler.close(0)
      await http.shutdown()
    }
    return { url: `http://127.0.0.1:${http.addr.port}/mcp`, close }
  },
  scriptArgs: (script) => ['run', '--node-modules-dir=manual', '--allow-all', script],
})
