import { type Budget, InlineReader, toObject, type Yaml } from './yaml-inline.ts'
import { checkPlainStart, plainValue, YamlError } from './yaml-scalar.ts'
import { trimBlanks, trimBlanksEnd, trimBlanksStart, withoutComment } from './yaml-text.ts'

const maxDepth = 16
const maxNodes = 2_000

/**
 * Reads the part of YAML that front matters are made of: maps, lists, quoted and plain text, blocks of text. What would make
 * a small file large, or the same file mean different things to different readers, is refused by name: anchors, tags,
 * merge keys, keys that stand twice.
 */
export function parseYaml(lines: readonly string[]): Yaml {
  const tab = lines.findIndex((line) => line.startsWith('\t'))
  if (tab >= 0) throw new YamlError(tab, 'indented by a tab; use spaces')
  return new BlockReader(lines).document()
}

interface Line {
  row: number
  indent: number
  text: string
}

const isItem = (text: string): boolean => /^-(?:\s|$)/.test(text)
// A key in quotes, or a text up to the first colon that a space or the end follows. Each part can match in one way only.
const keyForm =
  /^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s"'#[{](?:[^\s:#]|:(?=\S)|[ \t]+(?=[^\s:#])|(?<=\S)#)*)[ \t]*:(?=\s|$)/

class BlockReader implements Budget {
  readonly #lines: string[]
  #row = 0
  #nodes = 0

  constructor(lines: readonly string[]) {
    this.#lines = [...lines]
  }

  document(): Yaml {
    const value = this.#node(-1, 0)
    const left = this.#peek()
    if (left !== undefined) throw new YamlError(left.row, 'expected the end, or less indentation')
    return value
  }

  depth(line: number, level: number): void {
    if (level > maxDepth) throw new YamlError(line, `nested deeper than ${maxDepth} levels`)
  }

