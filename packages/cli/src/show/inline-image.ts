import type { Surroundings } from '../terminal/terminal.ts'
import { TerminalText } from '../terminal/text.ts'

/** The escape sequences with which a terminal shows an image, if it can: kitty and its like, iTerm2 and WezTerm. */
export function inlineImage(bytes: Buffer, mimeType: string, { output, env }: Surroundings): TerminalText | undefined {
  // Programs in between do not pass these sequences on.
  if (!output.stdout.isTTY || env.TMUX || env.STY) return undefined
  if (mimeType === 'image/png' && isKitty(env)) return kitty(bytes.toString('base64'))
  const isKnown = /^image\/(?:png|jpeg|gif|webp)$/.test(mimeType)
  return isKnown && isITerm(env) ? iTerm(bytes) : undefined
}

const isKitty = ({ KITTY_WINDOW_ID, TERM, TERM_PROGRAM }: NodeJS.ProcessEnv): boolean =>
  KITTY_WINDOW_ID !== undefined || TERM === 'xterm-kitty' || TERM === 'xterm-ghostty' || TERM_PROGRAM === 'ghostty'

const isITerm = ({ TERM_PROGRAM, LC_TERMINAL }: NodeJS.ProcessEnv): boolean =>
  TERM_PROGRAM === 'iTerm.app' || TERM_PROGRAM === 'WezTerm' || LC_TERMINAL === 'iTerm2'

// The bytes were decoded and are encoded anew: nothing but letters of base64 gets into the sequence.
function kitty(data: string): TerminalText {
  const chunks = data.match(/.{1,4096}/g) ?? []
  const sequences = chunks.map((chunk, index) => {
    const more = index < chunks.length - 1 ? 1 : 0
    return `\u001b_G${index === 0 ? 'f=100,a=T,' : ''}m=${more};${chunk}\u001b\\`
  })
  return TerminalText.trust(sequences.join(''))
}

const iTerm = (bytes: Buffer): TerminalText =>
  TerminalText.trust(
    `\u001b]1337;File=inline=1;size=${bytes.length};preserveAspectRatio=1:${bytes.toString('base64')}\u0007`,
  )
