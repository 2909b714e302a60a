import { visible, visibleLine } from '@tenon/sdk/display'

/**
 * Text that is fit for a terminal, the only kind that a `Terminal` prints. A string may come from a server, and becomes
 * such a text by `say` or `paragraph`, which make control characters visible.
 */
export class TerminalText {
  readonly #value: string

  private constructor(value: string) {
    this.#value = value
  }

  /**
   * Takes a string as it is: for control sequences of this program, and for pieces of other terminal texts. Only this folder
   * and the code that draws images may call it; a test holds them to that.
   */
  static trust(value: string): TerminalText {
    return new TerminalText(value)
  }

  get isEmpty(): boolean {
    return this.#value === ''
  }

  toString(): string {
    return this.#value
  }
}

/** Something to show: a string is untrusted. */
export type Part = TerminalText | string | number

/** Our own words with the text of others in between: each string becomes visible, in one line. */
export const say = (words: TemplateStringsArray, ...parts: readonly Part[]): TerminalText =>
  TerminalText.trust(words.reduce((text, word, index) => `${text}${toText(parts[index - 1]!)}${word}`))

/** A text of others with its line breaks. */
export const paragraph = (text: string): TerminalText => TerminalText.trust(visible(text))

/** Parts one after the other, with a text of ours between them. */
export const join = (parts: readonly Part[], separator = ''): TerminalText =>
  TerminalText.trust(parts.map((part) => toText(part)).join(visible(separator)))

/** A part in one line. Spaces stay, because they align columns. */
export function toText(part: Part): TerminalText {
  if (part instanceof TerminalText) return part
  const text = String(part)
  return TerminalText.trust(/[\r\n]/.test(text) ? visibleLine(text) : visible(text))
}

/** Whether a word shows itself as it is: for candidates of a completion, which go into a command line. */
export const isPlain = (word: string): boolean => !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(word)
