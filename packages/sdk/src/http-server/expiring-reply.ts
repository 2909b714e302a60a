import type { HttpReply, ReplyHeaders, ReplyStream } from '../http/request.ts'
import type { Text } from '../transport/cached-text.ts'
import type { HttpExchange } from './http-transport.ts'

/** A request for a stream, whose reply ends with the credentials that the request came with, where those can end. */
export function expiring(exchange: HttpExchange): HttpExchange {
  const { request, reply, auth, settings } = exchange
  const authenticate = settings.auth
  if (auth === undefined || authenticate?.watch === undefined) return exchange
  return { ...exchange, reply: new ExpiringReply(reply, (ended) => authenticate.watch!(request, auth, ended)) }
}

class ExpiringReply implements HttpReply {
  readonly #reply: HttpReply
  readonly #watch: (ended: () => void) => () => void
  readonly #gone: (() => void)[] = []
  #stopWatching: (() => void) | undefined
  #ended = false

  constructor(reply: HttpReply, watch: (ended: () => void) => () => void) {
    this.#reply = reply
    this.#watch = watch
  }

  send(status: number, headers: ReplyHeaders, body?: Text): void {
    this.#reply.send(status, headers, body)
  }

  stream(headers: ReplyHeaders): ReplyStream {
    const stream = this.#reply.stream(headers)
    this.#stopWatching = this.#watch(() => {
      this.#ended = true
      stream.end()
      // As if the client had left: with a new token it may come back and go on.
      for (const listener of this.#gone) listener()
    })
    this.#reply.onGone(this.#stopWatching)
    return {
      write: (text) => stream.write(text),
      end: () => {
        this.#stopWatching?.()
        stream.end()
      },
    }
  }

  onGone(listener: () => void): void {
    if (this.#ended) {
      listener()
      return
    }
    this.#gone.push(listener)
    this.#reply.onGone(listener)
  }
}
