import type { Channel } from '../../jsonrpc/channel.ts'
import type { Payload } from '../../jsonrpc/message.ts'

/** A channel that drops the messages that may not be sent. */
export const withOutgoingFilter = (channel: Channel, maySend: (payload: Payload) => boolean): Channel => ({
  ...(channel.sendsAfterEnd === undefined ? {} : { sendsAfterEnd: channel.sendsAfterEnd }),
  open: (receiver) => channel.open(receiver),
  send: (payload) => (maySend(payload) ? channel.send(payload) : undefined),
  close: () => channel.close(),
})
