import { McpError } from '../../errors.ts'
import type { SseEvent } from '../../http/sse-parser.ts'
import { backoffMs } from '../../internal/timers.ts'
import type { RefusedInput } from '../../jsonrpc/channel.ts'
import type { ReplyHead } from '../engines/engine.ts'
import { isHttpError, isTemporary, refusedError } from '../http-error.ts'
import type { HttpClientLimits, StreamState } from '../http-options.ts'
import type { Handle, HttpWire } from '../http-wire.ts'
import { nextEventId } from './event-id.ts'
import type { ReplyOutcome, ReplySink } from './reply.ts'
import { retryPause } from './retry-pause.ts'

interface ServerStreamOwner {
  readonly wire: HttpWire
  readonly limits: Required<HttpClientLimits>
  streamHeaders(lastEventId: string | undefined): { [name: string]: string }
  receive(value: unknown, during?: undefined, text?: string): void
  unreadable(problem: Error, input?: RefusedInput): void
  stream(state: StreamState): void
}

/** Attempts for a stream that never opened. */
const maxFirstAttempts = 3

/** The stream for messages that a server of 2025 sends by itself. It is reopened as long as the session lasts. */
export class ServerStream implements ReplySink {
  readonly #owner: ServerStreamOwner
  #handle: Handle | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #closed = false
  #wasOpen = false
  /** This attempt brought an event. */
  #alive = false
  #attempts = 0
  #lastEventId: string | undefined
  #retryMs: number | undefined

  constructor(owner: ServerStreamOwner) {
    this.#owner = owner
  }

  open(): void {
    if (this.#closed) return
    this.#timer = undefined
    this.#alive = false
    const headers = this.#owner.streamHeaders(this.#lastEventId)
    this.#handle = this.#owner.wire.send({ method: 'GET', headers, repeatable: true }, this)
  }

  close(): void {
    if (this.#closed) return
    this.#end({ kind: 'closed' })
    this.#handle?.drop()
  }

  accepted(_: ReplyHead, streamed: boolean): void {
    if (!streamed) {
      this.#handle?.drop()
      this.#end({ kind: 'none' })
      return
    }
    this.#wasOpen = true
    this.#owner.stream({ kind: 'open' })
  }

  event({ id, retry }: SseEvent): boolean {
    this.#alive = true
    if (retry !== undefined) this.#retryMs = retryPause(retry)
    this.#lastEventId = nextEventId(this.#lastEventId, id)
    return false
  }

  value(value: unknown, text?: string): void {
    this.#owner.receive(value, undefined, text)
  }

  unreadable(problem: Error, input?: RefusedInput): void {
    this.#owner.unreadable(problem, input)
  }

  finished(outcome: ReplyOutcome): void {
    if (this.#closed) return
    const isForgotten = this.#forgets(outcome)
    // 405 means that the server has none; any other refusal has no effect on its other answers.
    if (!isForgotten && this.#isFinal(outcome)) {
      this.#end({ kind: 'none' })
      return
    }
    this.#attempts = this.#alive ? 1 : this.#attempts + 1
    const { reconnectMs, maxReconnectMs } = this.#owner.limits
    const delayMs = this.#retryMs ?? backoffMs(this.#attempts, reconnectMs, maxReconnectMs)
    this.#owner.stream({ kind: 'waiting', attempt: this.#attempts, delayMs, reason: reasonOf(outcome) })
    this.#timer = setTimeout(() => this.open(), delayMs)
  }

  /** A server that does not know the event any more, as after a restart, is asked without it: better a gap than silence. */
  #forgets(outcome: ReplyOutcome): boolean {
    if (this.#lastEventId === undefined || outcome.kind !== 'refused' || outcome.head.status !== 400) return false
    this.#lastEventId = undefined
    return true
  }

  #isFinal(outcome: ReplyOutcome): boolean {
    if (outcome.kind === 'broken')
      return isHttpError(outcome.error) || (!this.#wasOpen && this.#attempts >= maxFirstAttempts)
    if (outcome.kind !== 'refused') return false
    const { status } = outcome.head
    return !isTemporary(status) && !(this.#wasOpen && status >= 500)
  }

  #end(state: StreamState): void {
    this.#closed = true
    clearTimeout(this.#timer)
    this.#owner.stream(state)
  }
}

function reasonOf(outcome: ReplyOutcome): Error {
  if (outcome.kind === 'broken') return outcome.error
  if (outcome.kind === 'refused') return refusedError('The stream', outcome.head, outcome.body, false)
  return new McpError('closed', 'The server ended the stream')
}
