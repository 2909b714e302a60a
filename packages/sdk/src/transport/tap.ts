import { defaultMaxDepth } from '../jsonrpc/limits.ts'
import type { Payload } from '../jsonrpc/message.ts'
import type { Channel, Receiver, Refusal, Sink } from './channel.ts'
import { cloneJson } from './clone.ts'
import { epochMs } from './epoch-ms.ts'

export type Side = 'client' | 'server'

/** Something that travelled between a client and a server: a payload, or input that never became one. */
export type TrafficEvent = TrafficMessage | TrafficRefusal

/** One payload, as it went over the wire. */
export interface TrafficMessage {
  from: Side
  /** A copy. What a server sent may be any JSON value, and a message only in name. */
  payload: Payload
  refusal?: undefined
  /** When it passed: milliseconds since 1970, with fractions. */
  at: number
}

/** Input that was not taken, such as a line that is no JSON. */
export interface TrafficRefusal {
  from: Side
  payload?: undefined
  refusal: Refusal
  at: number
}

/** A channel that tells of everything that passes through it. `side` is who uses this end; `tell` must not throw. */
export function tap(channel: Channel, side: Side, tell: (event: TrafficEvent) => void): Channel {
  const other = side === 'client' ? 'server' : 'client'
  const telling = (sink: Sink): Sink['send'] => {
    return (payload) => {
      const at = epochMs()
      const sending = sink.send(payload)
      tell({ from: side, payload: copyOf(payload), at })
      return sending
    }
  }
  const listening = (receiver: Receiver): Receiver => ({
    receive: (value, sink) => {
      tell({ from: other, payload: copyOf(value), at: epochMs() })
      receiver.receive(value, sink && { send: telling(sink) })
    },
    refuse: (refusal) => {
      tell({ from: other, refusal, at: epochMs() })
      receiver.refuse(refusal)
    },
    failed: (id, error) => receiver.failed?.(id, error),
    delayed: (id) => receiver.delayed?.(id),
    closed: (reason) => receiver.closed(reason),
  })
  return {
    ...(channel.sendsAfterEnd && { sendsAfterEnd: true }),
    get about() {
      return channel.about
    },
    open: (receiver) => channel.open(listening(receiver)),
    send: telling(channel),
    close: () => channel.close(),
  }
}

// A copy as it travels: what the sender changes later was not said.
const copyOf = (value: unknown): Payload =>
  (cloneJson(value, defaultMaxDepth) ?? { value: JSON.parse(JSON.stringify(value)) }).value as Payload
