// More than any stack has; the lines of a server that prints on and on are not kept.
const mostKept = 500

/**
 * Lines of a server that is not ready. A client starts a program that ended at once a second time, because some programs
 * of older revisions end at an unknown request, and the same error must not be shown twice.
 */
export class RepeatedLines {
  #lines: string[] = []
  #at = Infinity

  /** The files have changed: everything is new. */
  forget(): void {
    this.#lines = []
    this.#at = Infinity
  }

  /** The program was started again. */
  restart(): void {
    this.#at = this.#lines.length === 0 ? Infinity : 0
  }

  /** Whether a line was shown at the same place of an earlier start. */
  isRepeated(line: string): boolean {
    if (this.#lines[this.#at] === line) {
      this.#at += 1
      return true
    }
    this.#at = Infinity
    if (this.#lines.length < mostKept) this.#lines.push(line)
    return false
  }
}
