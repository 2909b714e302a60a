import { didYouMean } from '../line/did-you-mean.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { say } from '../terminal/text.ts'

/** Asks for a text; an empty answer is the one that was offered. */
export async function askFor(
  question: string,
  fallback: string,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<string> {
  const keyboard = await terminal.keyboard()
  const { bold, dim } = terminal.notes
  const typed = await keyboard.read(say`${bold(question)} ${dim(`(${fallback})`)} `, { signal })
  if (typed === undefined) throw new DOMException('Cancelled', 'AbortError')
  return typed.trim() || fallback
}

/** Asks for one of several words, each with its meaning. */
export async function askWhich<Word extends string>(
  question: string,
  choices: ReadonlyMap<Word, string>,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<Word> {
  const { cyan, dim } = terminal.notes
  const words = [...choices.keys()]
  const width = Math.max(...words.map(({ length }) => length))
  for (const [word, meaning] of choices) terminal.warn(say`  ${cyan(word.padEnd(width))}  ${dim(meaning)}`)
  for (;;) {
    const typed = await askFor(question, words[0]!, terminal, signal)
    const chosen = words.find((word) => word.toLowerCase() === typed.toLowerCase())
    if (chosen !== undefined) return chosen
    terminal.warn(dim(didYouMean(typed, words) ?? `Type one of ${words.join(', ')}.`))
  }
}
