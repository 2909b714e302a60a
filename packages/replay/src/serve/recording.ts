import type { JsonObject } from '@tenon/sdk/client'
import { nearest } from '@tenon/sdk/display'
import { fits } from '../json/fits.ts'
import { isObject, show } from '../json/is-object.ts'
import { marker } from '../json/marker.ts'
import { aboutSession, type SessionAbout } from '../session/agreement.ts'
import type { Session } from '../session/format.ts'
import { relevantParams, requestKey } from './request-key.ts'
import { type Turn, turnsOf } from './turns.ts'

interface Known {
  method: string
  params: JsonObject
  turns: Turn[]
}

/** What a server said in a session, found by what it is asked. Shared by all who ask. */
export class Recording {
  readonly about: SessionAbout
  readonly #known = new Map<string, Known>()
  /** Those with gaps, which anything fits. */
  readonly #gapped: Known[] = []

  constructor(session: Session) {
    const about = aboutSession(session)
    if (about === undefined) {
      throw new Error('The session cannot be replayed: in it no client and server agreed on a revision')
    }
    this.about = about
    for (const turn of turnsOf(session)) this.#add(turn)
  }

  /** True if sessions of this revision begin with a handshake. */
  get handshake(): boolean {
    return this.find('initialize', {})?.turns.some((turn) => turn.steps.some(isResult)) === true
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
    if (key.includes(marker)) this.#gapped.push(entry)
  }

  /** Everything that was said to a request, in the order in which it was made. */
  find(method: string, params: JsonObject | undefined): { key: string; turns: readonly Turn[] } | undefined {
    const key = requestKey(method, params)
    const exact = this.#known.get(key)
    if (exact !== undefined) return { key, turns: exact.turns }
    const relevant = relevantParams(method, params)
    const gapped = this.#gapped.find((entry) => entry.method === method && fits(entry.params, relevant))
    return gapped && { key: requestKey(method, gapped.params), turns: gapped.turns }
  }

  /** What a server declared, as far as it was asked. */
  get introduction(): JsonObject {
    for (const method of ['initialize', 'server/discover']) {
      for (const { steps } of this.find(method, {})?.turns ?? []) {
        const answer = steps.find(isResult)
        if (answer !== undefined) return (answer.message as { result: JsonObject }).result
      }
    }
    return {}
  }

  /** Whether anything was asked for by a method that begins so. */
  offers(prefix: string): boolean {
    return [...this.#known.values()].some(({ method }) => method.startsWith(prefix))
  }

  has(method: string): boolean {
    return this.#of(method).length > 0
  }

  /** What is recorded and comes closest to a request, the closest first, in words. */
  near(method: string, params: JsonObject | undefined, limit = 3): string[] {
    const recorded = this.#of(method)
    if (recorded.length === 0) {
      const methods = new Set([...this.#known.values()].map((entry) => entry.method))
      return nearest(method, methods).slice(0, 1)
    }
    const wanted = relevantParams(method, params)
    const scored = recorded.map((entry) => ({ entry, score: likeness(entry.params, wanted) }))
    scored.sort((a, b) => b.score - a.score)
    return scored.slice(0, limit).map(({ entry }) => `${entry.method} ${show(entry.params, 200)}`)
  }

  #of(method: string): Known[] {
    return [...this.#known.values()].filter((entry) => entry.method === method)
  }
}

const isResult = (step: Turn['steps'][number]): boolean => step.kind === 'answer' && 'result' in step.message

/** How many members two params share: the name of a tool counts more than its arguments. */
function likeness(a: unknown, b: unknown, weight = 8): number {
  if (!isObject(a) || !isObject(b)) return fits(a, b) ? weight : 0
  let score = 0
  for (const [name, value] of Object.entries(a)) {
    if (!Object.hasOwn(b, name)) continue
    score += isObject(value) ? 1 + likeness(value, b[name], 2) : fits(value, b[name]) ? weight : weight / 8
  }
  return score
}
