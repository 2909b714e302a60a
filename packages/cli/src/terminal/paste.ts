import { Transform, type TransformCallback } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'

/** Has a terminal say where a paste begins and ends. */
export const markPastes = '\u001b[?2004h'
export const leavePastes = '\u001b[?2004l'

const begin = '\u001b[200~'
const end = '\u001b[201~'

/** How a line break looks that was pasted into a line. */
export const pastedBreak = '⏎'

/**
 * Typed input, with pastes as text: a pasted line break does not send the line, and a pasted control character is no
 * key. The user may not have seen all of the pasted text.
 */
export class PasteFilter extends Transform {
  readonly isTTY = true
  readonly #source: NodeJS.ReadStream
  readonly #decoder = new StringDecoder('utf8')
  #pending = ''
  #pasting = false

  constructor(source: NodeJS.ReadStream) {
    super({ decodeStrings: false, readableObjectMode: false })
    this.setEncoding('utf8')
    this.#source = source
  }

  /** For `readline`, which takes this for the terminal. */
  setRawMode(raw: boolean): this {
    this.#source.setRawMode?.(raw)
    return this
  }

  override _transform(chunk: Buffer | string, _encoding: string, done: TransformCallback): void {
    let text = this.#pending + (typeof chunk === 'string' ? chunk : this.#decoder.write(chunk))
    this.#pending = ''
    for (;;) {
      const mark = this.#pasting ? end : begin
      const at = text.indexOf(mark)
      if (at < 0) break
      this.#pass(text.slice(0, at))
      text = text.slice(at + mark.length)
      this.#pasting = !this.#pasting
    }
    const kept = this.#pasting
      ? beginningOf(end, text, 1) || (text.endsWith('\r') ? 1 : 0)
      : beginningOf(begin, text, 2)
    this.#pending = text.slice(text.length - kept)
    this.#pass(text.slice(0, text.length - kept))
    done()
  }

  #pass(text: string): void {
    if (text !== '') this.push(this.#pasting ? harmless(text) : text)
  }
}

const harmless = (text: string): string =>
  text
    .replace(/\r\n?|\n/g, pastedBreak)
    .replace(/\t/g, ' ')
    .replace(/\p{Cc}/gu, '')

/** How many characters at the end of a text may be the beginning of a mark. */
function beginningOf(mark: string, text: string, least: number): number {
  for (let length = Math.min(mark.length - 1, text.length); length >= least; length--) {
    if (text.endsWith(mark.slice(0, length))) return length
  }
  return 0
}
