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
  /** The tool returned an error. */
  ToolError: 5,
  /** The server answered with an error. */
  Refused: 6,
  /** No answer in time. */
  Timeout: 7,
  /** The result differs from the expected one: `test`, `diff`. */
  Different: 8,
  /** A limit was reached before the answer was complete: `chat`. */
  Limit: 9,
  /** Ctrl-C. */
  Interrupted: 130,
} as const

export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode]

/** An exit code for scripts and agents: its meaning, and the next step where an error has no hint of its own. */
interface ExitCodeRow {
  code: ExitCode
  meaning: string
  hint: string
}

/** Every exit code. `tenon help --json`, `tenon skill` and `docs/cli/README.md` have this table. */
export const exitCodes: readonly ExitCodeRow[] = [
  { code: ExitCode.Ok, meaning: 'it worked', hint: '' },
  {
    code: ExitCode.Failed,
    meaning: 'something failed that should not',
    hint: 'Run it again with --verbose, which shows every message and the stack.',
  },
  {
    code: ExitCode.Usage,
    meaning: 'the command line, a file or an argument is not as it has to be; nothing was called',
    hint: 'Change the command line: tenon help <command> shows its usage.',
  },
  {
    code: ExitCode.Unreachable,
    meaning: 'the server could not be started or reached, or the connection ended',
    hint: 'Check the program or the URL; --verbose shows its messages and standard error.',
  },
  {
    code: ExitCode.Unauthorized,
    meaning: 'the server wants credentials',
    hint: 'Log in with `tenon auth login <target>`, or give --header "Authorization: …".',
  },
  {
    code: ExitCode.ToolError,
    meaning: 'the tool returned an error',
    hint: 'The content of the result says why: change the arguments, or try something else.',
  },
  {
    code: ExitCode.Refused,
    meaning: 'the server answered with an error',
    hint: 'The message is of the server; `tenon info` shows its capabilities, --verbose the messages.',
  },
  {
    code: ExitCode.Timeout,
    meaning: 'no answer in time',
    hint: 'Wait longer with --timeout, for example --timeout 5m.',
  },
  {
    code: ExitCode.Different,
    meaning: 'the result differs from the expected one',
    hint: 'The output shows each difference.',
  },
  {
    code: ExitCode.Limit,
    meaning: 'a limit was reached before the answer was complete',
    hint: 'Raise it: --max-steps, --max-tokens.',
  },
  { code: ExitCode.Interrupted, meaning: 'Ctrl-C', hint: 'Run it again if that was a mistake.' },
]

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
