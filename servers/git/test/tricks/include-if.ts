import { gitIn, write } from '../repositories.ts'
import type { Trick } from '../trick.ts'

/** The config includes a file for this branch. */
export const trick: Trick = {
  plant({ folder, program }) {
    write(folder, 'settings', `[core]\n\tfsmonitor = ${program}\n`)
    gitIn(folder, 'config', 'includeIf.onbranch:**.path', '../settings')
  },
  originalFalls: true,
}
