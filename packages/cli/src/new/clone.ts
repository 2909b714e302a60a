import { realpathSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packageFolder } from '../package-folder.ts'
import type { PackageManager } from './plan.ts'

type Dependencies = { [name: string]: string }

/** The clone of the repository that this command runs from; nothing if the command was installed. */
export async function findClone(): Promise<string | undefined> {
  const folder = resolve(fileURLToPath(new URL('../../', packageFolder)))
  try {
    const { name } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
    return name === 'tenon-repository' ? folder : undefined
  } catch {
    return undefined
  }
}

/**
 * The same dependencies as links to those of the clone, third parties included: a clone may be newer than the published
 * packages, or there are none yet, and a project with links is installed without a network.
 */
export const linkedTo = (clone: string, dependencies: Dependencies, manager: PackageManager): Dependencies =>
  Object.fromEntries(
    Object.entries(dependencies).map(([name, range]) => [
      name,
      linkTo(join(clone, 'node_modules', name), manager) ?? range,
    ]),
  )

function linkTo(folder: string, manager: PackageManager): string | undefined {
  try {
    // npm links a folder; for pnpm and Yarn `file:` is a copy, whose own dependencies would have to be published.
    return `${manager === 'pnpm' || manager === 'yarn' ? 'link' : 'file'}:${realpathSync(folder)}`
  } catch {
    return undefined
  }
}
