// The packages that are published, and their tarballs.
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Every package that is published: its name, and its folder in the repository. */
export const published = ['packages', 'servers'].flatMap((group) =>
  readdirSync(join(root, group)).map((name) => {
    const folder = `${group}/${name}`
    return { folder, name: JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')).name }
  }),
)

/** Some of them by name, and those that they depend on. */
export function withDependencies(names) {
  const found = new Set()
  const add = (name) => {
    const own = published.find((one) => one.name === name)
    if (own === undefined || found.has(own)) return
    found.add(own)
    const { dependencies = {} } = JSON.parse(readFileSync(join(root, own.folder, 'package.json'), 'utf8'))
    for (const dependency of Object.keys(dependencies)) add(dependency)
  }
  for (const name of names) add(name)
  return [...found]
}

/**
 * Packs packages into a folder, as built: `build: true` has npm build them first, as for a release. Several builds
 * at once would disturb each other, so tests pack the build that they test.
 */
export async function pack(packages, destination, { build = false } = {}) {
  const args = ['pack', '--json', '--pack-destination', destination, ...(build ? [] : ['--ignore-scripts'])]
  const workspaces = packages.flatMap(({ folder }) => ['--workspace', folder])
  const { stdout } = await promisify(execFile)('npm', [...args, ...workspaces], { cwd: root, maxBuffer: 2 ** 26 })
  const packed = Object.values(JSON.parse(stdout))
  return packages.map(({ folder, name }) => {
    const { filename, files } = packed.find((one) => one.name === name)
    return { folder, name, path: join(destination, filename), files: files.map(({ path }) => path) }
  })
}
