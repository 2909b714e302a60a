import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A folder of its own for a server that works on files. */
export function scratchFolder() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'interop-')))
  mkdirSync(join(folder, 'project'))
  writeFileSync(join(folder, 'motto.txt'), 'Measure twice\n')
  return { folder, cleanUp: () => rmSync(folder, { recursive: true, force: true }) }
}
