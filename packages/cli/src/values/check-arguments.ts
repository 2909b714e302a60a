import type { JsonSchema } from '@tenon/sdk/client'
import type { CommandCall } from '../command.ts'
import { CommandFailure, ExitCode } from '../exit.ts'
import type { OptionTable } from '../line/options.ts'
import type { Arguments } from './arguments.ts'

type Asked = Pick<CommandCall<OptionTable>, 'command' | 'shared'> & { label: string; tool: string }

/** Checks the arguments against the schema of the tool before they are sent. */
export async function checkArguments(args: Arguments, schema: JsonSchema, asked: Asked): Promise<void> {
  const { compileSchema, formatIssues } = await import('@tenon/sdk/schema')
  const check = compile(() => compileSchema(schema))
  const issues = check?.validate(args) ?? []
  if (issues.length === 0) return
  throw new CommandFailure(
    ExitCode.Usage,
    'invalid_arguments',
    formatIssues(issues, 'arguments').replaceAll('; ', '\n'),
    `\`${listLine(asked)}\` shows what it takes; --no-check sends the arguments as they are.`,
  )
}

/** The command line that shows the tool. */
function listLine({ label, command, shared, tool }: Asked): string {
  if (shared) return shellLine(['list', '--tool', tool])
  return shellLine(
    command ? ['tenon', 'list', '--tool', tool, '--', ...command] : ['tenon', 'list', label, '--tool', tool],
  )
}

const shellLine = (words: readonly string[]): string =>
  words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(' ')

// With an invalid schema the check is left to the server.
function compile<T>(make: () => T): T | undefined {
  try {
    return make()
  } catch {
    return undefined
  }
}
