import { gitIn } from '../repositories.ts'
import type { Trick } from '../trick.ts'

/** A command that lists the refs of another object store. */
export const trick: Trick = {
  plant: ({ folder, program }) => void gitIn(folder, 'config', 'core.alternateRefsCommand', program),
  originalFalls: false,
}
