import { join } from 'node:path'
import { gitIn, newRepository } from '../repositories.ts'
import type { Trick } from '../trick.ts'

/** Git looks for changes in a submodule by running git there, with the config of the submodule. */
export const trick: Trick = {
  plant({ folder, program }) {
    const inner = newRepository(join(folder, 'inner'))
    gitIn(folder, 'add', 'inner')
    gitIn(folder, 'commit', '--quiet', '--message=inner')
    gitIn(inner, 'config', 'core.fsmonitor', program)
  },
  calls: [['git_add', { files: ['inner'] }]],
  originalFalls: true,
}
