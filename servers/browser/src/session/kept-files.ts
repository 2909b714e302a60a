/** A screenshot or a PDF of a session. */
export interface KeptFile {
  readonly name: string
  readonly mimeType: 'image/png' | 'application/pdf'
  readonly data: Buffer
}

const maxFiles = 50
const maxBytes = 50_000_000

/** The latest screenshots and PDFs of a session, by name; the oldest are forgotten. */
export class KeptFiles {
  readonly #files = new Map<string, KeptFile>()
  readonly #changed: () => void
  #bytes = 0

  constructor(changed: () => void) {
    this.#changed = changed
  }

  keep(file: KeptFile): void {
    this.#forget(keyOf(file.mimeType, file.name))
    this.#files.set(keyOf(file.mimeType, file.name), file)
    this.#bytes += file.data.length
    for (const key of this.#files.keys()) {
      if (this.#files.size <= maxFiles && this.#bytes <= maxBytes) break
      this.#forget(key)
    }
    this.#changed()
  }

  find(mimeType: KeptFile['mimeType'], name: string): KeptFile | undefined {
    return this.#files.get(keyOf(mimeType, name))
  }

  all(): KeptFile[] {
    return [...this.#files.values()]
  }

  #forget(key: string): void {
    this.#bytes -= this.#files.get(key)?.data.length ?? 0
    this.#files.delete(key)
  }
}

const keyOf = (mimeType: string, name: string): string => `${mimeType} ${name}`
