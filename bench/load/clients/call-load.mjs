// Calls of an ordinary HTTP client, one after the other on each connection.
import { headersFor } from '../../lib/messages.mjs'
import { Latencies } from '../latencies.mjs'

export class CallLoad {
  /**
   * @param {(body: string, headers: Record<string, string>) => Promise<string>} post
   * @param {import('../http-load.mjs').Exchange[]} exchanges of 2026-07-28
   */
  constructor(post, exchanges) {
    this.post = post
    this.requests = exchanges.map(({ message, check }) => {
      const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
      return { body: JSON.stringify(message), headers: { ...headers, ...headersFor('modern', message) }, check }
    })
  }

  open(connections) {
    this.connections = connections
  }

  async run(milliseconds) {
    const latencies = new Latencies()
    const started = performance.now()
    let ended = started
    let count = 0
    let sent = 0
    const loop = async () => {
      for (let now = started; now < started + milliseconds; now = ended) {
        const { body, headers, check } = this.requests[sent++ % this.requests.length]
        check([JSON.parse(await this.post(body, headers))])
        ended = performance.now()
        latencies.add(ended - now)
        count++
      }
    }
    await Promise.all(Array.from({ length: this.connections }, loop))
    return { count, seconds: (ended - started) / 1000, latencies }
  }
}
