import { gitIn } from '../repositories.ts'
import type { Trick } from '../trick.ts'

/** A program that shows long output. */
export const trick: Trick = {
  plant({ folder, program }) {
    gitIn(folder, 'config', 'core.pager', program)
    for (const name of ['status', 'diff', 'log', 'show', 'branch']) gitIn(folder, 'config', `pager.${name}`, program)
  },
  originalFalls: false,
}
