import type { ServerTarget } from '../client/connecting/target.ts'
import { McpError } from '../errors.ts'
import { gate } from '../internal/gate.ts'
import type { Channel } from '../jsonrpc/channel.ts'
import type { Payload } from '../jsonrpc/message.ts'
import { memoryPair } from '../transport/memory.ts'
import { record, Transcript } from './transcript.ts'

/** The bare wire to a server: any message can be sent, nothing is checked. */
export interface Wire extends AsyncDisposable {
  readonly transcript: Transcript
  /** Sends any JSON value, well-formed as a message or not. */
  send(value: unknown): void
  /** The next payload from the server; waits for it, and fails when the connection ends before it comes. */
  next(): Promise<Payload>
  /** Payloads that have arrived and were not read with `next`. */
  readonly waiting: readonly Payload[]
  /** Resolves when the server has ended the connection. */
  readonly closed: Promise<void>
  close(): Promise<void>
}

/**
 * Opens a wire to a server in memory, or over a channel, to test it against a peer that breaks the rules.
 *
 * @example
 * await using wire = openWire(server)
 * wire.send({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
 * expect(await wire.next()).toMatchObject({ error: { code: -32600 } })
 */
export function openWire(target: ServerTarget | Channel): Wire {
  const transcript = new Transcript()
  const channel = record('connect' in target ? openServer(target) : target, 'client', transcript)
  const waiting: Payload[] = []
  const takers: { resolve(payload: Payload): void; reject(error: Error): void }[] = []
  let ended: McpError | undefined
  const { passed: closed, open: end } = gate()
  channel.open({
    receive: (value) => {
      const taker = takers.shift()
      if (taker) taker.resolve(value as Payload)
      else waiting.push(value as Payload)
    },
    refuse: () => {},
    closed: (reason) => {
      ended = new McpError('closed', reason?.message ?? 'The connection ended, and nothing more comes', {
        cause: reason,
      })
      for (const taker of takers.splice(0)) taker.reject(ended)
      end()
    },
  })
  return {
    transcript,
    send: (value) => void channel.send(value as Payload),
    next: () => {
      const payload = waiting.shift()
      if (payload !== undefined) return Promise.resolve(payload)
      if (ended !== undefined) return Promise.reject(ended)
      const next = new Promise<Payload>((resolve, reject) => takers.push({ resolve, reject }))
      // A test may end before it arrives: that is not an unhandled error.
      next.catch(() => {})
      return next
    },
    waiting,
    closed,
    close: () => channel.close(),
    [Symbol.asyncDispose]: () => channel.close(),
  }
}

function openServer(server: ServerTarget): Channel {
  const [near, far] = memoryPair()
  server.connect(far, { transport: 'memory' })
  return near
}
