import { joinPath, type PathStep } from '../../json/path.ts'
import type { Place } from '../types.ts'

/** Something in a file of saved calls that is not right. */
export interface Problem extends Place {
  /** Such as `calls[2].expect.text`. */
  path: string
  message: string
}

/** A file of saved calls that cannot be used: every problem in it, with its place. */
export class CallsFileError extends Error {
  readonly file: string
  readonly problems: readonly Problem[]

  constructor(file: string, problems: readonly Problem[]) {
    super(problems.map(({ line, column, message }) => `${file}:${line}:${column}: ${message}`).join('\n'))
    this.name = 'CallsFileError'
    this.file = file
    this.problems = problems
  }
}

const maxProblems = 50

/** Collects problems, so that a person sees all of them at once. */
export class ProblemList {
  readonly found: Problem[] = []
  readonly #locate: (path: readonly PathStep[]) => Place

  constructor(locate: (path: readonly PathStep[]) => Place) {
    this.#locate = locate
  }

  add(path: readonly PathStep[], what: string): undefined {
    if (this.found.length >= maxProblems) return
    const name = joinPath(path)
    this.found.push({ ...this.#locate(path), path: name, message: name === '' ? what : `${name}: ${what}` })
  }
}
