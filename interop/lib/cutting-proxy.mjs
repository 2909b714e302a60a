// An HTTP proxy that breaks a connection once, in the middle of the answer to a call.
import { once } from 'node:events'
import { createServer, request as send } from 'node:http'

/** Events of one answer that pass before the connection is cut. */
const eventsBeforeCut = 2

export async function cuttingProxy(target) {
  const proxy = { cuts: 0, resumed: false }
  const server = createServer((request, response) => {
    if (request.headers['last-event-id'] !== undefined && proxy.cuts > 0) proxy.resumed = true
    const headers = { ...request.headers, host: new URL(target).host }
    const outgoing = send(target, { method: request.method, headers }, (incoming) => {
      response.writeHead(incoming.statusCode, incoming.headers)
      response.flushHeaders()
      if (mayCut(request, incoming, proxy)) cutLater(incoming, response, proxy)
      incoming.on('error', () => response.destroy())
      incoming.pipe(response)
    })
    outgoing.on('error', () => response.destroy())
    response.on('close', () => outgoing.destroy())
    request.pipe(outgoing)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { pathname } = new URL(target)
  proxy.url = `http://127.0.0.1:${server.address().port}${pathname}`
  proxy.close = async () => {
    server.closeAllConnections()
    server.close()
  }
  return proxy
}

const mayCut = ({ method }, { headers }, { cuts }) =>
  method === 'POST' && cuts === 0 && headers['content-type']?.startsWith('text/event-stream')

/** Only events with data count, and only those that a client could resume from. */
function cutLater(incoming, response, proxy) {
  let text = ''
  incoming.on('data', (bytes) => {
    text += bytes
    const events = text.split('\n\n').filter((event) => /^data: ?\{/m.test(event) && /^id: ?./m.test(event))
    if (proxy.cuts > 0 || events.length < eventsBeforeCut) return
    proxy.cuts++
    // Received events reach the client before the connection breaks.
    setImmediate(() => response.destroy())
  })
}
