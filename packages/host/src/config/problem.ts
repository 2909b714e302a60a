/**
 * The kind of a problem.
 *
 * - `unreadable`: the file exists but cannot be read
 * - `too_large`: the file, its nesting or its number of entries is above a limit
 * - `syntax`: the text is not JSON, TOML or YAML
 * - `shape`: a member has the wrong type
 * - `unsupported`: an entry that only its host can use
 * - `ignored`: a member that means nothing here
 * - `not_run`: a program that the host would run to find a value; nothing is run here
 * - `lost`: the other host cannot say it
 * - `exists`: the file has another server of that name
 * - `not_written`: the file cannot be changed safely: a link, a file of somebody else, one that may not be written
 */
export type ProblemCode =
  | 'unreadable'
  | 'too_large'
  | 'syntax'
  | 'shape'
  | 'unsupported'
  | 'ignored'
  | 'not_run'
  | 'lost'
  | 'exists'
  | 'not_written'

/** Something about a config file that its owner may want to know. Messages never contain values of the file. */
export interface Problem {
  code: ProblemCode
  message: string
  /** The members that lead to it. */
  path?: readonly (string | number)[]
  file?: string
  /** From 1. */
  line?: number
  /** From 1. */
  column?: number
}

/** An entry that cannot be used here; `problem` says why. */
export class ConfigError extends Error {
  readonly problem: Problem

  constructor(problem: Problem, options?: ErrorOptions) {
    super(describeProblem(problem), options)
    this.name = 'ConfigError'
    this.problem = problem
  }
}

/** A problem as one line: `file:line:column: member.member: message`. */
export function describeProblem({ file, line, column, path, message }: Problem): string {
  const place = [file, line, column].filter((part) => part !== undefined).join(':')
  return [place, path === undefined || path.length === 0 ? '' : describePath(path), message]
    .filter((part) => part !== '')
    .join(': ')
}

/** `mcpServers.github.args[0]`; names that are more than a word are quoted. */
export function describePath(path: readonly (string | number)[]): string {
  return path
    .map((step, index) => {
      if (typeof step === 'number') return `[${step}]`
      if (!/^[\w$-]+$/.test(step)) return `[${JSON.stringify(step)}]`
      return index === 0 ? step : `.${step}`
    })
    .join('')
}

/** The type of a value, for messages that must not contain the value. */
export function describeType(value: unknown): string {
  if (value === null || value === undefined) return 'nothing'
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
