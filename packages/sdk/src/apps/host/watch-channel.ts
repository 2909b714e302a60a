import type { Channel } from '../../jsonrpc/channel.ts'
import type { Payload } from '../../jsonrpc/message.ts'
import { methods } from '../vocabulary.ts'

/** One message between a view and its host. */
export interface AppTraffic {
  from: 'view' | 'host'
  /** A copy. A payload of a view may be any JSON value, and a message only in name. */
  payload: Payload
  /** Its time: milliseconds since 1970. */
  at: number
}

/** The channel to a view, with its messages told. `tell` must not throw. */
export function watchChannel(channel: Channel, tell: (message: AppTraffic) => void): Channel {
  const note = (from: AppTraffic['from'], payload: unknown): void => {
    // The sandbox page uses the same channel before the view does.
    if (Object(payload).method === methods.sandboxReady) return
    tell({ from, payload: JSON.parse(JSON.stringify(payload)) as Payload, at: Date.now() })
  }
  return {
    send: (payload) => {
      const sending = channel.send(payload)
      note('host', payload)
      return sending
    },
    close: () => channel.close(),
    open: (receiver) =>
      channel.open({
        receive: (value) => {
          note('view', value)
          receiver.receive(value)
        },
        refuse: (refusal) => receiver.refuse(refusal),
        closed: (reason) => receiver.closed(reason),
      }),
  }
}
