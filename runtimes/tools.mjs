// The runtimes and their drivers, in exact versions, apart from the dependencies of the repository.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { findChromium } from '../scripts/programs.mjs'

const folder = fileURLToPath(new URL('./.tools/', import.meta.url))
const versions = { bun: '1.4.4', deno: '2.9.6', 'playwright-core': '1.65.0' }
/** The oldest Node that the packages run on, and the newest ones. */
const nodes = ['20.19.0', '22.23.3', '24.21.0']

/** The executable of an npm package, which is installed if it is missing. */
export function executable(name) {
  install(name)
  return join(folder, 'node_modules', '.bin', name)
}

/** The releases of Node that the packages are tried on, from the packages that `node` of npm consists of. */
export function nodeExecutables() {
  const system = process.platform === 'win32' ? 'win' : process.platform
  const all = nodes.map((version) => ({ name: `node-${version}`, version }))
  const missing = all.filter(({ name, version }) => installedVersion(name) !== version)
  const alias = ({ name, version }) => `${name}@npm:node-${system}-${process.arch}@${version}`
  if (missing.length > 0) installAll(missing.map(alias))
  const file = process.platform === 'win32' ? 'bin/node.exe' : 'bin/node'
  return all.map(({ name, version }) => ({ name, version, path: join(folder, 'node_modules', name, file) }))
}

/** The browser type to launch, from playwright-core, which is installed if it is missing. */
export async function browserType() {
  install('playwright-core')
  const path = createRequire(join(folder, 'package.json')).resolve('playwright-core')
  const { chromium, default: all } = await import(pathToFileURL(path).href)
  return chromium ?? all.chromium
}

/** The path of Chromium, which is installed if it is missing and may be; otherwise advice, as `missing`. */
export function installedChromium() {
  const found = findChromium()
  if (found) return { path: found }
  const missing = 'no Chromium: run `apt-get install chromium`, or set CHROMIUM to its path'
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return { missing }
  try {
    say('installing Chromium with apt-get')
    apt('update')
    apt('install', '--yes', '--no-install-recommends', 'chromium')
  } catch (error) {
    return { missing: `${missing} (apt-get failed: ${error.message.split('\n')[0]})` }
  }
  const installed = findChromium()
  return installed ? { path: installed } : { missing }
}

function install(name) {
  const version = versions[name]
  if (installedVersion(name) !== version) installAll([`${name}@${version}`])
}

function installAll(specs) {
  say(`installing ${specs.join(' ')}`)
  mkdirSync(folder, { recursive: true })
  const manifest = join(folder, 'package.json')
  if (!existsSync(manifest)) writeFileSync(manifest, '{ "private": true }\n')
  const options = ['--save-exact', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error']
  execFileSync('npm', ['install', ...options, ...specs], { cwd: folder, stdio: quiet })
}

function installedVersion(name) {
  const manifest = join(folder, 'node_modules', name, 'package.json')
  if (!existsSync(manifest)) return undefined
  // Some releases of Node are published as `v20.19.0`.
  return JSON.parse(readFileSync(manifest, 'utf8')).version.replace(/^v/, '')
}

const quiet = ['ignore', 'ignore', 'inherit']
const say = (text) => console.error(`runtimes: ${text}`)

function apt(...args) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  execFileSync('apt-get', args, { env, stdio: ['ignore', 'ignore', 'pipe'] })
}
