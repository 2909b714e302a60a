// The peers, in the versions of interop/peers/package-lock.json. Nothing else in the repository installs them.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('../peers/', import.meta.url))

/** Installs the peers if they are missing. Fails if that fails: an untested peer has not passed. */
export function preparePeers(peers, say) {
  if (!isUpToDate()) {
    say('installing the peers (interop/peers)')
    const options = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
    execFileSync('npm', options, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
  }
  const there = peers.filter((peer) => hasToolchain(peer, say))
  for (const { name, packages = [] } of there) {
    const missing = packages.find((one) => versionOf(one) === undefined)
    if (missing) throw new Error(`${name}: ${missing} is not installed in interop/peers`)
  }
  return there
}

/** A peer in another language is skipped by name where its toolchain is missing. */
function hasToolchain({ name, prepare }, say) {
  const missing = prepare?.(say)
  if (missing !== undefined) say(`${name} is skipped: ${missing}`)
  return missing === undefined
}

function isUpToDate() {
  const installed = join(folder, 'node_modules', '.package-lock.json')
  return existsSync(installed) && statSync(installed).mtimeMs >= statSync(join(folder, 'package-lock.json')).mtimeMs
}

/** The installed version of a package among the peers. */
export function versionOf(name) {
  const manifest = join(folder, 'node_modules', name, 'package.json')
  return existsSync(manifest) ? JSON.parse(readFileSync(manifest, 'utf8')).version : undefined
}
