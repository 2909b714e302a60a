import {
  type HttpEvent,
  type Implementation,
  isMcpError,
  type Payload,
  type Side,
  type Target,
  type TrafficEvent,
  type TrafficFailure,
} from '@tenon/sdk/client'
import { Agreement } from '../session/agreement.ts'
import type { SessionSink } from '../session/file.ts'
import type { SessionEvent, SessionHeader, SessionTarget } from '../session/format.ts'
import { isTime } from '../session/line-shapes.ts'
import { lineOf } from '../session/read.ts'
import { now } from './clock.ts'
import { describeTarget } from './describe-target.ts'
import { type RedactOptions, Redactor } from './redactor.ts'

/** The header of a recording, and its redaction. */
export interface RecorderOptions {
  /** The target of `connect`, or the words of a configuration. Its secrets are left out. */
  target?: Target | SessionTarget
  title?: string
  /** The program that writes the file. */
  by?: string
  /** The client, if it is known before the handshake. */
  client?: Implementation
  /** Further values to redact; false redacts nothing. */
  redact?: false | RedactOptions
  /** The recording could not be written; the connection goes on. */
  onError?: (error: Error) => void
}

/**
 * Records a connection. The functions need no `this`: pass `onMessage` and `onHttp` to `connect`, and `stderr` to the
 * target.
 */
export interface Recorder extends AsyncDisposable {
  readonly onMessage: (event: TrafficEvent) => void
  readonly onHttp: (event: HttpEvent) => void
  readonly stderr: (text: string) => void
  /** A connection was made. */
  opened(transport?: string): void
  note(text: string): void
  /** How many values were left out so far. */
  readonly redacted: number
  /** How many messages were written so far. */
  readonly messages: number
  /** Writes the last line, and waits until everything is written; throws if something could not be. */
  close(reason?: string): Promise<void>
}

/**
 * Records a connection.
 *
 * @example
 * await using recording = recorder(await fileSink('session.jsonl'), { target })
 * await using client = await connect(target, { onMessage: recording.onMessage, onHttp: recording.onHttp })
 */
export function recorder(sink: SessionSink, options: RecorderOptions = {}): Recorder {
  return new SessionRecorder(sink, options)
}

class SessionRecorder implements Recorder {
  messages = 0
  readonly #sink: SessionSink
  readonly #redactor: Redactor | undefined
  readonly #report: (error: Error) => void
  readonly #agreement = new Agreement()
  #agreed = false
  #waiting: string[] = []
  #writing: Promise<void> | undefined
  #failure: Error | undefined
  #closing: Promise<void> | undefined

  constructor(sink: SessionSink, options: RecorderOptions) {
    this.#sink = sink
    this.#redactor = options.redact === false ? undefined : new Redactor(options.redact)
    this.#report = options.onError ?? (() => {})
    // Secrets of a configuration are left out even if those in messages are kept.
    const target = describeTarget(options.target, this.#redactor ?? new Redactor())
    const { title, by, client } = options
    const header: SessionHeader = {
      tenonSession: 1,
      at: now(),
      ...(by !== undefined && { by }),
      ...(title !== undefined && { title }),
      ...(target && { target }),
      ...(client && { client }),
    }
    this.#write(lineOf(header))
  }

  get redacted(): number {
    return this.#redactor?.count ?? 0
  }

  readonly onMessage = (event: TrafficEvent): void => {
    const { from, at, payload, refusal, failure } = event
    if (failure !== undefined) this.#unanswered(from, at, failure)
    else if (payload === undefined) this.#add({ kind: 'refused', at, from, refusal: this.#clean(refusal) })
    else {
      this.messages += 1
      const { during } = event
      const stream = during === undefined || !hasMethod(payload) ? {} : { during }
      this.#add({ kind: 'message', at, from, payload: this.#clean(payload), ...stream })
      if (!this.#agreed) this.#look(from, payload, at)
    }
  }

  #unanswered(from: Side, at: number, { id, error }: TrafficFailure['failure']): void {
    // Requests that are open at the end of a connection need no line of their own.
    if (id === undefined) return
    const cancelled = isMcpError(error) && error.code === 'cancelled' ? { cancelled: true as const } : {}
    const reason = this.#redactor?.text(error.message) ?? error.message
    this.#add({ kind: 'unanswered', at, from, id, reason, ...cancelled })
  }

  readonly onHttp = ({ at, error, ...http }: HttpEvent): void => {
    const cause = error === undefined ? {} : { error: error.message }
    this.#add({ kind: 'http', at, http: this.#clean({ ...http, ...cause }) })
  }

  readonly stderr = (text: string): void => {
    this.#add({ kind: 'stderr', at: now(), text: this.#redactor?.text(text) ?? text })
  }

  opened(transport?: string): void {
    this.#agreed = false
    this.#agreement.reset()
    this.#add({ kind: 'opened', at: now(), ...(transport !== undefined && { transport }) })
  }

  note(text: string): void {
    this.#add({ kind: 'note', at: now(), text: this.#redactor?.text(text) ?? text })
  }

  close(reason?: string): Promise<void> {
    this.#closing ??= this.#end(reason)
    return this.#closing
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async #end(reason: string | undefined): Promise<void> {
    const why = reason === undefined ? {} : { reason: this.#redactor?.text(reason) ?? reason }
    this.#write(lineOf({ kind: 'closed', at: now(), ...why, redacted: this.redacted }))
    while (this.#writing !== undefined) await this.#writing
    try {
      await this.#sink.close?.()
    } catch (error) {
      this.#failure ??= toError(error)
    }
    if (this.#failure !== undefined) throw this.#failure
  }

  #look(from: Side, payload: Payload, at: number): void {
    for (const message of [payload].flat()) {
      const about = this.#agreement.take(from, message)
      if (about === undefined || this.#agreed) continue
      this.#agreed = true
      this.#add({ kind: 'agreed', at, ...this.#clean(about) })
    }
  }

  #clean<T>(value: T): T {
    return this.#redactor === undefined ? value : this.#redactor.value(value)
  }

  #add(event: SessionEvent): void {
    // A wrong clock must not make the file unreadable.
    if (this.#closing === undefined) this.#write(lineOf(isTime(event.at) ? event : { ...event, at: now() }))
  }

  /**
   * Writes in order; lines that come while the sink is busy are written together. Nothing is written after a failure.
   */
  #write(line: string): void {
    if (this.#failure !== undefined) return
    this.#waiting.push(line)
    this.#writing ??= this.#flush()
  }

  /** A promise only while the sink takes its time. */
  #flush(): Promise<void> | undefined {
    while (this.#waiting.length > 0 && this.#failure === undefined) {
      const text = this.#waiting.join('')
      this.#waiting = []
      try {
        const writing = this.#sink.write(text)
        if (writing instanceof Promise) return this.#afterwards(writing)
      } catch (error) {
        this.#fail(error)
      }
    }
    return undefined
  }

  async #afterwards(writing: Promise<void>): Promise<void> {
    try {
      await writing
    } catch (error) {
      this.#fail(error)
    }
    this.#writing = this.#flush()
  }

  #fail(error: unknown): void {
    this.#failure ??= toError(error)
    this.#report(this.#failure)
  }
}

// A server may send any value.
const hasMethod = (payload: unknown): boolean => typeof (payload as { method?: unknown } | null)?.method === 'string'

const toError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)))
