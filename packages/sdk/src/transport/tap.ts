import { McpError } from '../errors.ts'
import type { Channel, MessageSink, Receiver, Refusal, RefusedInput, Side, Sink } from '../jsonrpc/channel.ts'
import { defaultMaxDepth } from '../jsonrpc/limits.ts'
import type { Payload, RequestId } from '../jsonrpc/message.ts'
import { cloneJson } from './clone.ts'
import { epochMs } from './epoch-ms.ts'
import { writeJson } from './write-json.ts'

/** One event between a client and a server: a payload, input that never became one, or an answer that never will. */
export type TrafficEvent = TrafficMessage | TrafficRefusal | TrafficFailure

/** One payload, as it went over the wire. */
export interface TrafficMessage {
  from: Side
  /** A copy. A payload of a server may be any JSON value, and a message only in name. */
  payload: Payload
  /**
   * The JSON that a received payload was read from, if it came as text: with every digit, space and repeated member. Of a sent
   * payload only if it has bigints, which are numbers in the copy.
   */
  text?: string
  refusal?: undefined
  failure?: undefined
  /** The request of this side on whose stream it came, if the transport has such streams. */
  during?: RequestId
  /** Its time: milliseconds since 1970, with fractions. */
  at: number
}

/** Refused input, such as a line that is no JSON. */
export interface TrafficRefusal {
  from: Side
  payload?: undefined
  refusal: Refusal
  /** The refused input, if it was text. It may hold secrets. */
  input?: RefusedInput
  failure?: undefined
  at: number
}

/** A request that stays without an answer: its stream broke, or this side has closed it, which takes no message. */
export interface TrafficFailure {
  /** The sender of the request. */
  from: Side
  payload?: undefined
  refusal?: undefined
  /** Without an id: the connection has ended, and with it everything that was open. */
  failure: { id?: RequestId; error: Error }
  /** The input that came in place of an answer. It may hold secrets. */
  input?: RefusedInput
  at: number
}

/** A channel that reports everything that passes through it. `side` owns this end; `tell` must not throw. */
export function tap(channel: Channel, side: Side, tell: (event: TrafficEvent) => void): Channel {
  const other = side === 'client' ? 'server' : 'client'
  const telling = (sink: Sink): Sink['send'] => {
    return (payload) => {
      const at = epochMs()
      const withdrawn = channel.withdraws?.(payload)
      const sending = sink.send(payload)
      if (withdrawn === undefined) tell({ from: side, ...sentCopyOf(payload), at })
      else tell({ from: side, failure: { id: withdrawn, error: new McpError('cancelled', 'It was cancelled') }, at })
      return sending
    }
  }
  const tellingFor = (sink: MessageSink): MessageSink => ({
    auth: sink.auth,
    send: telling(sink),
    unanswered: (reason) => sink.unanswered(reason),
  })
  const listening = (receiver: Receiver): Receiver => ({
    receive: (value, sink, during, text) => {
      const about = { ...(text !== undefined && { text }), ...(during !== undefined && { during }) }
      tell({ from: other, payload: copyOf(value), ...about, at: epochMs() })
      receiver.receive(value, sink && tellingFor(sink))
    },
    refuse: (refusal, input) => {
      tell({ from: other, refusal, ...(input && { input }), at: epochMs() })
      receiver.refuse(refusal)
    },
    failed: (id, error, input) => {
      tell({ from: side, failure: { id, error }, ...(input && { input }), at: epochMs() })
      receiver.failed?.(id, error)
    },
    delayed: (id) => receiver.delayed?.(id),
    closed: (reason) => {
      const error = reason ?? new McpError('closed', 'The connection was closed')
      tell({ from: side, failure: { error }, at: epochMs() })
      receiver.closed(reason)
    },
  })
  return {
    ...(channel.sendsAfterEnd && { sendsAfterEnd: true }),
    ...(channel.firstSign && { firstSign: channel.firstSign }),
    ...(channel.streamPerRequest && { streamPerRequest: true }),
    get about() {
      return channel.about
    },
    open: (receiver) => channel.open(listening(receiver)),
    send: telling(channel),
    close: () => channel.close(),
  }
}

/** The copy has numbers in the place of bigints, and the text has their digits. */
function sentCopyOf(payload: Payload): { payload: Payload; text?: string } {
  try {
    return { payload: copyOf(payload) }
  } catch {
    const text = writeJson(payload)
    return { payload: JSON.parse(text) as Payload, text }
  }
}

// A copy as it travels: later changes by the sender do not count.
const copyOf = (value: unknown): Payload =>
  (cloneJson(value, defaultMaxDepth) ?? { value: JSON.parse(JSON.stringify(value)) }).value as Payload
