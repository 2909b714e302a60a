import type { InputDefinition, ResolvedEntry, ServerEntry, Unresolved } from '@tenon/host/config'
import type { CommandCall } from '../command.ts'
import { CommandFailure, ExitCode, usage } from '../exit.ts'
import { didYouMean } from '../line/did-you-mean.ts'
import { say } from '../terminal/text.ts'
import type { targetOptions } from './options.ts'
import { sessionMemory } from './session-memory.ts'

type Call = CommandCall<typeof targetOptions>

/** The inputs of the command line: `id=value` gives the value, `id` alone has it asked for, though an answer is kept. */
interface GivenInputs {
  values: Map<string, string>
  again: Set<string>
}

/** An entry with its inputs and variables filled in. A placeholder without a value fails the command: none is ever sent. */
export async function expandEntry(
  call: Call,
  entry: ServerEntry,
  lines: readonly string[] = call.options.input,
): Promise<ResolvedEntry> {
  const { expand } = await import('@tenon/host/config')
  const { terminal } = call
  const { cwd, env } = terminal.surroundings
  const given = readInputs(lines, entry)
  const resolved = await expand(entry, {
    cwd,
    env,
    inputs: given.values,
    askInput: (input) => answer(call, entry, input, given.again.has(input.id)),
  })
  const open = resolved.unresolved.filter(({ path }) => sent.has(String(path[0])))
  if (open.length > 0) throw missing(entry, open)
  for (const { text, why } of resolved.unresolved) {
    terminal.warn(say`${terminal.notes.yellow('warning:')} ${entry.name}: ${text} is left out: ${why}`)
  }
  return resolved
}

/** An entry with the inputs that are given or kept: nobody is asked. */
export async function expandQuietly(
  call: Pick<Call, 'terminal'> & { readonly options: Pick<Call['options'], 'input'> },
  entry: ServerEntry,
): Promise<ResolvedEntry> {
  const { expand } = await import('@tenon/host/config')
  const { terminal } = call
  const { cwd, env } = terminal.surroundings
  const { values: inputs, again } = readInputs(inputsOf(call.options.input, entry), entry)
  const askInput = async ({ id }: InputDefinition): Promise<string | undefined> =>
    again.has(id) ? undefined : await (await import('../ask/input-prompt.ts')).keptAnswer(entry, id, terminal)
  return await expand(entry, { cwd, env, inputs, askInput })
}

/** The inputs of the command line that an entry has: the others are for other servers. */
export const inputsOf = (lines: readonly string[], { inputs = [] }: ServerEntry): string[] =>
  lines.filter((line) => inputs.some(({ id }) => id === idOf(line)))

/** Fails for an input that none of the servers has. */
export function refuseUnknownInputs(lines: readonly string[], entries: readonly ServerEntry[]): void {
  const known = entries.flatMap(({ inputs = [] }) => inputs.map(({ id }) => id))
  const stray = lines.map(idOf).find((id) => !known.includes(id))
  if (stray === undefined) return
  if (entries.length === 0)
    throw usage('--input is for servers of config files', 'Give a program variables with --env.')
  const all = known.length === 0 ? 'They have none.' : `They have ${[...new Set(known)].join(', ')}.`
  throw usage(`--input: no server has an input ${JSON.stringify(stray)}`, didYouMean(stray, known) ?? all)
}

const idOf = (line: string): string => line.split('=', 1)[0]!

/** The members of an entry that reach the server. */
const sent = new Set(['command', 'args', 'env', 'cwd', 'url', 'headers'])

function readInputs(lines: readonly string[], entry: ServerEntry): GivenInputs {
  const given: GivenInputs = { values: new Map(), again: new Set() }
  const known = entry.inputs?.map(({ id }) => id) ?? []
  for (const line of lines) {
    const equals = line.indexOf('=')
    const id = idOf(line)
    if (!known.includes(id)) {
      const all = known.length === 0 ? 'It has none.' : `It has ${known.join(', ')}.`
      throw usage(`--input: ${entry.name} has no input ${JSON.stringify(id)}`, didYouMean(id, known) ?? all)
    }
    if (equals < 0) given.again.add(id)
    else given.values.set(id, line.slice(equals + 1))
  }
  return given
}

/** The answer of this run, the one that was kept, or that of the person at the terminal. */
async function answer(
  { terminal, signal }: Call,
  entry: ServerEntry,
  input: InputDefinition,
  again: boolean,
): Promise<string | undefined> {
  const { answers } = sessionMemory(terminal.surroundings.output)
  const key = JSON.stringify([entry.source.file, entry.source.path, input.id])
  const earlier = answers.get(key)
  if (earlier !== undefined) return earlier
  const { askForInput, keptAnswer } = await import('../ask/input-prompt.ts')
  const kept = again ? undefined : await keptAnswer(entry, input.id, terminal)
  if (kept === undefined && !terminal.canAsk) return undefined
  const found = kept ?? (await askForInput(entry, input, terminal, signal))
  // An entry may refer to an input several times, and a question that was left is not asked again.
  if (found === undefined) throw left(entry, input)
  answers.set(key, found)
  return found
}

const left = ({ name }: ServerEntry, { id }: InputDefinition): CommandFailure =>
  new CommandFailure(ExitCode.Usage, 'missing_input', `${name}: the input ${id} has no value: nobody has answered`)

function missing({ name }: ServerEntry, open: readonly Unresolved[]): CommandFailure {
  const lines = open.map(({ text, path, why }) => `${name}: ${path.join('.')}: ${text} has no value: ${why}`)
  return new CommandFailure(
    ExitCode.Usage,
    'missing_input',
    lines.join('\n'),
    [...new Set(open.map(hintFor))].join('\n'),
  )
}

function hintFor({ variable, path: [member, name] }: Unresolved): string {
  if (variable.kind === 'input') return `Give it with --input ${variable.name}=value, or run the command on a terminal.`
  const instead = member === 'env' ? ` or give another value with -e ${name}=value` : ''
  if (variable.kind === 'env') return `Set ${variable.name},${instead === '' ? ' and run the command again' : instead}.`
  if (member === 'headers') return `Give it with --header "${name}: value".`
  return instead === '' ? 'Write the value into the config file.' : `${instead.replace(/^ or g/, 'G')}.`
}
