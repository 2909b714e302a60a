import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The file that a package runs as a program; the package may not be installed yet. */
export function mainOf(name) {
  const folder = new URL(`../node_modules/${name}/`, import.meta.url)
  try {
    const { bin } = JSON.parse(readFileSync(new URL('package.json', folder), 'utf8'))
    return fileURLToPath(new URL(typeof bin === 'string' ? bin : Object.values(bin)[0], folder))
  } catch {
    return fileURLToPath(folder)
  }
}
