import { type Recorder, type RecorderOptions, recorder } from '@tenon/replay'
import type { HttpEvent, TrafficEvent } from '@tenon/sdk/client'
import type { ServerSpec } from '../protocol.ts'
import type { Entry } from '../timeline/entry.ts'
import { version } from '../version.ts'
import { BoundedSink } from './bounded-sink.ts'
import { eventsOf } from './entry-events.ts'

/** A session that is being written: from events, or from the timeline. */
export class Recording {
  readonly sink: BoundedSink = new BoundedSink()
  /** Why nothing more is written. */
  problem: string | undefined
  readonly #recorder: Recorder
  #connection: number | undefined

  constructor(spec: ServerSpec) {
    this.#recorder = recorder(this.sink, {
      by: `tenon-inspector/${version}`,
      title: spec.name,
      ...targetOf(spec),
      onError: ({ message }) => {
        this.problem = message
      },
    })
  }

  get messages(): number {
    return this.#recorder.messages
  }

  message(connection: number, event: TrafficEvent): void {
    this.#on(connection)
    this.#recorder.onMessage(event)
  }

  http(connection: number, event: HttpEvent): void {
    this.#on(connection)
    this.#recorder.onHttp(event)
  }

  stderr(text: string): void {
    this.#recorder.stderr(text)
  }

  /** Records the entries of the timeline, in the order in which they happened. */
  entries(entries: Iterable<Entry>): void {
    const events = [...entries].flatMap((entry) => eventsOf(entry).map((event) => ({ ...event, entry })))
    for (const { entry, message, http } of events.toSorted((a, b) => a.at - b.at)) {
      if (message !== undefined) this.message(entry.connection, message)
      if (http !== undefined) this.http(entry.connection, http)
    }
  }

  async close(): Promise<string> {
    await this.#recorder.close().catch(() => {})
    return this.sink.text
  }

  #on(connection: number): void {
    if (this.#connection !== undefined && this.#connection !== connection) this.#recorder.opened()
    this.#connection = connection
  }
}

/** Names of variables and headers are recorded, and never their values: the recorder sees to that. */
function targetOf(spec: ServerSpec): Pick<RecorderOptions, 'target'> {
  if (spec.kind === 'session') return {}
  if (spec.kind === 'url') return { target: { url: spec.url, headers: Object.keys(spec.headers ?? {}) } }
  const { command, args = [], cwd, env = {} } = spec
  return { target: { command, args, env: Object.keys(env), ...(cwd !== undefined && { cwd }) } }
}
