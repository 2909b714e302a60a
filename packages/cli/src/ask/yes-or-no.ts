import type { Terminal } from '../terminal/terminal.ts'
import { say } from '../terminal/text.ts'

/** Asks for yes or no; undefined if the question is left (Ctrl-D). Without `fallback` one of them has to be typed. */
export async function yesOrNo(
  question: string,
  fallback: boolean | undefined,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<boolean | undefined> {
  const keyboard = await terminal.keyboard()
  const choices = fallback === undefined ? 'y/n' : fallback ? 'Y/n' : 'y/N'
  for (;;) {
    const typed = await keyboard.read(say`${question} (${choices}) `, { signal })
    if (typed === undefined) return undefined
    const value = readYesOrNo(typed) ?? (typed.trim() === '' ? fallback : undefined)
    if (value !== undefined) return value
    terminal.warn(terminal.notes.dim('Type y or n; Ctrl-D leaves the question.'))
  }
}

/** The meaning of a typed word; undefined if it is neither yes nor no. */
export function readYesOrNo(text: string): boolean | undefined {
  const word = text.trim().toLowerCase()
  if (['y', 'yes', 'true', '1', 'on'].includes(word)) return true
  return ['n', 'no', 'false', '0', 'off'].includes(word) ? false : undefined
}
