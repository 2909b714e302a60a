import { plain, type Style } from '../../terminal/style.ts'
import { join, paragraph, say, type TerminalText } from '../../terminal/text.ts'

/** A piece of the text that is done, or undefined while later characters could still change it. */
type Taken = { text: TerminalText; length: number } | undefined

// The beginning of a line that may become a heading, a list item, a quote or a fence.
const maybeMark = /^[ \t]{0,12}(?:#{1,6}|[-*+>]|\d{1,4}[.)]?|`{1,2}|~{1,2}|(?:`{3,}|~{3,})[^\n]{0,200})?$/
const fence = /^[ \t]*(`{3,}|~{3,})([^\n`]{0,200})\n/
const heading = /^[ \t]{0,3}#{1,6} +/
const item = /^([ \t]*)[-*+] +/
const quote = /^[ \t]{0,3}> ?/

const link = /^\[([^\]\n]{1,300})\]\(([^()\s]{1,2000})\)/
const maybeLink = /^\[[^\]\n]{0,300}(?:\](?:\([^()\s]{0,2000})?)?$/

/**
 * Renders Markdown while it arrives. Only characters that later ones could change are held back. Without colours the text
 * stays as it was written.
 */
export class MarkdownStream {
  readonly #style: Style
  #rest = ''
  #isLineStart = true
  #fence: string | undefined
  #isHeading = false
  #isBold = false
  #isCode = false

  constructor(style: Style) {
    this.#style = style
  }

  /** Takes a piece of the text; returns everything that can be shown. */
  write(text: string): TerminalText {
    this.#rest += text
    const held = heldBack(this.#rest)
    const later = this.#rest.slice(held)
    this.#rest = this.#rest.slice(0, held).replaceAll('\r\n', '\n')
    const shown = this.#take(false)
    this.#rest += later
    return shown
  }

  /** Returns the rest, and is ready for another text. */
  end(): TerminalText {
    const shown = this.#take(true)
    this.#isLineStart = true
    this.#fence = undefined
    this.#endLine()
    return shown
  }

  #take(isEnd: boolean): TerminalText {
    const pieces: TerminalText[] = []
    while (this.#rest !== '') {
      const taken = this.#next(this.#rest, isEnd)
      if (taken === undefined) break
      pieces.push(taken.text)
      this.#rest = this.#rest.slice(taken.length)
    }
    return join(pieces)
  }

  #next(rest: string, isEnd: boolean): Taken {
    if (this.#style === plain) return { text: paragraph(rest), length: rest.length }
    if (this.#fence !== undefined) return this.#inFence(rest, isEnd)
    return this.#isLineStart ? this.#lineStart(rest, isEnd) : this.#inLine(rest, isEnd)
  }

  #lineStart(rest: string, isEnd: boolean): Taken {
    const { dim } = this.#style
    const opened = fence.exec(rest)
    if (opened) {
      this.#fence = opened[1]!
      return { text: dim(paragraph(opened[0])), length: opened[0].length }
    }
    if (!isEnd && maybeMark.test(rest)) return undefined
    this.#isLineStart = false
    const [marks] = heading.exec(rest) ?? []
    if (marks !== undefined) {
      this.#isHeading = true
      return { text: say``, length: marks.length }
    }
    const [bullet, indent] = item.exec(rest) ?? []
    if (bullet !== undefined) return { text: say`${indent!}• `, length: bullet.length }
    const [quoted] = quote.exec(rest) ?? []
    if (quoted === undefined) return { text: say``, length: 0 }
    return { text: say`${dim('│')} `, length: quoted.length }
  }

  #inFence(rest: string, isEnd: boolean): Taken {
    const { dim, cyan } = this.#style
    const end = rest.indexOf('\n') + 1
    const line = end === 0 ? rest : rest.slice(0, end)
    if (this.#isLineStart) {
      if (end === 0 && !isEnd && /^[ \t]*[`~]*[ \t]*$/.test(line)) return undefined
      if (line.trim().startsWith(this.#fence!) && /^(?:`+|~+)$/.test(line.trim())) {
        this.#fence = undefined
        return { text: dim(paragraph(line)), length: line.length }
      }
    }
    this.#isLineStart = end > 0
    const body = end === 0 ? line : line.slice(0, -1)
    return { text: say`${cyan(paragraph(body))}${end === 0 ? say`` : say`\n`}`, length: line.length }
  }

  #inLine(rest: string, isEnd: boolean): Taken {
    const next = rest.search(this.#isCode ? /[`\n]/ : /[`*[\\\n]/)
    if (next !== 0) {
      const text = next < 0 ? rest : rest.slice(0, next)
      return { text: this.#paint(text), length: text.length }
    }
    if (rest[0] === '\n') {
      this.#isLineStart = true
      this.#endLine()
      return { text: say`\n`, length: 1 }
    }
    if (rest.length === 1 && !isEnd) return undefined
    if (rest[0] === '`') {
      this.#isCode = !this.#isCode
      return { text: say``, length: 1 }
    }
    if (rest[0] === '\\') {
      const isEscape = /^\\[!-/:-@[-`{-~]/.test(rest)
      return { text: this.#paint(isEscape ? rest[1]! : '\\'), length: isEscape ? 2 : 1 }
    }
    return rest[0] === '*' ? this.#star(rest, isEnd) : this.#bracket(rest, isEnd)
  }

  #star(rest: string, isEnd: boolean): Taken {
    if (!rest.startsWith('**')) return { text: this.#paint('*'), length: 1 }
    if (!this.#isBold && rest.length === 2 && !isEnd) return undefined
    // Two stars before a space are no mark, as in `2 ** 3`.
    if (!this.#isBold && !/^\*\*[^\s*]/.test(rest)) return { text: this.#paint('**'), length: 2 }
    this.#isBold = !this.#isBold
    return { text: say``, length: 2 }
  }

  /** A link always shows its address: the words alone could say anything. */
  #bracket(rest: string, isEnd: boolean): Taken {
    const { cyan, dim } = this.#style
    const [all, words, address] = link.exec(rest) ?? []
    if (all !== undefined) {
      const where = words === address ? say`` : say` ${dim(`(${address})`)}`
      return { text: say`${cyan(words!)}${where}`, length: all.length }
    }
    if (!isEnd && maybeLink.test(rest)) return undefined
    return { text: this.#paint('['), length: 1 }
  }

  #paint(text: string): TerminalText {
    const shown = paragraph(text)
    if (this.#isCode) return this.#style.cyan(shown)
    return this.#isBold || this.#isHeading ? this.#style.bold(shown) : shown
  }

  /** A mark that is not closed ends with its line. */
  #endLine(): void {
    this.#isHeading = false
    this.#isBold = false
    this.#isCode = false
  }
}

const segments = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** The length of a text without its last character, where the next piece could belong to that: emoji, marks, `\r\n`. */
function heldBack(text: string): number {
  // Plain letters are the usual case, and are never held.
  if (/[\n\x20-\x7e]$/.test(text)) return text.length
  // Half of a character belongs to the emoji before it, perhaps.
  const whole = text.replace(/[\ud800-\udbff]$/, '')
  const last = [...segments.segment(whole.slice(-64))].at(-1)
  return last === undefined || last.segment.length >= 32 ? whole.length : whole.length - last.segment.length
}
