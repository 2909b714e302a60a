import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The main program of a package. To be looked up at start: the first run installs the package. */
export function mainOf(name) {
  const folder = new URL(`../node_modules/${name}/`, import.meta.url)
  const { bin } = JSON.parse(readFileSync(new URL('package.json', folder), 'utf8'))
  return fileURLToPath(new URL(typeof bin === 'string' ? bin : Object.values(bin)[0], folder))
}
