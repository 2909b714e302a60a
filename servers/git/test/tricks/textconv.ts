import { gitIn, write } from '../repositories.ts'
import type { Trick } from '../trick.ts'

/** A program that makes text of files before they are compared. */
export const trick: Trick = {
  plant({ folder, program }) {
    write(folder, '.gitattributes', '*.txt diff=evil\n')
    gitIn(folder, 'config', 'diff.evil.textconv', program)
  },
  originalFalls: true,
}
