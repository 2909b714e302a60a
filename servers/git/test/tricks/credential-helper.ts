import { gitIn } from '../repositories.ts'
import type { Trick } from '../trick.ts'

/** A program that is asked for passwords. */
export const trick: Trick = {
  plant({ folder, program }) {
    gitIn(folder, 'config', 'credential.helper', `!${program}`)
    gitIn(folder, 'config', 'core.askPass', program)
    gitIn(folder, 'remote', 'add', 'origin', 'http://127.0.0.1:1/x.git')
  },
  calls: [
    ['git_fetch', {}],
    ['git_push', { branch: 'main' }],
  ],
  originalFalls: false,
}
