// Peers in Python: an environment of their own in interop/peers/python/.venv, in the versions of requirements.txt.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('../peers/python/', import.meta.url))
const environment = join(folder, '.venv')
const isWindows = process.platform === 'win32'
const requirements = join(folder, 'requirements.txt')
const stamp = join(environment, 'installed.txt')

/** The interpreter of the environment. */
export const python = join(environment, isWindows ? 'Scripts/python.exe' : 'bin/python')

/** Installs the peers if they are missing; the reason if there is no Python. Fails if the installation fails. */
export function preparePython(say) {
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === readFileSync(requirements, 'utf8')) return undefined
  const program = isWindows ? 'python' : 'python3'
  if (!isThere(program)) return `${program} is not installed`
  say('installing the peers in Python (interop/peers/python)')
  const quietly = { stdio: ['ignore', 'ignore', 'inherit'] }
  execFileSync(program, ['-m', 'venv', environment], quietly)
  execFileSync(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '-r', requirements], quietly)
  writeFileSync(stamp, readFileSync(requirements, 'utf8'))
  return undefined
}

/** Before 3.10 there is no version of the peers. */
function isThere(program) {
  try {
    execFileSync(program, ['-c', 'import sys, venv; sys.exit(sys.version_info < (3, 10))'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

export function pythonVersionOf(name) {
  const line = readFileSync(requirements, 'utf8')
    .split('\n')
    .find((one) => one.startsWith(`${name}==`))
  return line?.split('==')[1]
}
