import { isMcpError, McpError } from '../errors.ts'
import type { MaybePromise } from '../internal/maybe-promise.ts'
import type { AuthRequest, ClientAuth } from './client-auth.ts'
import type { OutgoingHttpRequest, ReplyHead } from './engines/engine.ts'
import type { HeaderRecord } from './http-options.ts'
import type { Handle } from './http-wire.ts'
import { joinHeaders } from './request-headers.ts'
import { PassingSink } from './streams/passing-sink.ts'
import type { ReplyOutcome, ReplySink } from './streams/reply.ts'

/** A nonce, an expired token and a missing scope may each cost a round; beyond that it is refused for good. */
const maxRefusals = 4
/** How often the timeout of the request is restarted while this side obtains credentials. */
const pulseMs = 250

interface AuthorizedWire {
  auth: ClientAuth
  server: URL
  send(request: OutgoingHttpRequest, sink: ReplySink): Handle
}

/** One request with credentials: obtained before it is sent, and again when the server refuses them. */
export class Authorizing extends PassingSink implements Handle {
  readonly #wire: AuthorizedWire
  readonly #request: OutgoingHttpRequest
  readonly #stop = new AbortController()
  readonly #about: AuthRequest
  #handle: Handle | undefined
  #sent: HeaderRecord = {}
  #refusals = 0

  constructor(wire: AuthorizedWire, request: OutgoingHttpRequest, sink: ReplySink) {
    super(sink)
    this.#wire = wire
    this.#request = request
    const { method, url } = request
    this.#about = { method, url, server: wire.server, signal: this.#stop.signal }
  }

  drop(): void {
    this.#stop.abort()
    this.#handle?.drop()
  }

  async start(): Promise<void> {
    try {
      this.#sent = await this.#patiently(() => this.#wire.auth.headers(this.#about))
    } catch (error) {
      this.#fail(error)
      return
    }
    if (this.#stop.signal.aborted) return
    const headers = joinHeaders(this.#request.headers, this.#sent)
    this.#handle = this.#wire.send({ ...this.#request, headers }, this)
  }

  override accepted(head: ReplyHead, streamed: boolean): void {
    this.#look(head)
    super.accepted(head, streamed)
  }

  override finished(outcome: ReplyOutcome): void {
    if (outcome.kind !== 'refused') {
      this.sink.finished(outcome)
      return
    }
    this.#look(outcome.head)
    const { status } = outcome.head
    if ((status === 401 || status === 403) && this.#refusals < maxRefusals) this.#answer(outcome)
    else this.sink.finished(outcome)
  }

  #look(head: ReplyHead): void {
    this.#wire.auth.answered?.(this.#about, head)
  }

  async #answer(refused: ReplyOutcome & { kind: 'refused' }): Promise<void> {
    const { head } = refused
    const challenge = {
      ...this.#about,
      status: head.status,
      wwwAuthenticate: head.header('www-authenticate'),
      sent: this.#sent,
      refusals: this.#refusals,
    }
    this.#refusals += 1
    let again: boolean
    try {
      again = await this.#patiently(() => this.#wire.auth.challenged(challenge))
    } catch (error) {
      this.#fail(error)
      return
    }
    if (this.#stop.signal.aborted) return
    if (again) this.start()
    else this.sink.finished(refused)
  }

  /** A person may have to log in meanwhile, which is not the silence of a server. */
  async #patiently<T>(work: () => MaybePromise<T>): Promise<T> {
    const working = work()
    if (!(working instanceof Promise)) return working
    const pulse = setInterval(() => this.sink.preparing?.(), pulseMs)
    try {
      return await working
    } finally {
      clearInterval(pulse)
    }
  }

  #fail(thrown: unknown): void {
    if (this.#stop.signal.aborted) return
    // The failure was not the server's: nothing else may be concluded from it.
    const isPlain = isMcpError(thrown) && (thrown.code === 'unauthorized' || thrown.code === 'cancelled')
    const error = isPlain
      ? thrown
      : new McpError('unauthorized', `auth failed: ${thrown instanceof Error ? thrown.message : String(thrown)}`, {
          cause: thrown,
        })
    this.sink.finished({ kind: 'broken', error, streamed: false })
  }
}
