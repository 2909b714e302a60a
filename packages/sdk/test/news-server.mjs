// A server with subscriptions, against the built package. Started by news.test.ts.
import { serveHttp } from '@tenon/sdk/node'
import { createServer, resource, tool } from '@tenon/sdk/server'
import { serveStdio } from '@tenon/sdk/stdio'

const server = createServer({
  name: String(process.pid),
  version: '1',
  revisions: [process.argv[2]],
  resources: [resource({ uri: 'note:///a', name: 'a', read: () => 'a' })],
  tools: [
    tool({
      name: 'change',
      run() {
        server.resources.changed('note:///a')
        return 'changed'
      },
    }),
    tool({ name: 'crash', run: () => process.exit(1) }),
  ],
})
const port = process.argv[3]
if (port === undefined) await serveStdio(server)
else {
  const http = await serveHttp(server, { port: Number(port) })
  process.send(http.port)
  process.on('message', async () => {
    await http.close()
    process.exit(0)
  })
}
