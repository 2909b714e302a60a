import type { HttpRequest } from '../../http/request.ts'
import type { PeerOptions } from '../../jsonrpc/peer-options.ts'
import { ServedConnection } from '../../server/connection.ts'
import type { Dispatcher } from '../../server/dispatch/dispatcher.ts'
import { refuseMessage } from '../checks/message-check.ts'
import { refusal, refuseRequest } from '../checks/refusal.ts'
import { refuseAcceptStream } from '../checks/request-checks.ts'
import { refuseMissingScopes } from '../checks/step-up.ts'
import { expiring } from '../expiring-reply.ts'
import type { HttpExchange, HttpTransport, OpenCounts, TransportContext } from '../http-transport.ts'
import type { KeepAliveTimer } from '../keep-alive.ts'
import { randomHex } from '../session/event-stream.ts'
import { streamHeaders } from '../sse-format.ts'
import { SseChannel } from './sse-channel.ts'

interface OpenChannel {
  readonly channel: SseChannel
  readonly connection: ServedConnection
}

/** HTTP+SSE of 2024-11-05: a stream at one address, and messages to the address that the stream names. */
export class HttpSseTransport implements HttpTransport {
  readonly allow = 'GET, POST'
  readonly #path: string
  readonly #dispatcher: Dispatcher
  readonly #keepAlive: KeepAliveTimer
  readonly #max: number
  readonly #limits: PeerOptions
  readonly #open = new Map<string, OpenChannel>()

  constructor({ dispatcher, keepAlive, settings, sessionLimits }: TransportContext, path: string) {
    this.#path = path
    this.#dispatcher = dispatcher
    this.#keepAlive = keepAlive
    this.#max = settings.maxSessions
    this.#limits = sessionLimits
  }

  get open(): Partial<OpenCounts> {
    return { sse: this.#open.size }
  }

  owns({ target }: HttpRequest): boolean {
    return target.path === this.#path
  }

  /** Opens a stream, whose first event says where messages go. */
  get(exchange: HttpExchange): void {
    const { request, reply, headers, settings } = exchange
    const refused =
      refuseAcceptStream(request, settings) ?? (this.#open.size >= this.#max ? tooManyConnections : undefined)
    if (refused === undefined) this.#listen(expiring(exchange))
    else refuseRequest(reply, refused, headers)
  }

  #listen({ reply, headers, auth }: HttpExchange): void {
    const id = randomHex(16)
    const stream = reply.stream({ ...streamHeaders, ...headers })
    stream.write(`event: endpoint\ndata: ${this.#path}?sessionId=${id}\n\n`)
    const channel = new SseChannel(stream, id, auth)
    // Every message brings its own token, so the connection as a whole has none.
    const connection = new ServedConnection(this.#dispatcher, channel, { transport: 'http+sse' }, this.#limits)
    this.#open.set(id, { channel, connection })
    this.#keepAlive.add(channel)
    void connection.ended.then(() => {
      this.#open.delete(id)
      this.#keepAlive.delete(channel)
    })
    reply.onGone(() => channel.gone())
  }

  /** Takes a message for a stream that is open. Done when its requests are answered there, or will not be. */
  async post(exchange: HttpExchange, message: unknown): Promise<void> {
    const { request, reply, headers, auth } = exchange
    const id = new URLSearchParams(request.target.query).get('sessionId')
    const open = id === null ? undefined : this.#open.get(id)
    if (open === undefined || open.channel.principal !== auth?.principal) {
      refuseRequest(reply, refusal(404, 'Session not found'), headers)
      return
    }
    const { channel, connection } = open
    const { definition } = this.#dispatcher
    // The answer comes on the stream, and has no status.
    const lacking = await connection.asCaller(auth, (caller) =>
      refuseMissingScopes(message, definition, caller, exchange),
    )
    const refused = lacking ?? refuseMessage(message, connection)
    if (refused !== undefined) {
      refuseRequest(reply, refused, headers)
      return
    }
    const answering = channel.receive(message, auth)
    reply.send(202, { ...headers })
    await answering
  }

  async endStreams(): Promise<void> {
    await Promise.all([...this.#open.values()].map(({ connection }) => connection.close()))
  }
}

const tooManyConnections = refusal(503, 'Too many open connections')
