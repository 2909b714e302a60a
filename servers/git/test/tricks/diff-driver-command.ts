import { gitIn, write } from '../repositories.ts'
import type { Trick } from '../trick.ts'

/** A program that compares files in place of git. */
export const trick: Trick = {
  plant({ folder, program }) {
    write(folder, '.gitattributes', '*.txt diff=evil\n')
    gitIn(folder, 'config', 'diff.evil.command', program)
  },
  originalFalls: true,
}
