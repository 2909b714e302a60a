import { gitIn, write } from '../repositories.ts'
import type { Trick } from '../trick.ts'

/** The attributes are in a file that the config names. */
export const trick: Trick = {
  plant({ folder, program }) {
    write(folder, 'list', '*.txt filter=evil\n')
    gitIn(folder, 'config', 'core.attributesFile', `${folder}/list`)
    gitIn(folder, 'config', 'filter.evil.clean', program)
  },
  originalFalls: true,
}
