// `npm start`: the workbench on two servers, so that the first minute shows something real: everything as a process and in
// the newest revision, and the same server over HTTP as clients of 2025-06-18 know it.
import { fileURLToPath } from 'node:url'
import { startInspector } from '@tenon/inspector'
import { openBrowser } from '@tenon/sdk/auth'
import { serveHttp } from '@tenon/sdk/node'
import { createEverythingServer } from '@tenon/server-everything'

const everything = fileURLToPath(new URL('../servers/everything/bin/everything.js', import.meta.url))
const http = await serveHttp(createEverythingServer(), { port: 0 })
const inspector = await startInspector({
  servers: [
    { kind: 'command', name: 'everything', command: process.execPath, args: [everything] },
    { kind: 'url', name: 'everything, 2025-06-18', url: http.url, revision: '2025-06-18' },
  ],
})

console.log(`The workbench is at ${inspector.url}`)
console.log('The link works once; press Enter for another one, Ctrl+C to end.')
// A machine without a browser is no failure: the link stands above.
if (process.stdout.isTTY) await Promise.resolve(openBrowser(new URL(inspector.url))).catch(() => {})
process.stdin.on('data', () => console.log(inspector.newUrl()))

async function end() {
  await inspector.close()
  await http.close()
  process.exit()
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, end)
