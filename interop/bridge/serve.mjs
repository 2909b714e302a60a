// Tenon's bridge in front of a server: serve.mjs <http|sse|stdio> <target>
import { bridge } from '@tenon/bridge'
import { announce } from '../lib/listen.mjs'

const [, , near, target] = process.argv
const { server } = bridge({ target: JSON.parse(target) })

if (near === 'stdio') {
  const { serveStdio } = await import('@tenon/sdk/stdio')
  await serveStdio(server)
} else {
  const { serveHttp } = await import('@tenon/sdk/node')
  const { url } = await serveHttp(server, { port: 0 })
  announce(near === 'sse' ? new URL('/sse', url).href : url)
}
