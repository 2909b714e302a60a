import { createServer } from 'node:http'
import { type AddressInfo, connect as connectTcp } from 'node:net'

/** A proxy that sends every request to one site, whatever its name: names are its business. */
export async function startProxy(port: number) {
  const seen: string[] = []
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url} ${request.headers['proxy-authorization'] ?? ''}`.trim())
    response.writeHead(200, { 'content-type': 'text/html' }).end('<p>through the proxy</p>')
  })
  const tunnels = new Set<{ destroy(): unknown }>()
  server.on('connect', (request, socket) => {
    tunnels.add(socket)
    seen.push(`${request.method} ${request.url}`)
    if (request.url?.startsWith('closed.')) return socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
    socket.write('HTTP/1.1 200 OK\r\n\r\n')
    const upstream = connectTcp(port, '127.0.0.1')
    tunnels.add(upstream)
    socket.on('error', () => upstream.destroy())
    upstream.on('error', () => socket.destroy())
    socket.pipe(upstream).pipe(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    seen,
    url: `http://ada:pass%20word@127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      for (const tunnel of tunnels) tunnel.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
