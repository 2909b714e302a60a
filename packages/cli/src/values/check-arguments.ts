import type { JsonSchema } from '@tenon/sdk/client'
import { CommandFailure, ExitCode } from '../exit.ts'
import type { Arguments } from './arguments.ts'

/** Checks the arguments against the schema of the tool before they are sent. */
export async function checkArguments(args: Arguments, schema: JsonSchema, tool: string): Promise<void> {
  const { compileSchema, formatIssues } = await import('@tenon/sdk/schema')
  const check = compile(() => compileSchema(schema))
  const issues = check?.validate(args) ?? []
  if (issues.length === 0) return
  throw new CommandFailure(
    ExitCode.Usage,
    'invalid_arguments',
    formatIssues(issues, 'arguments').replaceAll('; ', '\n'),
    `\`tenon list … --tool ${tool}\` shows what it takes; --no-check sends the arguments as they are.`,
  )
}

// With an invalid schema the check is left to the server.
function compile<T>(make: () => T): T | undefined {
  try {
    return make()
  } catch {
    return undefined
  }
}
