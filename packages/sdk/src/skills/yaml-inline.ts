import { checkPlainStart, plainValue, readEscape, YamlError } from './yaml-scalar.ts'
import { trimBlanks, trimBlanksEnd } from './yaml-text.ts'

/** Where reading goes on: a line and a column. */
export interface Place {
  row: number
  column: number
}

export type Yaml = string | number | boolean | null | Yaml[] | { [key: string]: Yaml }

/** Counts what is made, so that a small text cannot make much. */
export interface Budget {
  depth(line: number, level: number): void
  node(line: number): void
}

/** `a: 1` twice in one map would mean something else to every reader. */
export function toObject(entries: readonly (readonly [string, Yaml, number])[]): { [key: string]: Yaml } {
  const seen = new Set<string>()
  for (const [key, , line] of entries) {
    if (key === '<<') throw new YamlError(line, 'merge keys are not supported')
    if (seen.has(key)) throw new YamlError(line, `the key ${JSON.stringify(key)} stands here twice`)
    seen.add(key)
  }
  // Defines members rather than assigning them: a key named __proto__ is just a key.
  return Object.fromEntries(entries.map(([key, value]) => [key, value]))
}

/** Reads values that stand within lines: quoted text, and lists and maps in brackets. They may go on over several lines. */
export class InlineReader {
  readonly #lines: readonly string[]
  readonly #budget: Budget
  #row: number
  #column: number
  /** Lines after the first have to be indented deeper than this. */
  readonly #indent: number

  constructor(lines: readonly string[], budget: Budget, { row, column }: Place, indent: number) {
    this.#lines = lines
    this.#budget = budget
    this.#row = row
    this.#column = column
    this.#indent = indent
  }

  get place(): Place {
    return { row: this.#row, column: this.#column }
  }

  value(level: number): Yaml {
    this.#budget.node(this.#row)
    this.#budget.depth(this.#row, level)
    const next = this.#rest[0]
    if (next === '"' || next === "'") return this.quoted()
    if (next === '[') return this.#list(level)
    if (next === '{') return this.#map(level)
    return this.#plain()
  }

  quoted(): string {
    const start = this.#row
    const text = this.#quoted(start)
    if (!/\p{Surrogate}/u.test(text)) return text
    throw new YamlError(start, 'the escapes make half of a character')
  }

  #quoted(start: number): string {
    const quote = this.#take(1)
    let text = ''
    for (;;) {
      const rest = this.#rest
      const end = rest.search(quote === '"' ? /["\\]/ : /'/)
      if (end < 0) text += this.#fold(rest, start)
      else if (rest.startsWith("''", end) && quote === "'") text += this.#take(end + 2).slice(0, -1)
      else if (rest[end] === quote) return text + this.#take(end + 1).slice(0, -1)
      else if (rest.length === end + 1) text += this.#continued(start)
      else {
        text += this.#take(end + 1).slice(0, -1)
        const escaped = readEscape(this.#rest, this.#row)
        this.#take(escaped.length)
        text += escaped.text
      }
    }
  }

  /** The rest of a line within quotes: the break is a space, and empty lines are breaks. */
  #fold(rest: string, start: number): string {
    let breaks = 0
    do {
      this.#nextLine(start, 'the quote is never closed')
      breaks++
    } while (trimBlanks(this.#rest) === '')
    this.#skipSpaces()
    return trimBlanksEnd(rest) + (breaks === 1 ? ' ' : '\n'.repeat(breaks - 1))
  }

  /** A line that ends in a backslash goes on without a break. */
  #continued(start: number): string {
    const before = this.#rest.slice(0, -1)
    this.#nextLine(start, 'the quote is never closed')
    this.#skipSpaces()
    return before
  }

  #list(level: number): Yaml[] {
    const start = this.#row
    const items: Yaml[] = []
    this.#take(1)
    for (;;) {
      if (this.#closes(']', start)) return items
      items.push(this.value(level + 1))
      this.#skipBlank(start)
      if (this.#rest[0] === ':') throw new YamlError(this.#row, 'a pair within [ ] needs braces')
      this.#separator(']')
    }
  }

  #map(level: number): Yaml {
    const start = this.#row
    const entries: [string, Yaml, number][] = []
    this.#take(1)
    for (;;) {
      if (this.#closes('}', start)) return toObject(entries)
      const line = this.#row
      const key = this.#key()
      this.#skipBlank(start)
      entries.push([key, this.#rest[0] === ':' ? this.#valueAfterColon(level, start) : null, line])
      this.#skipBlank(start)
      this.#separator('}')
    }
  }

  #key(): string {
    this.#budget.node(this.#row)
    const first = this.#rest[0]
    return first === '"' || first === "'" ? this.quoted() : this.#plainText()
  }

  #valueAfterColon(level: number, start: number): Yaml {
    this.#take(1)
    this.#skipBlank(start)
    return /^[,}]/.test(this.#rest) ? null : this.value(level + 1)
  }

  #closes(bracket: string, start: number): boolean {
    this.#skipBlank(start)
    if (this.#rest[0] !== bracket) return false
    this.#take(1)
    return true
  }

  #separator(bracket: string): void {
    if (this.#rest[0] === ',') this.#take(1)
    else if (this.#rest[0] !== bracket) {
      throw new YamlError(this.#row, `expected a comma or ${bracket}, got ${JSON.stringify(this.#rest[0])}`)
    }
  }

  #plain(): Yaml {
    const line = this.#row
    return plainValue(this.#plainText(), line)
  }

  /** Within brackets a word also ends at their punctuation. */
  #plainText(): string {
    const text = /^(?:[^,[\]{}:#]|:(?![\s,[\]{}]|$)|(?<=\S)#)*/.exec(this.#rest)![0]
    checkPlainStart(text === '' ? this.#rest : text, this.#row)
    if (trimBlanks(text) === '')
      throw new YamlError(this.#row, `expected a value, got ${JSON.stringify(this.#rest[0])}`)
    this.#take(text.length)
    return trimBlanks(text)
  }

  #skipBlank(start: number): void {
    for (;;) {
      this.#skipSpaces()
      const rest = this.#rest
      if (rest !== '' && !(rest[0] === '#' && this.#afterSpace)) return
      this.#nextLine(start, 'the bracket is never closed')
    }
  }

  get #afterSpace(): boolean {
    return this.#column === 0 || /\s/.test(this.#lines[this.#row]![this.#column - 1]!)
  }

  #skipSpaces(): void {
    this.#take(/^[ \t]*/.exec(this.#rest)![0].length)
  }

  #nextLine(start: number, problem: string): void {
    this.#row++
    this.#column = 0
    const line = this.#lines[this.#row]
    if (line === undefined) throw new YamlError(start, problem)
    const indent = /^ */.exec(line)![0].length
    if (trimBlanks(line) !== '' && indent <= this.#indent) throw new YamlError(start, problem)
  }

  get #rest(): string {
    return this.#lines[this.#row]!.slice(this.#column)
  }

  #take(length: number): string {
    const taken = this.#rest.slice(0, length)
    this.#column += length
    return taken
  }
}
