import { type Command, commonOptions } from '../command.ts'
import { commandGroups } from '../commands.ts'
import { exitCodes } from '../exit.ts'
import { version } from '../version.ts'
import type { OptionSpec, OptionTable } from './options.ts'

/** The whole command line as data: `tenon help --json`. */
export async function describeProgram(): Promise<object> {
  const rows = commandGroups.flatMap(({ title, commands }) => commands.map((row) => ({ title, row })))
  const commands = await Promise.all(
    rows.map(async ({ title, row }) => ({ group: title, ...describeCommand((await row.load()).default) })),
  )
  return {
    name: 'tenon',
    version,
    usage: [
      'tenon <command> <target> [argument…] [options]',
      'tenon <command> [argument…] [options] -- <program> [argument…]',
    ],
    target: 'A URL, the name of a server in a config file, or a program after --. The server everything is built in.',
    commands,
    commonOptions: optionsOf(commonOptions),
    exitCodes: exitCodes.map(({ code, meaning, hint }) => ({ code, meaning, ...(hint !== '' && { hint }) })),
  }
}

/** One command as data: `tenon help <command> --json`. */
export const describeCommand = ({ name, summary, usage, details, examples, options }: Command): object => ({
  name,
  summary,
  usage: usage.map((form) => `tenon ${name}${form === '' ? '' : ` ${form}`}`),
  ...(details !== undefined && { details }),
  options: optionsOf(options),
  examples,
})

const optionsOf = (table: OptionTable): object[] => Object.entries(table).map(([name, spec]) => optionOf(name, spec))

function optionOf(name: string, { type, short, help, ...rest }: OptionSpec): object {
  return {
    option: `--${name}`,
    ...(short !== undefined && { short: `-${short}` }),
    type: type === 'list' ? 'text' : type,
    ...(type === 'list' && { repeatable: true }),
    ...rest,
    help,
  }
}
