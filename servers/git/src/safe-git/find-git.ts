import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'

/**
 * The absolute path of git. Relative entries of `PATH` are left out, and so is the search of Windows in the working
 * folder: a repository could hold a program of that name.
 */
export function findGit(searchPath: string = process.env.PATH ?? ''): string | undefined {
  const name = process.platform === 'win32' ? 'git.exe' : 'git'
  return searchPath
    .split(delimiter)
    .filter((folder) => isAbsolute(folder))
    .map((folder) => join(folder, name))
    .find(isProgram)
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}
