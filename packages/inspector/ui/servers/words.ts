/**
 * The words of a command line: quotes hold words together, a backslash takes a character as it is. Nothing is run. Undefined if
 * a quote is not closed: then its word has no end.
 */
export function splitWords(line: string): string[] | undefined {
  const words: string[] = []
  let word: string | undefined
  let quote = ''
  for (let at = 0; at < line.length; at++) {
    const character = line[at]!
    if (quote !== '') {
      if (character === quote) quote = ''
      else if (character === '\\' && quote === '"' && /["\\]/.test(line[at + 1] ?? '')) word += line[++at]!
      else word += character
    } else if (character === '"' || character === "'") {
      quote = character
      word ??= ''
    } else if (character === '\\' && at + 1 < line.length && /[\s"'\\]/.test(line[at + 1]!)) {
      word = (word ?? '') + line[++at]!
    } else if (/\s/.test(character)) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else {
      word = (word ?? '') + character
    }
  }
  if (quote !== '') return undefined
  return word === undefined ? words : [...words, word]
}

/** Words as a command line that splits into them again. */
export const joinWords = (words: readonly string[]): string =>
  words.map((word) => (word === '' || /[\s"'\\]/.test(word) ? `'${word.replaceAll("'", `'\\''`)}'` : word)).join(' ')
