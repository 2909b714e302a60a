// Keeps a number of requests in flight on one channel (stdio, WebSocket), and checks every answer.
import { Latencies } from './latencies.mjs'

/** Sends prebuilt messages in one write for all answers of one read. */
export class ChannelLoad {
  /**
   * @param {import('node:stream').Writable} output
   * @param {typeof import('./frames.mjs').Lines} Frames
   * @param {{ message: { id: number }, check: (message: object) => void }[]} exchanges with ids from 0 upwards
   */
  constructor(output, Frames, exchanges) {
    this.output = output
    this.Frames = Frames
    this.exchanges = exchanges
    const wrapped = exchanges.map(({ message }) => Frames.wrap(JSON.stringify(message)))
    this.starts = [0]
    for (const bytes of wrapped) this.starts.push(this.starts.at(-1) + bytes.length)
    this.bytes = Buffer.concat(wrapped)
    this.known = new Array(exchanges.length)
    this.waiting = new Uint8Array(exchanges.length)
    this.sentAt = new Float64Array(exchanges.length)
    this.latencies = new Latencies()
    this.now = 0
    this.frames = new Frames((bytes) => this.receive(bytes))
    this.sent = 0
    this.answered = 0
    this.due = 0
  }

  /** Call it with all output of the server. */
  push(chunk) {
    this.now = performance.now()
    try {
      this.frames.push(chunk)
    } catch (error) {
      this.fail(error)
    }
    this.afterChunk?.()
  }

  fail(error) {
    this.reject?.(error)
  }

  /** One message outside of any measurement, with its answer if it is a request. */
  exchangeOnce(message) {
    return new Promise((resolve, reject) => {
      this.reject = reject
      if (message.id === undefined) resolve()
      else this.other = (answer) => (answer.error ? reject(new Error(JSON.stringify(answer.error))) : resolve(answer))
      this.output.write(this.Frames.wrap(JSON.stringify(message)))
    })
  }

  run(milliseconds, inFlight) {
    const started = performance.now()
    const end = started + milliseconds
    const before = this.answered
    this.now = started
    this.latencies = new Latencies()
    return new Promise((resolve, reject) => {
      this.reject = reject
      let flying = inFlight
      let settled = before
      let over = false
      this.afterChunk = () => {
        const fresh = this.answered - settled
        settled = this.answered
        const { now, latencies } = this
        over ||= now >= end
        if (!over) return this.send(fresh)
        flying -= fresh
        if (flying === 0) resolve({ count: this.answered - before, seconds: (now - started) / 1000, latencies })
      }
      this.send(inFlight)
    })
  }

  send(count) {
    const total = this.exchanges.length
    while (count > 0) {
      const from = this.sent % total
      const to = Math.min(from + count, total)
      this.waiting.fill(1, from, to)
      this.sentAt.fill(this.now, from, to)
      this.output.write(this.bytes.subarray(this.starts[from], this.starts[to]))
      this.sent += to - from
      count -= to - from
    }
  }

  receive(bytes) {
    // Most servers answer in order, so the next answer is compared first.
    const next = this.due % this.exchanges.length
    const known = this.known[next]
    if (known !== undefined && this.waiting[next] === 1 && known.equals(bytes)) return this.settle(next)
    const message = JSON.parse(bytes.toString())
    if (this.other !== undefined && typeof message.id === 'string') return void this.takeOther()(message)
    if (message.id === undefined) return
    const index = message.id
    if (this.waiting[index] !== 1) throw new Error(`an answer nobody waits for: ${bytes.toString().slice(0, 200)}`)
    this.exchanges[index].check(message)
    this.known[index] = Buffer.from(bytes)
    this.settle(index)
  }

  takeOther() {
    const { other } = this
    this.other = undefined
    return other
  }

  settle(index) {
    this.waiting[index] = 0
    this.latencies.add(this.now - this.sentAt[index])
    this.answered++
    this.due = index + 1
  }
}
