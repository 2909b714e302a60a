import { type Command, type CommandCall, commonOptions } from './command.ts'
import { commandNames, loadCommand } from './commands.ts'
import { type CommandFailure, ExitCode, exitCodes, usage } from './exit.ts'
import { type Explained, explain } from './explain.ts'
import { didYouMean } from './line/did-you-mean.ts'
import { commandHelp, overview } from './line/help.ts'
import type { OptionTable, OptionValues } from './line/options.ts'
import { type ParsedLine, parseLine, parseLineToWord } from './line/parse.ts'
import type { SharedServer } from './server/connect.ts'
import type { connectionOptions } from './server/options.ts'
import { Output, type Streams } from './terminal/output.ts'
import { type Surroundings, Terminal } from './terminal/terminal.ts'
import { join, paragraph, say, type TerminalText } from './terminal/text.ts'
import { version } from './version.ts'

/** The streams, the variables and the folder of a process, or those of a test. */
interface RunEnvironment extends Streams {
  env: NodeJS.ProcessEnv
  cwd: string
}

/** Runs a command line; answers the exit code and never throws. */
export async function run(
  argv: readonly string[],
  { stdin, stdout, stderr, env, cwd }: RunEnvironment,
  signal: AbortSignal,
): Promise<number> {
  const surroundings: Surroundings = { stdin, output: new Output({ stdin, stdout, stderr }), env, cwd }
  const json = argv.slice(0, endOf(argv)).includes('--json')
  const [first, ...rest] = argv
  const plainTerminal = new Terminal(surroundings, { json })
  try {
    if (first === undefined || first === 'help' || first === '--help' || first === '-h') {
      return await help(
        rest.find((word) => !word.startsWith('-')),
        plainTerminal,
        json,
      )
    }
    if (first === '__complete') {
      await (await import('./complete/shell.ts')).completeForShell(rest, surroundings)
      return ExitCode.Ok
    }
    if (first === '__keep') {
      await (await import('./keep/run-keeper.ts')).runKeeper(rest, surroundings, signal)
      return ExitCode.Ok
    }
    if (first === '--version' || first === '-V') {
      plainTerminal.line(say`${version}`)
      return ExitCode.Ok
    }
    return await runCommand(await commandOf(first), rest, surroundings, signal)
  } catch (thrown) {
    return fail(explain(thrown), { command: first }, plainTerminal, json)
  }
}

const endOf = (argv: readonly string[]): number => (argv.includes('--') ? argv.indexOf('--') : argv.length)

async function commandOf(name: string): Promise<Command> {
  const found = await loadCommand(name)
  if (found) return found
  if (name.startsWith('-')) throw usage(`Expected a command before ${name}`, 'See tenon --help.')
  throw usage(`Unknown command ${JSON.stringify(name)}`, didYouMean(name, commandNames()) ?? 'See tenon --help.')
}

async function help(name: string | undefined, terminal: Terminal, json: boolean): Promise<number> {
  const found = name === undefined ? undefined : await commandOf(name)
  if (json) {
    const { describeCommand, describeProgram } = await import('./line/help-json.ts')
    const result = found ? describeCommand(found) : await describeProgram()
    terminal.json({ ok: true, command: 'help', result })
  } else terminal.print(found ? commandHelp(found, terminal) : overview(terminal))
  return ExitCode.Ok
}

/** Runs one command, with a connection of its own or a shared one. */
export async function runCommand(
  command: Command,
  argv: readonly string[],
  surroundings: Surroundings,
  signal: AbortSignal,
  shared?: SharedServer,
): Promise<number> {
  const own = shared ? await withoutConnection(command.options) : command.options
  const table: OptionTable = { ...own, ...commonOptions }
  const line = command.wordEndsOptions ? parseLineToWord(argv, table) : parseLine(argv, table)
  const options = withDefaults(line, table)
  const terminal = new Terminal(surroundings, options)
  if (options.help) return await help(command.name, terminal, options.json)
  const call = new Call(command.name, line, options, terminal, signal, shared)
  const tell = (): void => terminal.note(say`Cancelling. Press Ctrl-C again to quit at once.`)
  if (terminal.isRead && !command.goesOn) signal.addEventListener('abort', tell)
  try {
    await command.run(call)
    return call.exitCode
  } catch (thrown) {
    // A cancelled call may fail with any error; the user only needs to know that it was cancelled.
    const explained = signal.aborted ? explain(signal.reason) : explain(thrown)
    if (options.verbose && thrown instanceof Error && !signal.aborted)
      terminal.warn(terminal.notes.dim(paragraph(stackOf(thrown))))
    return fail(explained, call.envelope, terminal, options.json)
  } finally {
    signal.removeEventListener('abort', tell)
    terminal.activity.stop()
  }
}

