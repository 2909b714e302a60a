import { setImmediate } from 'node:timers/promises'
import type { Entity, Graph } from '../graph.ts'
import { best } from './best.ts'
import { Vocabulary } from './vocabulary.ts'
import { folded, wordsOf } from './words.ts'

/** A memory of this size is in the index at once. */
const smallMemory = 1_000
/** Requests wait no longer than this while the index of a larger one is filled. */
const sliceMs = 25
/** The first requests of a client come before the index of a large memory. */
const fillAfterMs = 300
const maxQueryWords = 16
/** Numbers of entities that changed since, before it pays to begin anew. */
const minWorn = 10_000
/** Candidates whose text is compared with the whole query. */
const maxCompared = 200

export interface Found {
  readonly entities: readonly Entity[]
  readonly total: number
  /** `any` if no entity has all words of the query. */
  readonly matched: 'all' | 'any'
}

/**
 * Finds entities by words or parts of words in their name, type and observations, the best first. It is filled in slices
 * after the start, so that the server answers at once.
 */
export class SearchIndex {
  readonly #graph: Graph
  /** By document number. A changed entity gets a new number, and its old one is empty. */
  readonly #entities: (Entity | undefined)[] = []
  readonly #ids = new Map<string, number>()
  readonly #vocabulary = new Vocabulary()
  /** By word: the documents with it. The lowest bit says that it is in the name. */
  readonly #places: number[][] = []
  #isFilled = false

  constructor(graph: Graph) {
    this.#graph = graph
    graph.onEntity = (before, after) => this.#update(before, after)
    if (graph.entities.size <= smallMemory) void this.#fill()
    else setTimeout(() => void this.#fill(), fillAfterMs).unref()
  }

  /** True if most of the index is about entities as they were. */
  get isWorn(): boolean {
    const worn = this.#entities.length - this.#ids.size
    return worn > minWorn && worn > this.#ids.size
  }

  search(query: string, offset: number, limit: number): Found {
    const words = [...new Set(wordsOf(folded(query)))].slice(0, maxQueryWords)
    if (words.length === 0) return this.#scan([query.toLowerCase()], (text) => text.toLowerCase(), offset, limit)
    // Until the index is filled, everything is looked through: slower, and in the order of creation.
    if (!this.#isFilled) return this.#scan(words, folded, offset, limit)
    return this.#rank(query, words, offset, limit)
  }

  async #fill(): Promise<void> {
    let pause = performance.now() + sliceMs
    for (const name of [...this.#graph.entities.keys()]) {
      const entity = this.#graph.entities.get(name)
      if (entity !== undefined && !this.#ids.has(name)) this.#add(entity)
      if (performance.now() < pause) continue
      await setImmediate()
      pause = performance.now() + sliceMs
    }
    this.#isFilled = true
  }

  #update(before: Entity | undefined, after: Entity | undefined): void {
    const known = before === undefined ? undefined : this.#ids.get(before.name)
    if (known !== undefined) {
      this.#entities[known] = undefined
      this.#ids.delete(before!.name)
    }
    if (after !== undefined) this.#add(after)
  }

  #add(entity: Entity): void {
    const id = this.#entities.push(entity) - 1
    this.#ids.set(entity.name, id)
    this.#addText(id, entity.name, 1)
    this.#addText(id, entity.entityType, 0)
    for (const observation of entity.observations) this.#addText(id, observation, 0)
  }

  #addText(id: number, text: string, inName: 0 | 1): void {
    for (const word of wordsOf(folded(text))) {
      const wordId = this.#vocabulary.idOf(word)
      const places = this.#places[wordId]
      const place = id * 2 + inName
      if (places === undefined) this.#places[wordId] = [place]
      // The name comes first, and counts more than a repetition in the text.
      else if (places.at(-1)! >> 1 !== id) places.push(place)
    }
  }

  #rank(query: string, words: readonly string[], offset: number, limit: number): Found {
    const scores = new Float64Array(this.#entities.length)
    const counts = new Uint8Array(this.#entities.length)
    for (const word of words) this.#score(word, scores, counts)
    const all = this.#withAtLeast(words.length, counts)
    const candidates = all.length > 0 ? all : this.#withAtLeast(1, counts)
    // An entity with more of the words comes before one with rarer words.
    for (const id of candidates) scores[id]! += counts[id]! * 1_000
    const scoreOf = (id: number): number => scores[id]!
    const top = best(candidates, scoreOf, Math.max(offset + limit, maxCompared))
    const phrase = query.trim().toLowerCase()
    const bonus = new Map(top.slice(0, maxCompared).map((id) => [id, likeness(this.#entities[id]!, phrase)]))
    const ranked = top.sort((a, b) => (bonus.get(b) ?? 0) - (bonus.get(a) ?? 0) || scores[b]! - scores[a]! || a - b)
    return {
      entities: ranked.slice(offset, offset + limit).map((id) => this.#entities[id]!),
      total: candidates.length,
      matched: all.length > 0 || candidates.length === 0 ? 'all' : 'any',
    }
  }

  /** Adds the best hit of a word to the score of each entity: rare words, whole words and names count more. */
  #score(word: string, scores: Float64Array, counts: Uint8Array): void {
    const hits = new Float64Array(scores.length)
    for (const wordId of this.#vocabulary.containing(word)) {
      const known = this.#vocabulary.words[wordId]!
      const places = this.#places[wordId]!
      const quality = known === word ? 1 : known.startsWith(word) ? 0.6 : 0.3
      const weight = quality * Math.log(1 + scores.length / places.length)
      for (const place of places) {
        const score = weight * (place & 1 ? 3 : 1)
        if (score > hits[place >> 1]!) hits[place >> 1] = score
      }
    }
    for (let id = 0; id < hits.length; id++) {
      if (hits[id] === 0) continue
      scores[id]! += hits[id]!
      counts[id]!++
    }
  }

  #withAtLeast(count: number, counts: Uint8Array): number[] {
    const found: number[] = []
    for (let id = 0; id < counts.length; id++) {
      if (counts[id]! >= count && this.#entities[id] !== undefined) found.push(id)
    }
    return found
  }

  /** Looks through all texts, for a query without words, such as `=>`, too. An empty part is in every text. */
  #scan(parts: readonly string[], form: (text: string) => string, offset: number, limit: number): Found {
    const counted = [...this.#graph.entities.values()].map((entity) => {
      const text = form([entity.name, entity.entityType, ...entity.observations].join('\n'))
      return { entity, count: parts.filter((part) => text.includes(part)).length }
    })
    const all = counted.filter(({ count }) => count === parts.length)
    const found = all.length > 0 ? all : counted.filter(({ count }) => count > 0)
    const entities = found.slice(offset, offset + limit).map(({ entity }) => entity)
    return { entities, total: found.length, matched: all.length > 0 || found.length === 0 ? 'all' : 'any' }
  }
}

/** Says how well an entity fits the whole query: by name, by a part of the name, by a part of the text. */
function likeness({ name, entityType, observations }: Entity, phrase: string): number {
  const small = name.toLowerCase()
  if (small === phrase) return 3
  if (small.includes(phrase)) return 2
  const isIn = (text: string): boolean => text.toLowerCase().includes(phrase)
  return isIn(entityType) || observations.some(isIn) ? 1 : 0
}
