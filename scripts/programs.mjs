// Finds programs that this repository runs but does not install.
import { accessSync, constants, existsSync, readdirSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'

/** The path of a program, as a shell would find it. */
export function findProgram(name) {
  const places = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, name))
  return places.find(isExecutable)
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** The path of Chromium: `CHROMIUM`, or the first that is installed. */
export function findChromium() {
  const named = process.env.CHROMIUM
  if (named && !existsSync(named)) throw new Error(`CHROMIUM: expected the path of a browser, got "${named}"`)
  return named || ['chromium', 'chromium-browser', 'google-chrome'].map(findProgram).find((path) => path !== undefined)
}

/** The folder with the programs of a PostgreSQL server: `POSTGRES_BIN`, that in PATH, or the newest that Debian installed. */
export function findPostgres() {
  const named = process.env.POSTGRES_BIN
  const isHere = (folder) => ['initdb', 'postgres'].every((name) => isExecutable(join(folder, name)))
  if (named && !isHere(named))
    throw new Error(`POSTGRES_BIN: expected a folder with initdb and postgres, got "${named}"`)
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : []
  const inPath = findProgram('initdb')
  const places = [named, inPath && dirname(inPath), ...versions.map((version) => join(debian, version, 'bin'))]
  return places.find((folder) => folder && isHere(folder))
}
