const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g
const errorIdInText = /(?<=\(id )[0-9a-f]{8}(?=\))/g
const errorId = /^[0-9a-f]{8}$/

/**
 * Replaces generated values of a server by names: `<cursor-1>`, `<uuid-1>`, `<error-1>`. The same value always gets the
 * same name, so a transcript still shows its reuse, and a client line may use it.
 */
export class Placeholders {
  readonly #names = new Map<string, string>()
  readonly #values = new Map<string, string>()
  readonly #counts = new Map<string, number>()

  /** A copy of the server's payload, with names. */
  hide(payload: unknown): unknown {
    const text = JSON.stringify(payload, (key, value: unknown) =>
      typeof value === 'string' ? this.#in(key, value) : value,
    )
    return JSON.parse(text)
  }

  /** The client's text, with values. */
  reveal(text: string): string {
    return text.replace(/<[a-z]+-\d+>/g, (name) => {
      const value = this.#values.get(name)
      return value === undefined ? name : JSON.stringify(value).slice(1, -1)
    })
  }

  #in(key: string, value: string): string {
    if (key === 'nextCursor') return this.#name('cursor', value)
    if (key === 'id' && errorId.test(value)) return this.#name('error', value)
    return value
      .replace(uuid, (found) => this.#name('uuid', found))
      .replace(errorIdInText, (found) => this.#name('error', found))
  }

  #name(kind: string, value: string): string {
    const known = this.#names.get(value)
    if (known !== undefined) return known
    const count = (this.#counts.get(kind) ?? 0) + 1
    const name = `<${kind}-${count}>`
    this.#counts.set(kind, count)
    this.#names.set(value, name)
    this.#values.set(name, value)
    return name
  }
}
