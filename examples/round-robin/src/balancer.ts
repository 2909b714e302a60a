import { createServer, request as forward, type Server } from 'node:http'

/** A load balancer that sends each request to the next port. */
export function balance(ports: readonly number[]): Server {
  let turn = 0
  return createServer((request, response) => {
    const { method, url, headers } = request
    const port = ports[turn++ % ports.length]!
    const onward = forward({ host: '127.0.0.1', port, method, path: url, headers }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(response)
    })
    onward.on('error', () => response.writeHead(502).end())
    response.on('close', () => onward.destroy())
    request.pipe(onward)
  })
}
