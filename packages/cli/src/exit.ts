/** The exit codes of the command. Stable: scripts depend on them, and `docs/cli/README.md` lists them. */
export const ExitCode = {
  Ok: 0,
  /** Something that should not happen. */
  Failed: 1,
  /** The command line, a file or an argument is not as it has to be; nothing was sent. */
  Usage: 2,
  /** The server could not be started or reached, or the connection ended. */
  Unreachable: 3,
  /** The server wants credentials. */
  Unauthorized: 4,
  /** The tool ran and failed. */
  ToolError: 5,
  /** The server answered with an error. */
  Refused: 6,
  /** No answer in time. */
  Timeout: 7,
  /** The result differs from the expected one: `test`, `diff`. */
  Different: 8,
  /** Ctrl-C. */
  Interrupted: 130,
} as const

export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode]

/** A failure whose message is shown to the user as it is, with a hint for the next step. */
export class CommandFailure extends Error {
  readonly exitCode: ExitCode
  /** A word for scripts, such as `unknown_tool`. */
  readonly code: string
  readonly hint: string | undefined

  constructor(exitCode: ExitCode, code: string, message: string, hint?: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'Failure'
    this.exitCode = exitCode
    this.code = code
    this.hint = hint
  }
}

/** The command line is wrong. */
export const usage = (message: string, hint?: string): CommandFailure =>
  new CommandFailure(ExitCode.Usage, 'usage', message, hint)
