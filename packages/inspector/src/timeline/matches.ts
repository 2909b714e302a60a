import type { Entry } from './entry.ts'
import type { Query } from './query.ts'

/** The ids of the entries that match a query, kept up to date as entries come, change and go. */
export class Matches {
  readonly query: Query
  #ids: number[] = []
  /** How many ids at the beginning have been dropped; they are cut off together once they are many. */
  #dropped = 0
  /** The first id that was not looked at yet. */
  #seen = 0

  constructor(query: Query) {
    this.query = query
  }

  get length(): number {
    return this.#ids.length - this.#dropped
  }

  slice(offset: number, count: number): number[] {
    const from = this.#dropped + offset
    return this.#ids.slice(from, from + count)
  }

  /** The place of an entry among those that match. */
  placeOf(id: number): number | undefined {
    const at = this.#position(id)
    return this.#ids[at] === id ? at - this.#dropped : undefined
  }

  /** Looks at new entries. */
  catchUp(entries: Iterable<Entry>, first: number, next: number): void {
    for (const entry of entries) if (this.query.matches(entry)) this.#ids.push(entry.id)
    this.#seen = next
    while (this.#dropped < this.#ids.length && this.#ids[this.#dropped]! < first) this.#dropped++
    if (this.#dropped < 10_000) return
    this.#ids = this.#ids.slice(this.#dropped)
    this.#dropped = 0
  }

  get seen(): number {
    return this.#seen
  }

  /** An entry that was looked at has changed: a request was answered. */
  changed(entry: Entry): void {
    if (entry.id >= this.#seen) return
    const at = this.#position(entry.id)
    const was = this.#ids[at] === entry.id
    const is = this.query.matches(entry)
    if (is && !was) this.#ids.splice(at, 0, entry.id)
    else if (was && !is) this.#ids.splice(at, 1)
  }

  #position(id: number): number {
    let low = this.#dropped
    let high = this.#ids.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#ids[middle]! < id) low = middle + 1
      else high = middle
    }
    return low
  }
}
