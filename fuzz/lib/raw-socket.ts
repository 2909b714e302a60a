import { connect } from 'node:net'

/** Far more than an answer takes, so that one which never comes is seen as none. */
const patienceMs = 5_000

/** A port of this machine, or the path of a Unix socket. */
export type Place = { port: number } | { path: string }

/**
 * Sends pieces, and returns what comes back until the connection ends, or until something has begun that would not end. With
 * `hangUp` nothing more comes after them, be the request complete or not: a server may then give up what it is at.
 */
export async function talk(place: Place, pieces: readonly Uint8Array[], { hangUp = false } = {}): Promise<string> {
  const socket = connect({ ...place, ...('port' in place && { host: '127.0.0.1' }) })
  socket.setNoDelay()
  let received = ''
  const closed = new Promise((resolve) => socket.once('close', resolve))
  const timer = setTimeout(() => socket.destroy(), patienceMs)
  socket.on('error', () => {})
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1')
    // A stream stays open until its client leaves.
    if (/content-type: text\/event-stream|^HTTP\/1.1 101.*\r\n\r\n/is.test(received)) socket.destroy()
  })
  for (const piece of pieces) {
    socket.write(piece)
    await new Promise((resolve) => setImmediate(resolve))
  }
  if (hangUp) socket.end()
  await closed
  clearTimeout(timer)
  return received
}
