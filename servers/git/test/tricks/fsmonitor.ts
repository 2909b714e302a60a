import { gitIn } from '../repositories.ts'
import type { Trick } from '../trick.ts'

/** Git asks this program for changed files, with every status and diff. */
export const trick: Trick = {
  plant: ({ folder, program }) => void gitIn(folder, 'config', 'core.fsmonitor', program),
  originalFalls: true,
}
