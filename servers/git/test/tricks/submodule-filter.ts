import { join } from 'node:path'
import { gitIn, newRepository, write } from '../repositories.ts'
import type { Trick } from '../trick.ts'

/** A filter of a submodule, which its status would run. */
export const trick: Trick = {
  plant({ folder, program }) {
    const inner = newRepository(join(folder, 'inner'))
    gitIn(folder, 'add', 'inner')
    gitIn(folder, 'commit', '--quiet', '--message=inner')
    write(inner, '.gitattributes', '* filter=evil\n')
    write(inner, 'a.txt', 'one\ntwo\nTHREE\n')
    gitIn(inner, 'config', 'filter.evil.clean', program)
  },
  originalFalls: true,
}
