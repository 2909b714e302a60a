import { gitIn } from '../repositories.ts'
import type { Trick } from '../trick.ts'

/** Another meaning for the commands. Git ignores it for its own commands. */
export const trick: Trick = {
  plant({ folder, program }) {
    for (const name of ['status', 'diff', 'log', 'show', 'add']) gitIn(folder, 'config', `alias.${name}`, `!${program}`)
  },
  originalFalls: false,
}
