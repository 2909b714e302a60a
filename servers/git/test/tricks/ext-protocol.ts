import { gitIn } from '../repositories.ts'
import type { Trick } from '../trick.ts'

/** An address that is a command. */
export const trick: Trick = {
  plant({ folder, program }) {
    gitIn(folder, 'config', 'protocol.ext.allow', 'always')
    gitIn(folder, 'config', 'protocol.allow', 'always')
    gitIn(folder, 'remote', 'add', 'origin', `ext::${program}`)
    gitIn(folder, 'config', 'url.ext::evil.insteadOf', 'https:')
  },
  calls: [
    ['git_fetch', {}],
    ['git_push', { branch: 'main' }],
    ['git_clone', { url: 'ext::sh -c true', folder: 'x' }],
  ],
  originalFalls: false,
}
