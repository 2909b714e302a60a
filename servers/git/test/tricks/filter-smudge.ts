import { gitIn, write } from '../repositories.ts'
import type { Trick } from '../trick.ts'

/** A program that files go through when they are checked out. */
export const trick: Trick = {
  plant({ folder, program }) {
    write(folder, '.gitattributes', '*.txt filter=evil\n')
    gitIn(folder, 'add', '.gitattributes')
    gitIn(folder, 'commit', '--quiet', '--message=attributes')
    gitIn(folder, 'config', 'filter.evil.smudge', program)
  },
  originalFalls: true,
}
