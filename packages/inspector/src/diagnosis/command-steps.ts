import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { delimiter, isAbsolute, join, resolve } from 'node:path'
import type { CommandSpec } from '../protocol.ts'
import type { DiagnosisSubject } from './diagnose.ts'
import { type Finding, failed, ok, type Step, warned } from './step.ts'

/** The steps to a process. It is not started again: the result of the last start is enough. */
export function commandSteps(spec: CommandSpec, subject: DiagnosisSubject): Step[] {
  return [
    { name: 'command', title: 'Program', run: () => findProgram(spec) },
    { name: 'spawn', title: 'Start', run: () => lookAtStart(subject) },
    { name: 'version', title: 'Handshake', run: () => lookAtHandshake(subject) },
  ]
}

async function findProgram({ command, cwd, env }: CommandSpec): Promise<Finding> {
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

function lookAtStart({ view, stderr }: DiagnosisSubject): Finding {
  const { status, problem } = view
  if (status === 'idle') return warned('Not started yet', 'Connect to start it.')
  if (status === 'connected' || status === 'connecting') return ok('The process is running')
  const message = problem?.message ?? 'It ended'
  if (problem?.code === 'spawn') return failed(message, 'Check the program, its arguments and its permissions.')
  if (problem?.code === 'closed' && /exited|ended/.test(message)) {
    const last = stderr.findLast((line) => line.trim() !== '')
    return failed(message, last === undefined ? 'It wrote nothing to standard error.' : `It said last: ${last}`)
  }
  return ok('The process was started')
}

function lookAtHandshake({ view }: DiagnosisSubject): Finding | undefined {
  const { status, problem, revision } = view
  if (status === 'connected') return ok(`Agreed on ${revision}`)
  if (status === 'idle' || status === 'connecting') return undefined
  return failed(
    problem?.message ?? 'There was no handshake',
    problem?.code === 'timeout'
      ? 'The process runs but does not answer. It may wait for something else on its input, or not be an MCP server.'
      : 'Look at what it wrote to standard output and standard error: only messages belong on standard output.',
  )
}
