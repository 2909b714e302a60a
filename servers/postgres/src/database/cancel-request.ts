import { connect as connectSocket, type Socket } from 'node:net'
import { type ConnectionOptions, connect as connectTls } from 'node:tls'
import type { Client } from 'pg'
import { backendKeyOf } from './wire.ts'

const cancelCode = 80_877_102
const sslCode = 80_877_103
const patienceMs = 5_000

/** Asks the server to end the statement of a connection, on a connection of its own, as the protocol wants it. */
export function sendCancelRequest(client: Client): Promise<void> {
  const { processID, secretKey } = backendKeyOf(client)
  const message = Buffer.alloc(16)
  message.writeInt32BE(16, 0)
  message.writeInt32BE(cancelCode, 4)
  message.writeInt32BE(processID, 8)
  message.writeInt32BE(secretKey, 12)
  return new Promise((resolve) => {
    const { host, port } = client
    const socket = host.startsWith('/') ? connectSocket(`${host}/.s.PGSQL.${port}`) : connectSocket(port, host)
    socket.setTimeout(patienceMs, () => socket.destroy())
    // The server closes the connection when it has passed the request on. An error leaves the time limits.
    socket.on('error', () => {})
    socket.once('close', () => resolve())
    socket.once('connect', () => (client.ssl ? sendEncrypted(socket, client, message) : socket.write(message)))
  })
}

function sendEncrypted(socket: Socket, client: Client, message: Buffer): void {
  const ssl = client.ssl as boolean | ConnectionOptions
  const { host } = client
  const request = Buffer.alloc(8)
  request.writeInt32BE(8, 0)
  request.writeInt32BE(sslCode, 4)
  socket.write(request)
  socket.once('data', (answer) => {
    if (answer[0] !== 0x53) return void socket.destroy()
    const secure = connectTls({ socket, host, ...(typeof ssl === 'object' ? ssl : {}) }, () => secure.write(message))
    secure.on('error', () => socket.destroy())
    secure.resume()
  })
}
