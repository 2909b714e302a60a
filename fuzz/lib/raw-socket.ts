import { connect } from 'node:net'

/** Far more than an answer takes, so that a missing one is noticed. */
const patienceMs = 5_000

/** A port of this machine, or the path of a Unix socket. */
export type Place = { port: number } | { path: string }

/**
 * Sends pieces, and returns the bytes received until the connection ends, or until an endless stream has begun. With
 * `hangUp` nothing follows them, even if the request is incomplete: a server may then abort it.
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
