import type { Terminal } from '../../terminal/terminal.ts'
import { say } from '../../terminal/text.ts'

type Allowed = 'once' | 'session' | 'deny'

const common: readonly [word: string, answer: Allowed][] = [
  ['yes', 'once'],
  ['no', 'deny'],
  ['session', 'session'],
]

interface Choices<More extends string> {
  /** Answers besides yes, no and session, by their words. */
  more?: readonly (readonly [word: string, answer: More])[]
  /** Says what each answer means. */
  help: string
}

/** Asks whether something is allowed, by a word or its first letter. A question that is left is a no. */
export async function askToAllow<More extends string = never>(
  { more = [], help }: Choices<More>,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<Allowed | More> {
  const { bold, dim } = terminal.notes
  const words: readonly (readonly [string, Allowed | More])[] = [...common, ...more]
  const answers = new Map(words.flatMap(([word, answer]) => [[word, answer] as const, [word[0]!, answer] as const]))
  const shown = ['y/n', ...words.slice(2).map(([word]) => word)].join('/')
  const keyboard = await terminal.keyboard()
  for (;;) {
    const typed = await keyboard.read(say`${bold('Allow it?')} ${dim(shown)} `, { signal })
    const answer = typed === undefined ? 'deny' : answers.get(typed.trim().toLowerCase())
    if (answer !== undefined) return answer
    terminal.warn(dim(help))
  }
}
