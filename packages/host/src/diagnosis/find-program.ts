import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { delimiter, isAbsolute, join, resolve } from 'node:path'
import { type Finding, failed, ok } from './step.ts'

/** A program, as it is to be started. */
export interface ProgramSubject {
  command: string
  cwd?: string | undefined
  env?: { readonly [name: string]: string | undefined } | undefined
}

/** Finds the file of a program, without starting it. */
export async function findProgram({ command, cwd, env }: ProgramSubject): Promise<Finding> {
  if (cwd !== undefined && !(await isFolder(cwd))) {
    return failed(`The working directory ${cwd} does not exist`, 'Correct the working directory of the server.')
  }
  const places = isPath(command)
    ? [resolve(cwd ?? '.', command)]
    : (env?.PATH ?? process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, command))
  for (const place of places) if (await isExecutable(place)) return ok(place)
  if (/\s/.test(command)) {
    return failed(`There is no program named "${command}"`, 'Put the program alone first, and the rest into arguments.')
  }
  return failed(
    `${command} was not found in ${isPath(command) ? places[0] : `the ${places.length} folders of PATH`}`,
    'Install it, or give its full path. Programs that a shell sets up, as nvm does, are often missing from PATH.',
  )
}

const isPath = (command: string): boolean => isAbsolute(command) || /[/\\]/.test(command)

const isFolder = async (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )

const isExecutable = async (path: string): Promise<boolean> =>
  access(path, constants.X_OK).then(
    () => stat(path).then((found) => found.isFile()),
    () => false,
  )
