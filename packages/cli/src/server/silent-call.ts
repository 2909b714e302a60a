import type { CommandCall } from '../command.ts'
import { ExitCode } from '../exit.ts'
import type { OptionTable } from '../line/options.ts'
import { Terminal } from '../terminal/terminal.ts'

/** The same command for one server, without a word and without a question. */
export const silentCall = <Table extends OptionTable>(
  call: CommandCall<Table>,
  words: string[],
  signal: AbortSignal,
): CommandCall<Table> => ({
  options: call.options,
  words,
  command: undefined,
  terminal: new Terminal(call.terminal.surroundings, { quiet: true, asks: false }),
  signal,
  exitCode: ExitCode.Ok,
  envelope: {},
  result: async () => {},
  event: () => {},
})
