import { gitIn } from '../repositories.ts'
import type { Trick } from '../trick.ts'

/** A program in place of ssh. */
export const trick: Trick = {
  plant({ folder, program }) {
    gitIn(folder, 'config', 'core.sshCommand', program)
    gitIn(folder, 'config', 'core.gitProxy', program)
    gitIn(folder, 'remote', 'add', 'origin', 'ssh://127.0.0.1:1/x.git')
  },
  calls: [
    ['git_fetch', {}],
    ['git_push', { branch: 'main' }],
  ],
  originalFalls: false,
}
