// HTTP/1.1 pipelining: connections that send requests before the answers to earlier ones came.
import { once } from 'node:events'
import { connect } from 'node:net'
import { headersFor, postBytes } from '../lib/messages.mjs'
import { ChannelLoad } from './channel-load.mjs'
import { HttpAnswers } from './frames.mjs'
import { Latencies } from './latencies.mjs'

export class PipelinedLoad {
  /**
   * @param {number} port
   * @param {import('./http-load.mjs').Exchange[]} exchanges of 2026-07-28, all of one method and name
   * @param {number} inFlight requests on each connection
   */
  constructor(port, exchanges, inFlight) {
    this.port = port
    this.inFlight = inFlight
    this.exchanges = exchanges.map(({ message, check }) => ({ message, check: (answer) => check([answer]) }))
    this.channels = []
  }

  open(connections) {
    const headers = headersFor('modern', this.exchanges[0].message)
    const { port } = this
    class Answers extends HttpAnswers {
      static wrap = (text) => postBytes(port, text, headers)
    }
    this.channels = Array.from({ length: connections }, () => new ChannelLoad(undefined, Answers, this.exchanges))
  }

  async run(milliseconds) {
    // Servers close idle connections, so that each run has connections of its own.
    await Promise.all(this.channels.map((channel) => this.connect(channel)))
    const runs = await Promise.all(this.channels.map((channel) => channel.run(milliseconds, this.inFlight)))
    this.close()
    return sumOf(runs)
  }

  async connect(channel) {
    const socket = connect({ port: this.port, host: '127.0.0.1', noDelay: true })
    await once(socket, 'connect')
    socket.on('data', (chunk) => channel.push(chunk))
    socket.on('error', (error) => channel.fail(error))
    socket.on('close', () => channel.fail(new Error('the server closed the connection')))
    channel.output = socket
  }

  close() {
    for (const { output } of this.channels) output?.removeAllListeners('close').destroy()
  }
}

/** Runs at the same time as one. */
export const sumOf = (runs) => ({
  count: runs.reduce((sum, { count }) => sum + count, 0),
  seconds: Math.max(...runs.map(({ seconds }) => seconds)),
  latencies: runs.reduce((sum, { latencies }) => sum.addCounts(latencies.counts), new Latencies()),
  loadSeconds: runs.reduce((sum, { loadSeconds = 0 }) => sum + loadSeconds, 0),
})
