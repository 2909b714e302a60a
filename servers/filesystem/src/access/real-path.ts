import { realpath } from 'node:fs'
import { promisify } from 'node:util'

/** The path without symbolic links, with the letters as they are on the disk: asked of the system, not of Node. */
export const realPathOf: (path: string) => Promise<string> = promisify(realpath.native)
