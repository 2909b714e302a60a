/** A typed line, in words. */
interface Split {
  words: string[]
  /** A quote or a bracket is open: there is more to come. */
  isOpen: boolean
  /** The start of the last word in the line; its length if the line ends with a space. */
  lastAt: number
}

/**
 * Splits a line into words. Quotes work as in a shell, without variables. A word or a value after `=` that begins with
 * a bracket is JSON up to the closing bracket, with its quotes and spaces.
 */
export function splitWords(line: string): Split {
  const words: string[] = []
  let at = 0
  for (;;) {
    while (at < line.length && /\s/.test(line[at]!)) at++
    if (at >= line.length) return { words, isOpen: false, lastAt: line.length }
    const word = readWord(line, at)
    words.push(word.text)
    if (word.end >= line.length) return { words, isOpen: word.isOpen, lastAt: at }
    at = word.end
  }
}

interface Word {
  text: string
  end: number
  isOpen: boolean
}

function readWord(line: string, start: number): Word {
  let text = ''
  let at = start
  while (at < line.length && !/\s/.test(line[at]!)) {
    const character = line[at]!
    const isFirst = at === start || line[at - 1] === '='
    if (isFirst && (character === '{' || character === '[')) {
      const end = endOfJson(line, at)
      text += line.slice(at, end ?? line.length)
      if (end === undefined) return { text, end: line.length, isOpen: true }
      at = end
    } else if (character === '"' || character === "'") {
      const end = endOfQuote(line, at)
      text += unescaped(line.slice(at + 1, end ?? line.length), character)
      if (end === undefined) return { text, end: line.length, isOpen: true }
      at = end + 1
    } else if (character === '\\' && at + 1 < line.length) {
      text += line[at + 1]
      at += 2
    } else {
      text += character
      at += 1
    }
  }
  return { text, end: at, isOpen: false }
}

function endOfQuote(line: string, start: number): number | undefined {
  for (let at = start + 1; at < line.length; at++) {
    if (line[at] === '\\' && line[start] === '"') at++
    else if (line[at] === line[start]) return at
  }
  return undefined
}

const unescaped = (text: string, quote: string): string => (quote === '"' ? text.replace(/\\(["\\])/g, '$1') : text)

/** Past the bracket that closes the one at `start`; undefined if it is open. */
function endOfJson(line: string, start: number): number | undefined {
  let depth = 0
  let isText = false
  for (let at = start; at < line.length; at++) {
    const character = line[at]!
    if (isText) {
      if (character === '\\') at++
      else if (character === '"') isText = false
    } else if (character === '"') isText = true
    else if (character === '{' || character === '[') depth++
    else if (character === '}' || character === ']') {
      depth--
      if (depth === 0) return at + 1
    }
  }
  return undefined
}
