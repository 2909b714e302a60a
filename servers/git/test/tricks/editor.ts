import { gitIn } from '../repositories.ts'
import type { Trick } from '../trick.ts'

/** A program that edits messages. */
export const trick: Trick = {
  plant({ folder, program }) {
    gitIn(folder, 'config', 'core.editor', program)
    gitIn(folder, 'config', 'sequence.editor', program)
  },
  originalFalls: false,
}
