import type { JsonSchema, Tool } from '@tenon/sdk/client'
import { isSecretName } from '@tenon/sdk/display'
import { compileSchema, formatIssues } from '@tenon/sdk/schema'
import { typeLabel } from '../show/signature.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { paragraph, say } from '../terminal/text.ts'
import type { Arguments } from '../values/arguments.ts'
import { memberOf, requiredNames, resolveReference, typedValueOf } from '../values/typed-value.ts'
import { withExclusiveTerminal } from './exclusive-terminal.ts'

/** The required arguments that have no value. */
const missingArguments = (args: Arguments, schema: JsonSchema): string[] =>
  [...requiredNames(schema)].filter((name) => !Object.hasOwn(args, name))

/** Asks for the missing arguments of a tool, one by one; a question that is left (Ctrl-D) ends the asking. */
export async function askForMissing(
  args: Arguments,
  { name, inputSchema }: Tool,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<Arguments> {
  const missing = missingArguments(args, inputSchema)
  if (missing.length === 0) return args
  const given = new Map(Object.entries(args))
  await withExclusiveTerminal(terminal, async () => {
    const { bold, dim } = terminal.notes
    terminal.warn(
      say`${bold(name)} needs ${missing.length === 1 ? 'an argument' : `${missing.length} arguments`}. ${dim('Ctrl-D leaves it.')}`,
    )
    for (const argument of missing) {
      const value = await askForArgument(argument, inputSchema, terminal, signal)
      if (value === undefined) return
      given.set(argument, value)
    }
  })
  return Object.fromEntries(given)
}

/** Asks until the answer fits the schema of the argument; undefined if the question is left. */
async function askForArgument(
  name: string,
  root: JsonSchema,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<unknown> {
  const { bold, dim, red } = terminal.notes
  const schema = memberOf(root, name, root)
  const { description } = resolveReference(schema, root) ?? {}
  if (typeof description === 'string' && description !== '') terminal.warn(dim(paragraph(description)))
  const prompt = say`${bold(name)} ${dim(`(${typeLabel(schema, root)})`)}: `
  const keyboard = await terminal.keyboard()
  for (;;) {
    const typed = await keyboard.read(prompt, { signal, hidden: isSecretName(name) })
    if (typed === undefined) return undefined
    const value = typedValueOf(typed, schema, root)
    const problem = problemOf(name, value, schema, root)
    if (problem === undefined) return value
    terminal.warn(red(problem))
  }
}

/** The reason why a value does not fit; a schema that cannot be used is left to the server. */
function problemOf(name: string, value: unknown, schema: JsonSchema | undefined, root: JsonSchema): string | undefined {
  if (schema === undefined) return undefined
  const { $defs, definitions } = root
  const alone = {
    type: 'object',
    properties: { [name]: schema },
    ...($defs !== undefined && { $defs }),
    ...(definitions !== undefined && { definitions }),
  }
  try {
    const issues = compileSchema(alone as JsonSchema).validate(Object.fromEntries([[name, value]]))
    return issues.length === 0 ? undefined : formatIssues(issues, '')
  } catch {
    return undefined
  }
}
