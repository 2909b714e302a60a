// The packages and megabytes of `npm install` of a library, in a folder of its own.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { drive } from '../lib/driver.mjs'

await drive(async ({ adapter }) => {
  const { packages } = await import(pathToFileURL(adapter).href)
  const figures = tryInstall(packages)
  if (figures === undefined) return { unavailable: `${packages.join(', ')} cannot be installed` }
  return { sample: async ({ figure }) => ({ value: figures[figure] }), close() {} }
})

function tryInstall(packages) {
  try {
    return install(packages)
  } catch {
    return undefined
  }
}

function install(packages) {
  const folder = mkdtempSync(join(tmpdir(), 'bench-install-'))
  try {
    const npm = (...args) =>
      execFileSync('npm', [...args, '--loglevel=error'], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] })
    writeFileSync(join(folder, 'package.json'), '{ "private": true }\n')
    const targets = packages.map((target) => (target.startsWith('/') ? pack(npm, target) : target))
    npm('install', '--no-audit', '--no-fund', '--ignore-scripts', ...targets)
    const lock = JSON.parse(readFileSync(join(folder, 'node_modules', '.package-lock.json'), 'utf8'))
    return { packages: Object.keys(lock.packages).length, megabytes: bytesIn(join(folder, 'node_modules')) / 1e6 }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** A folder as the archive that would be published. */
const pack = (npm, folder) => `./${npm('pack', folder).toString().trim().split('\n').at(-1)}`

function bytesIn(folder) {
  let sum = 0
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (entry.isFile()) sum += statSync(join(entry.parentPath ?? entry.path, entry.name)).size
  }
  return sum
}