/** The stack of an error, and those of its causes. */
const stackOf = ({ stack, cause }: Error): string =>
  cause instanceof Error ? `${stack}\nCause: ${stackOf(cause)}` : `${stack}`

/** A silent run of a command, for completion. */
export function makeCall(
  command: Command,
  argv: readonly string[],
  surroundings: Surroundings,
  signal: AbortSignal,
): CommandCall<OptionTable & typeof connectionOptions> {
  const table: OptionTable = { ...command.options, ...commonOptions }
  const line = parseLine(argv, table)
  const call = new Call(
    command.name,
    line,
    withDefaults(line, table),
    new Terminal(surroundings, { quiet: true }),
    signal,
  )
  return call as unknown as CommandCall<OptionTable & typeof connectionOptions>
}

/** The options of a command whose connection is open already. */
async function withoutConnection(table: OptionTable): Promise<OptionTable> {
  const { useOptions } = await import('./server/options.ts')
  return Object.fromEntries(Object.entries(table).filter(([name]) => !Object.hasOwn(useOptions, name)))
}

class Call implements CommandCall<OptionTable> {
  readonly options: OptionValues<OptionTable & typeof commonOptions>
  readonly words: string[]
  readonly command: string[] | undefined
  readonly terminal: Terminal
  readonly signal: AbortSignal
  readonly envelope: { [member: string]: unknown }
  readonly shared: SharedServer | undefined
  exitCode: ExitCode = ExitCode.Ok

  constructor(
    name: string,
    { words, command }: ParsedLine,
    options: OptionValues<OptionTable & typeof commonOptions>,
    terminal: Terminal,
    signal: AbortSignal,
    shared?: SharedServer,
  ) {
    this.options = options
    this.shared = shared
    this.words = words
    this.command = command
    this.terminal = terminal
    this.signal = signal
    this.envelope = { command: name }
  }

  async result(value: unknown, show: () => void | Promise<void>, failure?: CommandFailure): Promise<void> {
    this.terminal.activity.stop()
    if (failure) this.exitCode = failure.exitCode
    if (!this.options.json) return await show()
    const error = failure && errorMember(explain(failure))
    this.#write({ ok: failure === undefined, ...this.envelope, result: value, ...(error && { error }) })
  }

  event(value: { [member: string]: unknown }, show: () => void): void {
    if (this.options.json) this.#write(value)
    else show()
  }

  #write(value: unknown): void {
    this.terminal.json(value)
  }
}

function withDefaults({ options }: ParsedLine, table: OptionTable): OptionValues<OptionTable & typeof commonOptions> {
  const values: { [name: string]: unknown } = {}
  for (const [name, spec] of Object.entries(table)) {
    const absent =
      spec.type === 'flag' ? false : spec.type === 'list' ? [] : 'default' in spec ? spec.default : undefined
    values[name] = options.get(name) ?? absent
  }
  return values as OptionValues<OptionTable & typeof commonOptions>
}

/** Shows an error to the user; returns the exit code. */
export const showFailure = (thrown: unknown, envelope: object, terminal: Terminal, json: boolean): number =>
  fail(explain(thrown), envelope, terminal, json)

/** An error for a program: it always has a hint, because nobody is there to guess the next step. */
const errorMember = ({ exitCode, code, message, hint = generalHint(exitCode), ...rest }: Explained): object => ({
  code,
  message,
  hint,
  ...rest,
  exitCode,
})

const generalHint = (exitCode: ExitCode): string => exitCodes.find(({ code }) => code === exitCode)?.hint ?? ''

function fail(explained: Explained, envelope: object, terminal: Terminal, json: boolean): number {
  const { notes } = terminal
  terminal.activity.stop()
  if (json) terminal.json({ ok: false, ...envelope, error: errorMember(explained) })
  terminal.warn(say`${notes.red(notes.bold('error:'))} ${indented(explained.message, 7)}`)
  if (explained.rpc?.data !== undefined) terminal.warn(say`${notes.dim('data:')} ${JSON.stringify(explained.rpc.data)}`)
  if (explained.hint) terminal.warn(say`${notes.dim('hint:')} ${indented(explained.hint, 6)}`)
  return explained.exitCode
}

/** Lines below the first stand to the right of `error:`, so that none looks like another message. */
const indented = (text: string, columns: number): TerminalText => join(text.split('\n'), `\n${' '.repeat(columns)}`)
