import { gitIn, write } from '../repositories.ts'
import type { Trick } from '../trick.ts'

/** A program that merges files, when stashed changes come back. */
export const trick: Trick = {
  plant({ folder, program }) {
    write(folder, '.git/info/attributes', '*.txt merge=evil\n')
    gitIn(folder, 'config', 'merge.evil.driver', program)
    gitIn(folder, 'config', 'merge.default', 'evil')
    write(folder, 'a.txt', 'stashed\n')
    gitIn(folder, 'stash', 'push', '--quiet')
    write(folder, 'a.txt', 'other\n')
    gitIn(folder, 'commit', '--quiet', '--all', '--message=other')
  },
  calls: [['git_stash_apply', {}]],
  originalFalls: false,
}
