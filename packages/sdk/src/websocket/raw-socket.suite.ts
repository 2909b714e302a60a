import type { IncomingMessage } from 'node:http'
import { type ClientOptions, WebSocket } from 'ws'

/** The outcome of an attempt to open a WebSocket by hand. */
export interface Dialled {
  socket?: WebSocket
  status?: number
  headers?: IncomingMessage['headers']
  body?: string
}

/** Opens a WebSocket without a channel, to send messages that a channel would not. */
export function dial(
  url: string,
  { protocols = ['mcp'], ...options }: ClientOptions & { protocols?: string[] } = {},
): Promise<Dialled> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url, protocols, options)
    socket.on('open', () => resolve({ socket }))
    socket.on('error', reject)
    socket.on('unexpected-response', (_request, response) => {
      let body = ''
      response.setEncoding('utf8').on('data', (piece: string) => {
        body += piece
      })
      response.on('end', () => resolve({ status: response.statusCode!, headers: response.headers, body }))
    })
  })
}

export const closeOf = (socket: WebSocket): Promise<{ code: number; reason: string }> =>
  new Promise((resolve) => socket.on('close', (code, reason) => resolve({ code, reason: reason.toString() })))

/** The next `count` messages. */
export function messagesOf(socket: WebSocket, count: number): Promise<unknown[]> {
  const messages: unknown[] = []
  return new Promise((resolve) => {
    socket.on('message', (data) => {
      messages.push(JSON.parse(String(data)))
      if (messages.length === count) resolve(messages)
    })
  })
}
