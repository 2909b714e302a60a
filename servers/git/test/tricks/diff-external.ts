import { gitIn } from '../repositories.ts'
import type { Trick } from '../trick.ts'

/** A program that compares all files in place of git. */
export const trick: Trick = {
  plant: ({ folder, program }) => void gitIn(folder, 'config', 'diff.external', program),
  originalFalls: true,
}
