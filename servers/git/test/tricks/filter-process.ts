import { gitIn, write } from '../repositories.ts'
import type { Trick } from '../trick.ts'

/** A program that serves as a filter for many files. */
export const trick: Trick = {
  plant({ folder, program }) {
    write(folder, '.gitattributes', '*.txt filter=evil\n')
    gitIn(folder, 'config', 'filter.evil.process', program)
  },
  originalFalls: true,
}
