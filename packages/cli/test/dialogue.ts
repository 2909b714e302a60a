/** Conversations with a command on a terminal. */
import { vi } from 'vitest'

export interface Shown {
  type(text: string): void
  shown(): string
}

/** Waits for each text in turn, and then types its answer. */
export async function dialogue(terminal: Shown, steps: readonly (readonly [string | RegExp, string])[]): Promise<void> {
  let seen = 0
  for (const [awaited, typed] of steps) {
    await vi.waitFor(
      () => {
        const rest = bare(terminal.shown()).slice(seen)
        const found = typeof awaited === 'string' ? rest.indexOf(awaited) : rest.search(awaited)
        if (found < 0) throw new Error(`Waiting for ${awaited}, got ${JSON.stringify(rest)}`)
        seen += found + 1
      },
      { timeout: 100_000, interval: 10 },
    )
    terminal.type(typed)
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: terminal sequences
const controls = /\u001b\[[\d;?]*[A-Za-z]|\u001b\][^\u0007]*\u0007|\u0007/g

/** The text of a terminal, without colours, movements and bells. */
export const bare = (text: string): string => text.replace(controls, '')
