import { gitIn } from '../repositories.ts'
import type { Trick } from '../trick.ts'

/** Programs for the other side of a transfer, and another transport. */
export const trick: Trick = {
  plant({ folder, program, outside }) {
    gitIn(folder, 'remote', 'add', 'origin', outside)
    gitIn(folder, 'config', 'remote.origin.uploadpack', program)
    gitIn(folder, 'config', 'remote.origin.receivepack', program)
    gitIn(folder, 'config', 'remote.origin.vcs', 'ext')
  },
  calls: [
    ['git_fetch', {}],
    ['git_push', { branch: 'main' }],
  ],
  originalFalls: false,
}
