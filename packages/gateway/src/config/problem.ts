/** Something that is wrong with a configuration. */
export interface ConfigProblem {
  /** The members that lead to it. */
  readonly path: readonly (string | number)[]
  readonly message: string
  /** Where it is in the file, from 1. */
  readonly line?: number
  readonly column?: number
}

/** A configuration that cannot be used. The message has all problems, and no values: they may be secrets. */
export class GatewayConfigError extends Error {
  readonly problems: readonly ConfigProblem[]
  readonly file: string | undefined

  constructor(problems: readonly ConfigProblem[], file?: string) {
    super(problems.map((problem) => showProblem(problem, file)).join('\n'))
    this.name = 'GatewayConfigError'
    this.problems = problems
    this.file = file
  }
}

/** `gateway.yaml:3:5: servers.team: expected an object`. */
export function showProblem({ path, message, line, column }: ConfigProblem, file?: string): string {
  const place = [file, line, column].filter((part) => part !== undefined).join(':')
  return [place, path.join('.'), message].filter((part) => part !== '').join(': ')
}
