// The peers: packages in the versions of bench/peers/package-lock.json, which nothing else in the repository installs,
// and programs in other languages.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { implementation, implementations } from './implementations.mjs'

const folder = fileURLToPath(new URL('../peers/', import.meta.url))

/** Installs and builds the peers if they are missing; returns those of `names` that can be measured, and reports the others. */
export function preparePeers(names, say) {
  if (names.some((name) => implementation(name).packages) && !isUpToDate()) install(say)
  return names.filter((name) => {
    const reason = reasonAgainst(implementation(name), say)
    if (reason !== undefined) say(`${name} is left out: ${reason}`)
    return reason === undefined
  })
}

function install(say) {
  say('installing the peers (bench/peers)')
  try {
    const options = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
    execFileSync('npm', options, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
  } catch {
    say('npm could not install the peers: going on with what is there')
  }
}

function reasonAgainst({ packages = [], toolchain }, say) {
  const missing = packages.find((one) => versionOf(one) === undefined)
  if (missing) return `${missing} is not installed`
  if (toolchain === undefined) return undefined
  if (process.platform !== 'linux') return 'the CPU time of other programs is read from /proc, which only Linux has'
  try {
    return toolchain.prepare(say)
  } catch (error) {
    return `it could not be built: ${error.message}`
  }
}

function isUpToDate() {
  const installed = join(folder, 'node_modules', '.package-lock.json')
  return existsSync(installed) && statSync(installed).mtimeMs >= statSync(join(folder, 'package-lock.json')).mtimeMs
}

/** The installed version of a package among the peers. */
function versionOf(name) {
  const manifest = join(folder, 'node_modules', name, 'package.json')
  return existsSync(manifest) ? JSON.parse(readFileSync(manifest, 'utf8')).version : undefined
}

/** `2.4.0` for each peer that is there. */
export function peerVersions() {
  const versions = implementations.map(({ name, packages, toolchain }) => [
    name,
    packages ? versionOf(packages[0]) : toolchain?.isBuilt() ? toolchain.version() : undefined,
  ])
  return Object.fromEntries(versions.filter(([, version]) => version !== undefined))
}
