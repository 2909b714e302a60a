// Finds programs that this repository runs but does not install.
import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

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
