import type { ServerResponse } from 'node:http'
import type { Traffic, TrafficEntry } from '../serving/traffic.ts'

const maxKept = 200
const maxStreams = 32
/** A reader that is this far behind is let go, and comes back. */
const maxWaitingBytes = 1024 * 1024
const pulseMs = 15_000

/** Streams of the requests that pass. Each begins with the latest ones. */
export class TrafficStreams {
  readonly #latest: TrafficEntry[] = []
  readonly #open = new Set<ServerResponse>()
  readonly #stop: () => void
  readonly #pulse: NodeJS.Timeout

  constructor(traffic: Traffic) {
    this.#stop = traffic.watch((entry) => {
      this.#latest.push(entry)
      if (this.#latest.length > maxKept) this.#latest.shift()
      for (const response of this.#open) write(response, entry)
    })
    this.#pulse = setInterval(() => {
      for (const response of this.#open) response.write(':\n\n')
    }, pulseMs).unref()
  }

  open(response: ServerResponse): void {
    if (this.#open.size >= maxStreams) return void response.writeHead(503, { connection: 'close' }).end()
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store' })
    response.write(':\n\n')
    for (const entry of this.#latest) write(response, entry)
    this.#open.add(response)
    response.once('close', () => this.#open.delete(response))
  }

  close(): void {
    this.#stop()
    clearInterval(this.#pulse)
    for (const response of this.#open) response.end()
  }
}

function write(response: ServerResponse, entry: TrafficEntry): void {
  response.write(`data: ${JSON.stringify(entry)}\n\n`)
  if (response.writableLength > maxWaitingBytes) response.destroy()
}
