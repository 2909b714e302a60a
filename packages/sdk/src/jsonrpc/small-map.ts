/**
 * A map that is mostly empty or holds one entry: it needs no table before there are two. The tables of maps cost most
 * of the memory of ten thousand idle connections.
 */
export class SmallMap<Key, Value extends object> {
  #key: Key | undefined
  #value: Value | undefined
  #others: Map<Key, Value> | undefined

  get size(): number {
    return (this.#value === undefined ? 0 : 1) + (this.#others?.size ?? 0)
  }

  has(key: Key): boolean {
    return this.get(key) !== undefined
  }

  get(key: Key): Value | undefined {
    return this.#value !== undefined && this.#key === key ? this.#value : this.#others?.get(key)
  }

  set(key: Key, value: Value): void {
    const alone = this.#value === undefined ? !this.#others?.has(key) : this.#key === key
    if (!alone) {
      this.#others ??= new Map()
      this.#others.set(key, value)
      return
    }
    this.#key = key
    this.#value = value
  }

  delete(key: Key): boolean {
    if (this.#value === undefined || this.#key !== key) return this.#deleteOther(key)
    this.#key = undefined
    this.#value = undefined
    return true
  }

  clear(): void {
    this.#key = undefined
    this.#value = undefined
    this.#others = undefined
  }

  /** A copy: entries may be deleted meanwhile. */
  values(): Value[] {
    const others = [...(this.#others?.values() ?? [])]
    return this.#value === undefined ? others : [this.#value, ...others]
  }

  #deleteOther(key: Key): boolean {
    const deleted = this.#others?.delete(key) ?? false
    if (this.#others?.size === 0) this.#others = undefined
    return deleted
  }
}
