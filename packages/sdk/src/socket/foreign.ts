import type { Receiver } from '../jsonrpc/channel.ts'

/**
 * Closes the connection of a peer whose first line is no message.
 *
 * A web page can post to any local port. Its headers would be refused line by line, but a line of the body that is a
 * message would be obeyed.
 */
export function withoutForeigners(receiver: Receiver, hangUp: () => void): Receiver {
  let trusted = false
  return {
    receive(value, sink, during, text) {
      trusted = true
      receiver.receive(value, sink, during, text)
    },
    refuse(refusal, input) {
      if (trusted || refusal.kind !== undefined) receiver.refuse(refusal, input)
      else hangUp()
    },
    closed: (reason) => receiver.closed(reason),
  }
}
