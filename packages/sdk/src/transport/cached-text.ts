const encoder = new TextEncoder()

/** A value as text, written at most once as characters and once as bytes. */
export class CachedJson {
  readonly #value: object
  #text: string | undefined
  #bytes: Uint8Array | undefined

  constructor(value: object) {
    this.#value = value
  }

  get text(): string {
    this.#text ??= this.#write()
    return this.#text
  }

  get bytes(): Uint8Array {
    // If only bytes are needed, the characters need not stay.
    this.#bytes ??= encoder.encode(this.#text ?? this.#write())
    return this.#bytes
  }

  #write(): string {
    return JSON.stringify(this.#value)
  }
}

/** A text whose bulk is kept, because it is sent again and again: only the text around it is new. */
export class CachedText {
  readonly head: string
  readonly kept: CachedJson
  readonly tail: string

  constructor(head: string, kept: CachedJson, tail: string) {
    this.head = head
    this.kept = kept
    this.tail = tail
  }

  within(before: string, after: string): CachedText {
    return new CachedText(before + this.head, this.kept, this.tail + after)
  }

  toString(): string {
    return this.head + this.kept.text + this.tail
  }

  /** All of it as bytes of its own. */
  toBytes(): Uint8Array<ArrayBuffer> {
    const { bytes } = this.kept
    const head = encoder.encode(this.head)
    const tail = encoder.encode(this.tail)
    const all = new Uint8Array(head.length + bytes.length + tail.length)
    all.set(head)
    all.set(bytes, head.length)
    all.set(tail, head.length + bytes.length)
    return all
  }
}

/** Text to send: characters, of which some may be encoded as bytes already. */
export type Text = string | CachedText
