import { createServer, request as forward } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Stands before a server over HTTP, and keeps every message that clients sent to it. */
export async function recordingProxy(
  target: string,
): Promise<{ url: string; received: { method?: string; [name: string]: unknown }[] } & AsyncDisposable> {
  const received: { method?: string }[] = []
  const proxy = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const body = Buffer.concat(parts)
      if (body.length > 0) received.push(JSON.parse(body.toString()))
      const { method, headers } = request
      const onward = forward(target, { method, headers: { ...headers, host: new URL(target).host } }, (answer) => {
        response.writeHead(answer.statusCode!, answer.headers)
        response.flushHeaders()
        answer.pipe(response)
      })
      onward.on('error', () => response.destroy())
      response.on('close', () => onward.destroy())
      onward.end(body)
    })
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}${new URL(target).pathname}`
  const close = (): Promise<void> => {
    proxy.closeAllConnections()
    return new Promise((resolve) => proxy.close(() => resolve()))
  }
  return { url, received, [Symbol.asyncDispose]: close }
}
