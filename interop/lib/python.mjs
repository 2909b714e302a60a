// Environments for Python: those of the peers in interop/peers/python, each in the versions of a file.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const peers = fileURLToPath(new URL('../peers/python/', import.meta.url))
const isWindows = process.platform === 'win32'

/** The environment with the packages of `requirements<suffix>.txt`, in `.venv<suffix>` of the same folder. */
export function pythonEnvironment(suffix = '', folder = peers) {
  const environment = join(folder, `.venv${suffix}`)
  const requirements = join(folder, `requirements${suffix}.txt`)
  const stamp = join(environment, 'installed.txt')
  const python = join(environment, isWindows ? 'Scripts/python.exe' : 'bin/python')
  const wanted = () => readFileSync(requirements, 'utf8')
  const isBuilt = () => existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted()
  return {
    /** The interpreter of the environment. */
    python,
    isBuilt,
    /** Installs the peers if they are missing; the reason if there is no Python. Fails if the installation fails. */
    prepare(say) {
      if (isBuilt()) return undefined
      const program = isWindows ? 'python' : 'python3'
      if (!isThere(program)) return `${program} is not installed`
      say(`installing the peers in Python (${environment})`)
      const quietly = { stdio: ['ignore', 'ignore', 'inherit'] }
      const install = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '-r', requirements]
      execFileSync(program, ['-m', 'venv', environment], quietly)
      execFileSync(python, install, quietly)
      writeFileSync(stamp, wanted())
      return undefined
    },
    versionOf(name) {
      const line = wanted()
        .split('\n')
        .find((one) => one.startsWith(`${name}==`))
      return line?.split('==')[1]
    },
  }
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
