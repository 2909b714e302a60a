import { type Revision, revisions } from '@tenon/sdk/server'
import { validateMessage } from '../../packages/sdk/test/wire-schema.ts'

type JsonObject = { [member: string]: unknown }
type Id = string | number
type Side = 'client' | 'server'

interface Asked {
  method: string | undefined
  revision: Revision
}

/** A request and whether it got a result, for coverage. */
export interface Exchange {
  from: Side
  method: string
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const known = (version: unknown): Revision | undefined => revisions.find((revision) => revision === version)

/**
 * Follows the messages of a transcript: their revision, the request of each answer, and their faults. One wire may
 * carry both eras.
 */
export class Conversation {
  readonly answered: Exchange[] = []
  readonly notified: Exchange[] = []
  readonly codes: Set<number> = new Set()
  readonly #folder: Revision
  #session: Revision | undefined
  readonly #asked: Record<Side, Map<Id, Asked>> = { client: new Map(), server: new Map() }

  constructor(folder: Revision) {
    this.#folder = folder
  }

  /** Takes the next payload; returns its faults in its revision. */
  take(from: Side, payload: unknown): string[] {
    const revision = this.#revisionOf(from, payload)
    const problems = validateMessage(revision, from, payload, {
      methodOf: (id) => this.#asked[other(from)].get(id)?.method,
    })
    for (const message of Array.isArray(payload) ? payload : [payload]) this.#note(from, message, revision)
    return problems
  }

  #revisionOf(from: Side, payload: unknown): Revision {
    const current = this.#session ?? this.#folder
    if (!isObject(payload)) return current
    if (payload.method === undefined) return this.#revisionOfAnswer(from, payload) ?? current
    const params = isObject(payload.params) ? payload.params : {}
    // In older revisions the key is unknown.
    const spoken = this.#folder === '2026-07-28' && isObject(params._meta) ? params._meta : {}
    if ('io.modelcontextprotocol/protocolVersion' in spoken) return '2026-07-28'
    if (payload.method !== 'initialize') return current
    return known(params.protocolVersion) ?? (current === '2026-07-28' ? '2025-11-25' : current)
  }

  #revisionOfAnswer(from: Side, payload: JsonObject): Revision | undefined {
    const asked = this.#asked[other(from)].get(payload.id as Id)
    if (asked?.method === 'initialize') {
      // A refusal has the shape of the server's own revision: nothing was agreed on.
      return isObject(payload.result) ? known(payload.result.protocolVersion) : this.#folder
    }
    return asked?.revision
  }

  #note(from: Side, message: unknown, revision: Revision): void {
    if (!isObject(message)) return
    const method = typeof message.method === 'string' ? message.method : undefined
    const id = message.id as Id | undefined
    if (method === undefined && ('result' in message || 'error' in message)) this.#noteAnswer(from, message, revision)
    else if (id !== undefined) this.#asked[from].set(id, { method, revision })
    else if (method !== undefined) this.notified.push({ from, method })
    // The answer comes at the end of the subscription, after the transcript.
    if (method === 'notifications/subscriptions/acknowledged')
      this.answered.push({ from: 'client', method: 'subscriptions/listen' })
  }

  #noteAnswer(from: Side, message: JsonObject, revision: Revision): void {
    const method = this.#asked[other(from)].get(message.id as Id)?.method
    if (isObject(message.error) && from === 'server') this.codes.add(Number(message.error.code))
    if (!isObject(message.result) || method === undefined) return
    this.answered.push({ from: other(from), method })
    if (method === 'initialize') this.#session = revision
  }
}

const other = (side: Side): Side => (side === 'client' ? 'server' : 'client')
