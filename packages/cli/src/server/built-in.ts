import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { ProcessTarget } from '@tenon/sdk/client'

/** The name of the server that comes with this package; a server of that name in a config file goes before it. */
export const builtInName = 'everything'

/** The program of the server that comes with this package, for examples and first tries. */
export function builtInTarget(): ProcessTarget {
  const manifest = createRequire(import.meta.url).resolve('@tenon/server-everything/package.json')
  return { command: process.execPath, args: [join(dirname(manifest), 'bin', 'everything.js')] }
}
