import { gitIn, write } from '../repositories.ts'
import type { Trick } from '../trick.ts'

/** A program that files go through when they are staged. */
export const trick: Trick = {
  plant({ folder, program }) {
    write(folder, '.gitattributes', '* filter=evil\n')
    gitIn(folder, 'config', 'filter.evil.clean', program)
  },
  originalFalls: true,
}
