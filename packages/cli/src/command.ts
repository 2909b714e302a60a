import type { CommandFailure, ExitCode } from './exit.ts'
import type { OptionTable, OptionValues } from './line/options.ts'
import type { SharedServer } from './server/connect.ts'
import type { Terminal } from './terminal/terminal.ts'

/** The options of every command. */
export const commonOptions = {
  json: { type: 'flag', help: 'Print one JSON document (streams: one per line) instead of text' },
  quiet: { type: 'flag', short: 'q', help: 'Print results only: no progress, no notes' },
  verbose: { type: 'flag', short: 'v', help: 'Show every message that travels, on stderr' },
  help: { type: 'flag', short: 'h', help: 'Show this help' },
} as const satisfies OptionTable

/** An example of a command in its help. */
interface Example {
  line: string
  /** Its purpose. */
  shows: string
}

interface CommandSpec<Table extends OptionTable> {
  name: string
  /** One line for the list of commands. */
  summary: string
  /** The words after the name, such as `<target> <tool> [argument…]`; several forms are several lines. */
  usage: readonly string[]
  /** Paragraphs below the usage. */
  details?: string
  examples: readonly Example[]
  options: Table
  /** Everything after the first word belongs to another program, options too. */
  wordEndsOptions?: boolean
  /** It runs until Ctrl-C, which is its proper end. */
  goesOn?: boolean
  run(call: CommandCall<Table>): Promise<void>
}

/** One run of a command. */
export interface CommandCall<Table extends OptionTable> {
  readonly options: OptionValues<Table & typeof commonOptions>
  /** The words that are no options. */
  readonly words: string[]
  /** The words after `--`. */
  readonly command: string[] | undefined
  readonly terminal: Terminal
  /** Fires at the first Ctrl-C. */
  readonly signal: AbortSignal
  /** The exit code of the process; `result` sets it after a failure. */
  exitCode: ExitCode
  /** Members of the envelope of every result, such as the server. */
  readonly envelope: { [member: string]: unknown }
  /** The connection to work with, where one is open already. */
  readonly shared?: SharedServer | undefined
  /** The result: with `--json` it is printed in the envelope, otherwise `show` is called. A `failure` sets the exit code. */
  result(value: unknown, show: () => void | Promise<void>, failure?: CommandFailure): Promise<void>
  /** One of many events, for commands that run until Ctrl-C: with `--json` a line of its own. */
  event(value: { [member: string]: unknown }, show: () => void): void
}

/** A command whose options have been forgotten: how the rest of the program sees it. */
export type Command = CommandSpec<OptionTable>

/** Defines a command; the options that `run` gets are typed by the table. */
export const command = <const Table extends OptionTable>(spec: CommandSpec<Table>): Command =>
  spec as unknown as Command
