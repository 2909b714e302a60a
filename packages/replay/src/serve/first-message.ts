import type { Channel, McpError, Receiver } from '@tenon/sdk/client'
import type { ServerConnection } from '@tenon/sdk/server'

/** Serves a channel in a way that its first message decides. */
export function serveByFirstMessage(
  channel: Channel,
  serve: (first: unknown, channel: Channel) => ServerConnection,
): ServerConnection {
  let receiver: Receiver | undefined
  let connection: ServerConnection | undefined
  let end: (reason: Promise<McpError>) => void = () => {}
  const closed = new Promise<McpError>((resolve) => {
    end = resolve
  })
  const own: Channel = {
    ...(channel.sendsAfterEnd && { sendsAfterEnd: true }),
    get about() {
      return channel.about
    },
    open: (given) => {
      receiver = given
    },
    send: (payload) => channel.send(payload),
    close: () => channel.close(),
  }
  const start = (first: unknown): Receiver => {
    if (connection === undefined) {
      connection = serve(first, own)
      end(connection.closed)
    }
    return receiver!
  }
  channel.open({
    receive: (value, sink) => start(value).receive(value, sink),
    refuse: (refusal) => receiver?.refuse(refusal),
    failed: (id, error) => receiver?.failed?.(id, error),
    closed: (reason) => start(undefined).closed(reason),
  })
  const close = async (): Promise<void> => {
    start(undefined)
    await connection!.close()
  }
  return {
    get caller() {
      return connection?.caller
    },
    closed,
    ping: async () => connection?.ping(),
    close,
    [Symbol.asyncDispose]: close,
  }
}
