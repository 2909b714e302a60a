import { gitIn, write } from '../repositories.ts'
import type { Trick } from '../trick.ts'

/** A command that would update a submodule. */
export const trick: Trick = {
  plant({ folder, program }) {
    write(folder, '.gitmodules', '[submodule "inner"]\n\tpath = inner\n\turl = ./inner\n\tupdate = !true\n')
    gitIn(folder, 'config', 'submodule.inner.update', `!${program}`)
    gitIn(folder, 'config', 'submodule.recurse', 'true')
  },
  originalFalls: false,
}