  node(line: number): void {
    this.#nodes++
    if (this.#nodes > maxNodes) throw new YamlError(line, `more than ${maxNodes} values`)
  }

  /** The next line that says something. */
  #peek(): Line | undefined {
    for (; this.#row < this.#lines.length; this.#row++) {
      const line = this.#lines[this.#row]!
      const text = trimBlanksStart(line)
      if (text === '' || text.startsWith('#')) continue
      const indent = line.length - text.length
      if (line.slice(0, indent).includes('\t')) throw new YamlError(this.#row, 'indented by a tab; use spaces')
      if (indent === 0 && /^(?:---|\.\.\.)(?:\s|$)/.test(text)) throw new YamlError(this.#row, 'a second document')
      return { row: this.#row, indent, text }
    }
    return undefined
  }

  /** What is indented deeper than its parent. */
  #node(parent: number, level: number): Yaml {
    const line = this.#peek()
    if (line === undefined || line.indent <= parent) return null
    this.depth(line.row, level)
    this.node(line.row)
    if (isItem(line.text)) return this.#list(line.indent, level)
    if (keyForm.test(line.text)) return this.#map(line.indent, level)
    return this.#value(line.indent, parent, level)
  }

  #list(indent: number, level: number): Yaml[] {
    const items: Yaml[] = []
    for (;;) {
      const line = this.#peek()
      if (line === undefined || line.indent !== indent || !isItem(line.text)) {
        this.#checkEnd(line, indent)
        return items
      }
      // The dash counts as indentation: what follows it stands where a line of its own would.
      this.#lines[line.row] = `${' '.repeat(indent + 1)}${line.text.slice(1).replace(/^\t+/, ' ')}`
      items.push(this.#node(indent, level + 1))
    }
  }

  #map(indent: number, level: number): Yaml {
    const entries: [string, Yaml, number][] = []
    for (;;) {
      const line = this.#peek()
      if (line === undefined || line.indent !== indent || isItem(line.text)) {
        this.#checkEnd(line, indent)
        return toObject(entries)
      }
      const key = keyForm.exec(line.text)?.[0]
      if (key === undefined) throw new YamlError(line.row, `expected "key: value", got ${shown(line.text)}`)
      entries.push([this.#keyText(key, line), this.#mapValue(indent + key.length, line, level), line.row])
    }
  }

  #checkEnd(line: Line | undefined, indent: number): void {
    if (line !== undefined && line.indent > indent) {
      throw new YamlError(line.row, `indented by ${line.indent}, expected ${indent}`)
    }
  }

  #keyText(key: string, { row, indent }: Line): string {
    this.node(row)
    if (/^["']/.test(key)) return new InlineReader(this.#lines, this, { row, column: indent }, indent).quoted()
    checkPlainStart(key, row)
    return trimBlanksEnd(key.slice(0, -1))
  }

  #mapValue(column: number, { row, indent }: Line, level: number): Yaml {
    const rest = trimBlanksStart(this.#lines[row]!.slice(column))
    if (rest !== '' && !rest.startsWith('#')) {
      this.node(row)
      return this.#value(this.#lines[row]!.length - rest.length, indent, level + 1)
    }
    this.#row++
    const next = this.#peek()
    // A list may stand as far left as the key that it belongs to.
    if (next?.indent === indent && isItem(next.text)) {
      this.depth(next.row, level + 1)
      return this.#list(indent, level + 1)
    }
    return this.#node(indent, level + 1)
  }

  /** A value that starts within the current line; lines that belong to it are indented deeper than `parent`. */
  #value(column: number, parent: number, level: number): Yaml {
    const row = this.#row
    const text = this.#lines[row]!.slice(column)
    if (/^[|>]/.test(text)) return this.#block(text, parent)
    if (!/^["'[{]/.test(text)) return this.#plain(column, parent)
    const inline = new InlineReader(this.#lines, this, { row, column }, parent)
    const value = inline.value(level)
    const { row: last, column: end } = inline.place
    const rest = this.#lines[last]!.slice(end)
    if (!/^\s*(?:\s#.*)?$/.test(rest))
      throw new YamlError(last, `expected the end of the line, got ${shown(trimBlanks(rest))}`)
    this.#row = last + 1
    return value
  }

  /** Text without quotes, which goes on in the lines that are indented deeper. */
  #plain(column: number, parent: number): Yaml {
    const first = this.#row
    const pieces: string[] = []
    let piece = this.#lines[first]!.slice(column)
    checkPlainStart(piece, first)
    for (let breaks = 0; ; ) {
      const text = withoutComment(piece)
      if (/:(?:\s|$)/.test(text)) {
        throw new YamlError(this.#row, `text with a colon and a space after it needs quotes: ${shown(text)}`)
      }
      pieces.push(breaks > 1 ? '\n'.repeat(breaks - 1) : breaks === 1 ? ' ' : '', text)
      this.#row++
      // A comment ends the text.
      if (text.length < trimBlanksEnd(piece).length) break
      breaks = 1
      while (this.#row < this.#lines.length && trimBlanks(this.#lines[this.#row]!) === '') {
        this.#row++
        breaks++
      }
      const next = this.#lines[this.#row]
      if (next === undefined || indentOf(next) <= parent || trimBlanksStart(next).startsWith('#')) break
      piece = trimBlanksStart(next)
    }
    return plainValue(pieces.join(''), first)
  }

  /** `|` keeps the breaks of the lines, `>` makes them spaces. */
  #block(header: string, parent: number): string {
    const start = this.#row
    const match = /^([|>])(?:([1-9])([+-])?|([+-])([1-9])?)?(?:\s+#.*|\s*)$/.exec(header)
    if (match === null) throw new YamlError(start, `expected nothing but an indicator after ${header[0]}`)
    const given = match[2] ?? match[5]
    const chomp = match[3] ?? match[4]
    this.#row++
    const lines = this.#blockLines(Math.max(parent, 0) + Number(given ?? 0), given !== undefined, parent)
    let end = lines.length
    while (end > 0 && lines[end - 1] === '') end--
    const kept = lines.slice(0, end)
    const text = match[1] === '|' ? kept.join('\n') : folded(kept)
    if (chomp === '+') return `${text}${'\n'.repeat(lines.length - end + (end > 0 ? 1 : 0))}`
    return chomp === '-' || end === 0 ? text : `${text}\n`
  }

  #blockLines(given: number, isGiven: boolean, parent: number): string[] {
    const lines: string[] = []
    let indent = isGiven ? given : undefined
    for (; this.#row < this.#lines.length; this.#row++) {
      const line = this.#lines[this.#row]!
      const here = indentOf(line)
      const blank = /^ *$/.test(line)
      if (!blank && here <= parent) break
      if (!blank) indent ??= here
      if (!blank && here < indent!) throw new YamlError(this.#row, `indented by ${here}, expected ${indent}`)
      lines.push(indent === undefined ? '' : line.slice(indent))
    }
    return lines
  }
}

/** Lines next to each other become one; empty lines and those that are indented deeper keep their breaks. */
function folded(lines: readonly string[]): string {
  let text = lines[0] ?? ''
  let deeper = /^[ \t]/.test(text)
  let started = text !== ''
  for (let index = 1; index < lines.length; index++) {
    const line = lines[index]!
    if (line === '') {
      text += '\n'
      continue
    }
    const isDeeper = /^[ \t]/.test(line)
    const afterEmpty = lines[index - 1] === ''
    if (deeper || isDeeper || !started) text += '\n'
    else if (!afterEmpty) text += ' '
    text += line
    deeper = isDeeper
    started = true
  }
  return text
}

const indentOf = (line: string): number => /^ */.exec(line)![0].length
const shown = (text: string): string => JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text)
