import type { Gateway } from '@tenon/gateway'
import type { ExplainedCaller, ExplainedItem, ExplainQuestion, Operator } from '@tenon/gateway/operator'
import type { JsonSchema } from '@tenon/sdk/client'
import type { CommandCall } from '../command.ts'
import { CommandFailure, ExitCode, usage } from '../exit.ts'
import { table } from '../terminal/table.ts'
import { say, type TerminalText } from '../terminal/text.ts'
import { wrap } from '../terminal/width.ts'
import { type Arguments, readArguments } from '../values/arguments.ts'
import { importAny } from './import-module.ts'
import type { gatewayOptions } from './options.ts'
import { loadFile } from './run-gateway.ts'

type Call = CommandCall<typeof gatewayOptions>

const columns = 80

/** Says which rules decide about a name for a caller. Upstreams are asked for their lists, and nothing is called. */
export async function explainAccess(call: Call, words: readonly string[]): Promise<void> {
  const [caller, name, file = 'gateway.yaml', ...more] = words
  if (caller === undefined || name === undefined || more.length > 0) {
    throw usage('explain takes a caller, a name and a file', 'For example: tenon gateway explain local files__read')
  }
  const { createGateway } = await import('@tenon/gateway')
  const { Operator, rulesOf } = await import('@tenon/gateway/operator')
  const { terminal, options } = call
  const loaded = await loadFile(file, terminal.surroundings.cwd, terminal.surroundings.env)
  await using gateway = createGateway(loaded.config, {
    ...rulesOf(loaded),
    folder: loaded.folder,
    importModule: importAny,
  })
  const operator = new Operator(gateway)
  const question: ExplainQuestion = {
    caller: {
      id: caller,
      ...(options.group.length > 0 && { groups: options.group }),
      ...(options.scope.length > 0 && { scopes: options.scope }),
      ...(options.claim.length > 0 && { claims: await readArguments(options.claim, {}, terminal.surroundings) }),
    },
    name,
    server: options.server,
  }
  const explained = await answered(operator, question)
  const args = options.arg.length === 0 ? undefined : await readCallArguments(call, gateway, explained)
  const whole = args === undefined ? explained : await answered(operator, { ...question, args })
  await call.result({ file, ...whole, ...(args && { args }) }, () => show(call, whole, args))
}

async function answered(operator: Operator, question: ExplainQuestion): Promise<ExplainedCaller> {
  const { NotKnownError } = await import('@tenon/gateway/operator')
  try {
    return await operator.explain(question)
  } catch (error) {
    if (!(error instanceof NotKnownError)) throw error
    const { message, suggestions } = error
    const hint =
      suggestions.length === 0
        ? undefined
        : `There ${suggestions.length === 1 ? 'is' : 'are'} ${suggestions.join(', ')}.`
    throw new CommandFailure(ExitCode.Usage, 'unknown_name', message, hint)
  }
}

/** The arguments, typed by the schema of the tool where it is known. */
async function readCallArguments(call: Call, gateway: Gateway, { server, items }: ExplainedCaller): Promise<Arguments> {
  const { kind, upstream, name } = items[0]!
  const catalogue = await gateway.catalogue(server)
  const item = catalogue?.items.find((one) => one.kind === kind && one.upstream === upstream && one.name === name)
  const schema = (item?.definition?.inputSchema ?? {}) as JsonSchema
  return readArguments(call.options.arg, schema, call.terminal.surroundings)
}

function show(
  { terminal }: Call,
  { caller, server, items, missing }: ExplainedCaller,
  args: Arguments | undefined,
): void {
  const lines = (text: TerminalText): void => {
    for (const line of wrap(text, columns)) terminal.line(line)
  }
  const list = (names: readonly string[]): string => (names.length === 0 ? 'none' : names.join(', '))
  lines(say`Caller: ${caller.id} (${caller.kind}), groups: ${list(caller.groups)}, scopes: ${list(caller.scopes)}`)
  for (const item of items) {
    lines(say`Item: ${item.kind} ${item.shownAs} of server ${server}, ${item.name} at ${item.upstream}`)
    lines(say`Listed: ${item.isListed ? terminal.style.green('yes') : terminal.style.red('no')}`)
    lines(say`Calls: ${callWords(item, args)}`)
    for (const note of notesOf(item, args)) lines(say`Note: ${note}`)
    if (item.rules.length === 0) continue
    lines(say`Rules, the strictest first:`)
    const rows = item.rules.map(({ rule, effect, outcome, error }) => [
      effect,
      rule,
      outcome === 'unknown' ? 'depends on the arguments' : error === undefined ? outcome : `failed: ${error}`,
    ])
    terminal.print(table(rows, columns, '  '))
  }
  for (const { upstream, problem } of missing) {
    terminal.note(say`${terminal.notes.yellow('not asked:')} ${upstream}: ${problem}`)
  }
}

const effectWords = { allow: 'allowed', approve: 'a person has to approve each', deny: 'denied' } as const

function callWords({ effect, by, isPinned, rules }: ExplainedItem, args: Arguments | undefined): string {
  if (!isPinned) return 'denied, because nobody approved this definition'
  const isOpen = args === undefined && rules.some(({ outcome }) => outcome === 'unknown')
  const decided = `${effectWords[effect]}, by ${by === 'default' ? 'the default' : by}`
  return isOpen ? `depends on the arguments; otherwise ${decided}` : decided
}

function notesOf({ isDefined, rules }: ExplainedItem, args: Arguments | undefined): string[] {
  const isOpen = args === undefined && rules.some(({ outcome }) => outcome === 'unknown')
  return [
    ...(isOpen ? ['give the arguments with --arg name=value, and it says what they change'] : []),
    ...(isDefined ? [] : ['its upstream could not be asked, so annotations have their defaults']),
  ]
}
