import type { Terminal } from '../terminal/terminal.ts'

/** Asks a person something: nothing else moves on the terminal, and it is left as it was found. */
export async function withExclusiveTerminal<T>(terminal: Terminal, ask: () => Promise<T>): Promise<T> {
  const release = terminal.activity.hold()
  const { output } = terminal.surroundings
  const isOwn = output.keyboard === undefined
  try {
    return await ask()
  } finally {
    // Restores the usual mode of the terminal: Ctrl-C is a signal, and lines go to the next reader.
    if (isOwn) output.closeKeyboard()
    release()
  }
}
