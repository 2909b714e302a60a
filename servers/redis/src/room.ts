/** Counts the items and bytes of an answer. The first item always fits, so that pages go on. */
export class Room {
  #items: number
  #bytes: number
  #isEmpty = true

  constructor(items: number, bytes: number) {
    this.#items = items
    this.#bytes = bytes
  }

  get items(): number {
    return this.#items
  }

  get isFull(): boolean {
    return !this.#isEmpty && (this.#items < 1 || this.#bytes < 1)
  }

  /** True if an item of this size fits, which is then counted. */
  take(bytes: number): boolean {
    return this.#isEmpty ? this.#count(bytes, 1) : this.#items >= 1 && this.takeAll(bytes, 1)
  }

  /** True if the bytes of several items fit, which are then counted, whatever their number. */
  takeAll(bytes: number, items: number): boolean {
    return items === 0 || (this.#bytes >= bytes && this.#count(bytes, items))
  }

  #count(bytes: number, items: number): true {
    this.#isEmpty = false
    this.#items -= items
    this.#bytes -= bytes
    return true
  }
}
