import { ErrorCode } from '@tenon/sdk/client'
import { RequestProblem, toProblem } from '../problem.ts'
import type { Problem } from '../protocol.ts'
import { revisionsWithTasks } from '../revisions.ts'

/** Why a request about a task failed, with a hint for a person. */
export function taskProblem(thrown: unknown): Problem {
  const problem = toProblem(thrown)
  const hint = problem.hint ?? hintFor(problem)
  return hint === undefined ? problem : { ...problem, hint }
}

function hintFor({ kind, code }: Problem): string | undefined {
  if (kind === 'protocol' && code === ErrorCode.InvalidParams) {
    return 'The server does not know this task. Its time to live may be over, or the server was started anew and has forgotten it.'
  }
  if (code === 'unsupported') {
    return `Tasks exist in ${revisionsWithTasks.join(' and ')}. The server has to declare them.`
  }
  if (kind === 'timeout') return 'It may never end. Cancel it, or follow it again.'
  return undefined
}

/** The same as an error, for the answer to a command. */
export class TaskProblem extends RequestProblem {
  override readonly problem: Problem

  constructor(problem: Problem) {
    super(problem.message)
    this.name = 'TaskProblem'
    this.problem = problem
  }
}
