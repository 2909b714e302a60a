import { copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Trick } from '../trick.ts'

/** A hook in the repository. */
export const trick: Trick = {
  plant({ folder, program }) {
    mkdirSync(join(folder, '.git/hooks'), { recursive: true })
    copyFileSync(program, join(folder, '.git/hooks/post-checkout'))
  },
  originalFalls: true,
}
