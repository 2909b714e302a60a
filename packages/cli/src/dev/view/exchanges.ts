import type { Message, TrafficEvent, TrafficFailure } from '@tenon/sdk/client'

/** A notification, or a request with its response. */
export interface Exchange {
  /** The sender. */
  from: 'client' | 'server'
  /** The time of the response, or of the notification. */
  at: number
  method: string
  /** The tool, the prompt or the resource that it is about. */
  about?: string
  /** How long the answer took; undefined for notifications. */
  durationMs?: number
  /** Of the answer, or of the notification, as JSON. */
  bytes: number
  error?: { code?: number; message: string }
  request: unknown
  answer?: unknown
}

interface Waiting {
  at: number
  message: { method: string; params?: { [member: string]: unknown } }
}

// A server that never answers must not fill the memory.
const mostWaiting = 10_000

/** Pairs requests with their responses. */
export class Exchanges {
  readonly #waiting = new Map<string, Waiting>()
  readonly #tell: (exchange: Exchange) => void

  constructor(tell: (exchange: Exchange) => void) {
    this.#tell = tell
  }

  readonly take = (event: TrafficEvent): void => {
    const { from, at, payload, failure } = event
    if (failure !== undefined) {
      this.#failed(from, at, failure)
      return
    }
    if (payload === undefined) {
      const message = `not a message: ${event.refusal.message}`
      this.#tell({ from, at, method: '', bytes: 0, error: { message }, request: undefined })
      return
    }
    for (const message of Array.isArray(payload) ? payload : [payload]) this.#take(from, at, message)
  }

  #failed(from: 'client' | 'server', at: number, { id, error }: TrafficFailure['failure']): void {
    const asked = this.#waiting.get(keyOf(from, id))
    if (asked === undefined) return
    this.#waiting.delete(keyOf(from, id))
    const { message: request } = asked
    const about = { method: String(request.method), ...aboutOf(request), durationMs: at - asked.at }
    this.#tell({ from, at, ...about, bytes: 0, error: { message: error.message }, request })
  }

  #take(from: 'client' | 'server', at: number, message: Message): void {
    // A server may send any value.
    if (typeof message !== 'object' || message === null) return
    if ('method' in message && 'id' in message) {
      if (this.#waiting.size >= mostWaiting) this.#waiting.delete(this.#waiting.keys().next().value!)
      this.#waiting.set(keyOf(from, message.id), { at, message })
    } else if ('method' in message) {
      this.#tell({
        from,
        at,
        method: asText(message.method),
        ...aboutOf(message),
        bytes: sizeOf(message),
        request: message,
      })
    } else this.#answered(from === 'client' ? 'server' : 'client', at, message)
  }

  #answered(asker: 'client' | 'server', at: number, message: Message): void {
    const key = keyOf(asker, (message as { id?: unknown }).id)
    const asked = this.#waiting.get(key)
    if (asked === undefined) return
    this.#waiting.delete(key)
    const error = errorOf(message)
    this.#tell({
      from: asker,
      at,
      method: asText(asked.message.method),
      ...aboutOf(asked.message),
      durationMs: at - asked.at,
      bytes: sizeOf(message),
      ...(error && { error }),
      request: asked.message,
      answer: message,
    })
  }
}

const keyOf = (from: string, id: unknown): string => `${from} ${JSON.stringify(id)}`

/** A value of a server as text; `String` throws for some values. */
const asText = (value: unknown): string => (typeof value === 'string' ? value : String(JSON.stringify(value)))

const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

/** The subject of a message, from the member that names it. */
function aboutOf({ method, params }: Waiting['message']): { about?: string } {
  if (typeof params !== 'object' || params === null) return {}
  const { name, uri, level, data, message, progress } = params
  if (method === 'notifications/message') {
    return { about: `${asText(level)}: ${asText(data)}` }
  }
  const about = name ?? uri ?? message ?? progress
  return about === undefined ? {} : { about: asText(about) }
}

/** An error, or a tool that ran and failed. */
function errorOf(message: Message): Exchange['error'] {
  if ('error' in message) {
    const { code, message: text } = message.error ?? {}
    return { ...(typeof code === 'number' && { code }), message: asText(text) }
  }
  const result = 'result' in message ? message.result : undefined
  if (typeof result !== 'object' || result === null || result.isError !== true) return undefined
  const [first] = Array.isArray(result.content) ? (result.content as { text?: unknown }[]) : []
  return { message: typeof first?.text === 'string' ? first.text : 'the tool failed' }
}
