// Keeps a number of connections busy for a while, and counts the answers.
import { headersFor, initialize, initialized, postBytes } from '../lib/messages.mjs'
import { HttpConnection } from './http-connection.mjs'
import { Latencies } from './latencies.mjs'

/**
 * @typedef {object} Exchange One request that is sent again and again.
 * @property {object | string} message
 * @property {(messages: object[]) => void} check throws if the answer is wrong
 */

/** Connections to one server, opened once and used for every sample. */
export class HttpLoad {
  /**
   * @param {number} port
   * @param {'modern' | 'session'} era
   * @param {Exchange[]} exchanges
   * @param {Record<string, string>} [headers] of every request, such as a token
   */
  constructor(port, era, exchanges, headers = {}) {
    this.port = port
    this.era = era
    this.exchanges = exchanges
    this.headers = headers
    this.clients = []
  }

  async open(connections) {
    // All at once: some servers take a second for a handshake.
    const missing = Array.from({ length: connections - this.clients.length }, () => this.openClient())
    this.clients.push(...(await Promise.all(missing)))
  }

  /** Sends until the time is over or `limit` requests were answered. */
  async run(milliseconds, limit = Number.POSITIVE_INFINITY) {
    const { exchanges, clients } = this
    const latencies = new Latencies()
    for (const { connection } of clients) connection.refresh()
    let sent = 0
    let answered = 0
    let over = false
    const started = performance.now()
    const end = started + milliseconds
    let ended = started
    await new Promise((resolve, reject) => {
      let busy = clients.length
      const next = (client) => {
        if (over || sent >= limit) {
          if (--busy === 0) resolve()
          return
        }
        const index = sent++ % exchanges.length
        client.connection.send(index, client.requests[index])
      }
      const begin = (client) => {
        client.sentAt = performance.now()
        next(client)
      }
      for (const client of clients) {
        client.connection.done = (_connection, error) => {
          if (error) return reject(error)
          answered++
          ended = performance.now()
          latencies.add(ended - client.sentAt)
          client.sentAt = ended
          over = ended >= end
          next(client)
        }
      }
      for (const client of clients) begin(client)
    })
    return { count: answered, seconds: (ended - started) / 1000, latencies }
  }

  close() {
    for (const { connection } of this.clients) connection.close()
    this.clients = []
  }

  async openClient() {
    const connection = new HttpConnection(this.port, (index, messages) => this.exchanges[index]?.check(messages))
    const session = this.era === 'session' ? await openSession(this.port, connection, this.headers) : undefined
    const requests = this.exchanges.map(({ message }) =>
      postBytes(this.port, message, { ...headersFor(this.era, message, session), ...this.headers }),
    )
    return { connection, requests }
  }
}

/** Initializes a session on a connection; returns the headers for later requests. */
export async function openSession(port, connection, headers = {}) {
  const { head, messages } = await exchangeOnce(connection, postBytes(port, initialize, headers))
  const session = {
    id: /\r\nmcp-session-id: *(\S+)/i.exec(head)?.[1],
    revision: messages.at(-1).result.protocolVersion,
  }
  const more = { ...headersFor('session', initialized, session), ...headers }
  await exchangeOnce(connection, postBytes(port, initialized, more))
  return session
}

/** Sends one request outside of any measurement. */
export function exchangeOnce(connection, bytes) {
  return new Promise((resolve, reject) => {
    connection.refresh()
    const check = connection.check
    connection.check = (_index, messages) => {
      connection.messages = messages
      const error = messages.at(-1)?.error
      if (error) throw new Error(`the server refused: ${error.message}`)
    }
    connection.done = (_connection, error) => {
      connection.check = check
      connection.known.delete(-2)
      if (error) reject(error)
      else resolve({ ...connection.answer, messages: connection.messages })
    }
    connection.send(-2, bytes)
  })
}
