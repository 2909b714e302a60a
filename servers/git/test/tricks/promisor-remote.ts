import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { gitIn } from '../repositories.ts'
import type { Trick } from '../trick.ts'

/** A missing object that git would fetch on its own, from an address that is a command. */
export const trick: Trick = {
  plant({ folder, program }) {
    gitIn(folder, 'config', 'protocol.ext.allow', 'always')
    gitIn(folder, 'config', 'extensions.partialClone', 'origin')
    gitIn(folder, 'config', 'core.repositoryFormatVersion', '1')
    gitIn(folder, 'config', 'remote.origin.url', `ext::${program}`)
    gitIn(folder, 'config', 'remote.origin.promisor', 'true')
    const blob = gitIn(folder, 'rev-parse', 'HEAD:a.txt').trim()
    rmSync(join(folder, '.git/objects', blob.slice(0, 2), blob.slice(2)), { force: true })
  },
  calls: [
    ['git_show', { revision: 'HEAD:a.txt' }],
    ['git_read_file', { path: 'a.txt' }],
  ],
  originalFalls: true,
}
