import { type Finding, failed, findProgram, ok, type Step, warned } from '@tenon/host/diagnosis'
import type { CommandSpec } from '../protocol.ts'
import type { DiagnosisSubject } from './diagnose.ts'

/** The steps to a process. It is not started again: the result of the last start is enough. */
export function commandSteps(spec: CommandSpec, subject: DiagnosisSubject): Step[] {
  return [
    { name: 'command', title: 'Program', run: () => findProgram(spec) },
    { name: 'spawn', title: 'Start', run: () => lookAtStart(subject) },
    { name: 'version', title: 'Handshake', run: () => lookAtHandshake(subject) },
  ]
}

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
