import { copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { gitIn } from '../repositories.ts'
import type { Trick } from '../trick.ts'

/** Hooks in a tracked folder, named by the config. */
export const trick: Trick = {
  plant({ folder, program }) {
    mkdirSync(join(folder, 'tools'))
    for (const name of ['pre-commit', 'post-checkout', 'post-index-change', 'fsmonitor-watchman']) {
      copyFileSync(program, join(folder, 'tools', name))
    }
    gitIn(folder, 'config', 'core.hooksPath', 'tools')
  },
  originalFalls: true,
}
