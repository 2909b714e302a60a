import type { StderrLine } from '../protocol.ts'

const maxLines = 2_000
const maxLineLength = 8_192

/** The last lines that a process wrote to standard error. */
export class StderrLines {
  readonly #lines: StderrLine[] = []
  #rest = ''

  get lines(): readonly StderrLine[] {
    return this.#lines
  }

  /** Takes a piece of text; returns the lines that it finished. */
  add(text: string): StderrLine[] {
    const parts = (this.#rest + text).split(/\r?\n/)
    this.#rest = parts.pop()!
    if (this.#rest.length > maxLineLength) parts.push(this.#takeRest())
    return this.#keep(parts)
  }

  /** The process has ended: a rest without a line break is a line too. */
  end(): StderrLine[] {
    return this.#rest === '' ? [] : this.#keep([this.#takeRest()])
  }

  #takeRest(): string {
    const rest = this.#rest
    this.#rest = ''
    return rest
  }

  #keep(texts: string[]): StderrLine[] {
    const at = Date.now()
    const lines = texts.map((text) => ({ at, text: text.slice(0, maxLineLength) }))
    this.#lines.push(...lines)
    this.#lines.splice(0, Math.max(0, this.#lines.length - maxLines))
    return lines
  }
}
