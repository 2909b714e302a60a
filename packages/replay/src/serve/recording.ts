import type { JsonObject } from '@tenon/sdk/client'
import { nearest } from '@tenon/sdk/display'
import { jsonExcerpt } from '../json/describe-value.ts'
import { isObject } from '../json/is-object.ts'
import { matchesRecorded } from '../json/matches-recorded.ts'
import { redactionMarker } from '../json/redaction-marker.ts'
import { aboutSession, type SessionAbout } from '../session/agreement.ts'
import type { Session } from '../session/format.ts'
import { type RecordingKind, recordingKind } from './recording-kind.ts'
import { relevantParams, requestKey } from './request-key.ts'
import { type Turn, turnsOf } from './turns.ts'

interface RecordedRequest {
  method: string
  params: JsonObject
  turns: Turn[]
}

/** The recorded messages of a server, by the request that they belong to. All connections share it. */
export class Recording {
  readonly about: SessionAbout
  readonly kind: RecordingKind
  readonly #known = new Map<string, RecordedRequest>()
  /** Requests with redacted values, which match any value. */
  readonly #gapped: RecordedRequest[] = []

  constructor(session: Session) {
    const about = aboutSession(session)
    if (about === undefined) {
      throw new Error('The session cannot be replayed: in it no client and server agreed on a revision')
    }
    this.about = about
    for (const turn of turnsOf(session)) this.#add(turn)
    this.kind = recordingKind(this)
  }

  #add(turn: Turn): void {
    const { method, params } = turn.message
    const key = requestKey(method, params)
    const known = this.#known.get(key)
    if (known !== undefined) {
      known.turns.push(turn)
      return
    }
    const entry = { method, params: relevantParams(method, params), turns: [turn] }
    this.#known.set(key, entry)
    if (key.includes(redactionMarker)) this.#gapped.push(entry)
  }

  /** The recorded turns of a request, in order. */
  find(method: string, params: JsonObject | undefined): { key: string; turns: readonly Turn[] } | undefined {
    const key = requestKey(method, params)
    const exact = this.#known.get(key)
    if (exact !== undefined) return { key, turns: exact.turns }
    const relevant = relevantParams(method, params)
    const gapped = this.#gapped.find((entry) => entry.method === method && matchesRecorded(entry.params, relevant))
    return gapped && { key: requestKey(method, gapped.params), turns: gapped.turns }
  }

  /** The first result of a method without relevant params. */
  resultOf(method: string): JsonObject | undefined {
    const steps = this.find(method, {})?.turns.flatMap((turn) => turn.steps) ?? []
    return (steps.find(isResult)?.message as { result: JsonObject } | undefined)?.result
  }

  /** True if a request with this prefix was recorded. */
  offers(prefix: string): boolean {
    return [...this.#known.values()].some(({ method }) => method.startsWith(prefix))
  }

  has(method: string): boolean {
    return this.#of(method).length > 0
  }

  /** The recorded requests that are most like this one, for a message. */
  near(method: string, params: JsonObject | undefined, limit = 3): string[] {
    const recorded = this.#of(method)
    if (recorded.length === 0) {
      const methods = new Set([...this.#known.values()].map((entry) => entry.method))
      return nearest(method, methods).slice(0, 1)
    }
    const wanted = relevantParams(method, params)
    const scored = recorded.map((entry) => ({ entry, score: likeness(entry.params, wanted) }))
    scored.sort((a, b) => b.score - a.score)
    return scored.slice(0, limit).map(({ entry }) => `${entry.method} ${jsonExcerpt(entry.params, 200)}`)
  }

  #of(method: string): RecordedRequest[] {
    return [...this.#known.values()].filter((entry) => entry.method === method)
  }
}

const isResult = (step: Turn['steps'][number]): boolean => step.kind === 'answer' && 'result' in step.message

/** The more members two params share, the higher; the name of a tool counts more than its arguments. */
function likeness(a: unknown, b: unknown, weight = 8): number {
  if (!isObject(a) || !isObject(b)) return matchesRecorded(a, b) ? weight : 0
  let score = 0
  for (const [name, value] of Object.entries(a)) {
    if (!Object.hasOwn(b, name)) continue
    score += isObject(value) ? 1 + likeness(value, b[name], 2) : matchesRecorded(value, b[name]) ? weight : weight / 8
  }
  return score
}
