import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach } from 'vitest'

/** A value that nobody has looked at. */
export type Json = ReturnType<typeof JSON.parse>

/** One answer of a stand-in for a provider. */
export type StandInReply = (response: ServerResponse) => void

export interface StandInRequest {
  url: string
  headers: IncomingHttpHeaders
  body: Json
}

const endings: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of endings.splice(0)) await end()
})

/** A provider on this machine, which answers one request after the other. */
export async function startStandIn(replies: StandInReply[]): Promise<{ url: string; requests: StandInRequest[] }> {
  const requests: StandInRequest[] = []
  const rest = [...replies]
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    requests.push({ url: request.url!, headers: request.headers, body: JSON.parse(Buffer.concat(chunks).toString()) })
    const reply = rest.shift()
    if (reply) reply(response)
    else response.writeHead(400).end('{"error":{"message":"the stand-in has no more answers"}}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  endings.push(
    () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  )
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests }
}

/** A line of a stream: an event, text as it is, or the end of the connection in the middle. */
type StreamLine = { event?: string; data: unknown } | string | typeof cut

/** Closes the connection without the end of the stream. */
export const cut: unique symbol = Symbol('cut')

export const stream =
  (...lines: StreamLine[]): StandInReply =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const line of lines) {
      if (line === cut) {
        response.write('', () => response.destroy())
        return
      }
      if (typeof line === 'string') response.write(line)
      else response.write(`${line.event ? `event: ${line.event}\n` : ''}data: ${JSON.stringify(line.data)}\n\n`)
    }
    response.end()
  }

export const failure =
  (status: number, body: unknown, headers: { [name: string]: string } = {}): StandInReply =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  }
