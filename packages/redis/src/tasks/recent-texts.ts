/** Bytes of records that this process keeps at hand. */
const maxBytes = 4 * 1024 * 1024

/** The texts of records that were written last, as many as fit. A text, unlike an object, is changed by nobody. */
export class RecentTexts {
  readonly #texts = new Map<string, string>()
  #bytes = 0

  get(owner: string, id: string): string | undefined {
    return this.#texts.get(keyOf(owner, id))
  }

  set(owner: string, id: string, text: string): void {
    this.delete(owner, id)
    this.#texts.set(keyOf(owner, id), text)
    this.#bytes += text.length
    for (const oldest of this.#texts.keys()) {
      if (this.#bytes <= maxBytes) return
      this.#forget(oldest)
    }
  }

  delete(owner: string, id: string): void {
    this.#forget(keyOf(owner, id))
  }

  #forget(key: string): void {
    const text = this.#texts.get(key)
    if (text === undefined) return
    this.#texts.delete(key)
    this.#bytes -= text.length
  }
}

/** The length tells where one ends. */
const keyOf = (owner: string, id: string): string => `${id.length} ${id}${owner}`
