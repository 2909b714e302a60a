// The peers, in the versions of bench/peers/package-lock.json. Nothing else in the repository installs them.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { implementations } from './implementations.mjs'

const folder = fileURLToPath(new URL('../peers/', import.meta.url))

/** Installs the peers if they are missing; returns those of `names` that can be measured, and reports the others. */
export function preparePeers(names, say) {
  if (!isUpToDate()) {
    say('installing the peers (bench/peers)')
    try {
      const options = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
      execFileSync('npm', options, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
    } catch {
      say('npm could not install the peers: going on with what is there')
    }
  }
  return names.filter((name) => {
    const missing = packagesOf(name).find((one) => versionOf(one) === undefined)
    if (missing) say(`${name} is left out: ${missing} is not installed`)
    return missing === undefined
  })
}

function isUpToDate() {
  const installed = join(folder, 'node_modules', '.package-lock.json')
  return existsSync(installed) && statSync(installed).mtimeMs >= statSync(join(folder, 'package-lock.json')).mtimeMs
}

const packagesOf = (name) => implementations.find((one) => one.name === name).packages

/** The installed version of a package among the peers. */
export function versionOf(name) {
  const manifest = join(folder, 'node_modules', name, 'package.json')
  return existsSync(manifest) ? JSON.parse(readFileSync(manifest, 'utf8')).version : undefined
}

/** `2.4.0` for each peer that is installed. */
export function peerVersions() {
  const known = implementations.filter(({ packages }) => packages && versionOf(packages[0]))
  return Object.fromEntries(known.map(({ name, packages }) => [name, versionOf(packages[0])]))
}
