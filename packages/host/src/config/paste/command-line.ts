import type { ServerEntry, Transport } from '../model.ts'

/** A command line as words, or the reason why only a shell can run it. */
type Words = { words: string[] } | { refused: string }

const operators = /[|&;<>`\n]/

/**
 * Splits a command line as a shell does: quotes, and backslashes before special characters. Nothing is expanded, and
 * commands that need a shell are refused. Other backslashes stay, because Windows has them in paths.
 */
export function splitCommand(line: string): Words {
  const words: string[] = []
  let word: string | undefined
  let quote = ''
  const text = line.trim().replace(/[\\^]\r?\n\s*/g, ' ')
  for (let index = 0; index < text.length; index++) {
    const char = text[index]!
    const next = text[index + 1] ?? ''
    if (char === '\\' && (quote === '"' ? /["\\$`]/ : quote === '' ? /[\s"'\\$]/ : /(?!)/).test(next)) {
      word = (word ?? '') + next
      index++
    } else if (quote !== '') {
      if (char === quote) quote = ''
      else word += char
    } else if (char === '"' || char === "'") {
      quote = char
      word ??= ''
    } else if (operators.test(char) || (char === '$' && next === '(')) {
      if (char === '\n') return { refused: 'expected one command, found several lines' }
      return { refused: `a shell would be needed for ${char === '$' ? '$(' : char}` }
    } else if (/\s/.test(char)) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else word = (word ?? '') + char
  }
  if (quote !== '') return { refused: `a quote is never closed: ${quote}` }
  if (word !== undefined) words.push(word)
  return { words }
}

export const isUrl = (text: string): boolean => /^(?:https?|wss?):\/\/\S+$/i.test(text) && URL.canParse(text)

/** A URL or a command line in one string. Any other text is a command. */
export function targetTransport(text: string): Transport {
  const trimmed = text.trim()
  if (isUrl(trimmed)) return { kind: /^ws/i.test(trimmed) ? 'websocket' : 'http', url: trimmed, headers: {} }
  const split = splitCommand(trimmed)
  const [command = trimmed, ...args] = 'words' in split ? split.words : []
  return { kind: 'stdio', command, args, env: {} }
}

/** Both sides of the first separator. */
export function halves(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator)
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + separator.length)]
}

/** A server in one line: its command line, or its URL. */
export const summaryOf = ({ transport }: ServerEntry): string =>
  transport.kind === 'stdio' ? quoteWords([transport.command, ...transport.args]) : transport.url

/** Words as a line that a POSIX shell would split into the same words. */
const quoteWords = (words: readonly string[]): string =>
  words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(' ')
