import type { Channel } from '../../transport/channel.ts'
import { isAnswer } from '../../transport/is-answer.ts'

/**
 * A channel that keeps answers back while `silent` says so: from 2026-07-28 on clients only ask, and what a server
 * does wrong gets no answer either.
 */
export const suppressResponses = (channel: Channel, silent: () => boolean): Channel => ({
  ...(channel.sendsAfterEnd === undefined ? {} : { sendsAfterEnd: channel.sendsAfterEnd }),
  open: (receiver) => channel.open(receiver),
  send: (payload) => (silent() && isAnswer(payload) ? undefined : channel.send(payload)),
  close: () => channel.close(),
})
