import { gitIn, write } from '../repositories.ts'
import type { Trick } from '../trick.ts'

/** A second config file, for this working tree only. */
export const trick: Trick = {
  plant({ folder, program }) {
    gitIn(folder, 'config', 'extensions.worktreeConfig', 'true')
    write(folder, '.git/config.worktree', `[core]\n\tfsmonitor = ${program}\n`)
  },
  originalFalls: true,
}
