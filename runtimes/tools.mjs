// The runtimes and their drivers, in exact versions, apart from the dependencies of the repository.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { findChromium } from '../scripts/programs.mjs'

const folder = fileURLToPath(new URL('./.tools/', import.meta.url))
const versions = { bun: '1.4.4', deno: '2.9.6', 'playwright-core': '1.65.0' }

/** The executable of an npm package, which is installed if it is missing. */
export function executable(name) {
  install(name)
  return join(folder, 'node_modules', '.bin', name)
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
  if (installedVersion(name) === version) return
  say(`installing ${name}@${version}`)
  mkdirSync(folder, { recursive: true })
  const manifest = join(folder, 'package.json')
  if (!existsSync(manifest)) writeFileSync(manifest, '{ "private": true }\n')
  const options = ['--save-exact', '--no-audit', '--no-fund', '--loglevel=error']
  execFileSync('npm', ['install', ...options, `${name}@${version}`], { cwd: folder, stdio: quiet })
}

function installedVersion(name) {
  const manifest = join(folder, 'node_modules', name, 'package.json')
  return existsSync(manifest) ? JSON.parse(readFileSync(manifest, 'utf8')).version : undefined
}

const quiet = ['ignore', 'ignore', 'inherit']
const say = (text) => console.error(`runtimes: ${text}`)

function apt(...args) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  execFileSync('apt-get', args, { env, stdio: ['ignore', 'ignore', 'pipe'] })
}
