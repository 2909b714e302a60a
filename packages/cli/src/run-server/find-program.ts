import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Finds the program of an installed package, in the `node_modules` of a folder or of one around it. */
export function findPackageProgram(packageName: string, folder: string): string | undefined {
  const place = join(folder, 'node_modules', packageName)
  const manifest = readManifest(join(place, 'package.json'))
  if (manifest !== undefined) {
    const [program] = Object.values(manifest.bin ?? {})
    return program === undefined ? undefined : join(place, program)
  }
  const parent = dirname(folder)
  return parent === folder ? undefined : findPackageProgram(packageName, parent)
}

function readManifest(file: string): { bin?: { [name: string]: string } } | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as { bin?: { [name: string]: string } }
  } catch {
    return undefined
  }
}
