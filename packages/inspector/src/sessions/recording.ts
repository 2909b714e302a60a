import { type Recorder, type RecorderOptions, recorder } from '@tenon/replay'
import type { HttpEvent, Payload, TrafficEvent } from '@tenon/sdk/client'
import type { ServerSpec } from '../protocol.ts'
import type { Entry } from '../timeline/entry.ts'
import { version } from '../version.ts'
import { BoundedSink } from './bounded-sink.ts'

/** A session that is being written: by what happens, or from what has happened. */
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

  /** Takes down messages that the timeline still knows. HTTP is left out: it is kept there in another form. */
  entry({ connection, kind, from, at, text }: Entry): void {
    if (kind === 'http' || kind === 'refused') return
    this.message(connection, { from, at, payload: JSON.parse(text) as Payload })
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

/** Names of variables and headers are told, and never their values: the recorder sees to that. */
function targetOf(spec: ServerSpec): Pick<RecorderOptions, 'target'> {
  if (spec.kind === 'session') return {}
  if (spec.kind === 'url') return { target: { url: spec.url, headers: Object.keys(spec.headers ?? {}) } }
  const { command, args = [], cwd, env = {} } = spec
  return { target: { command, args, env: Object.keys(env), ...(cwd !== undefined && { cwd }) } }
}
