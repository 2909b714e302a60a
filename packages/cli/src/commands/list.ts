import type { Client, Tool } from '@tenon/sdk/client'
import { ErrorCode, toolFacts } from '@tenon/sdk/client'
import { command } from '../command.ts'
import { CommandFailure, usage } from '../exit.ts'
import { type Explained, explain } from '../explain.ts'
import { didYouMean } from '../line/did-you-mean.ts'
import { withServer } from '../server/connect.ts'
import { connectionOptions } from '../server/options.ts'
import { showJson } from '../show/json.ts'
import { signature } from '../show/signature.ts'
import { table } from '../terminal/table.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { paragraph, say } from '../terminal/text.ts'
import { collect, findByName } from '../values/find-by-name.ts'

/** The lists that a server can have, and how they are printed. */
const lists = new Map<
  string,
  { capability: string; items(client: Client): AsyncIterable<object>; row(item: never): string[] }
>([
  ['tools', { capability: 'tools', items: (client) => client.tools(), row: toolRow }],
  ['resources', { capability: 'resources', items: (client) => client.resources(), row: resourceRow }],
  ['templates', { capability: 'resources', items: (client) => client.resourceTemplates(), row: templateRow }],
  ['prompts', { capability: 'prompts', items: (client) => client.prompts(), row: promptRow }],
])

export default command({
  name: 'list',
  summary: 'List tools, resources, templates and prompts',
  usage: [
    '<target> [tools|resources|templates|prompts]',
    '[tools|resources|templates|prompts] -- <program> [argument…]',
  ],
  examples: [
    { line: 'tenon list everything', shows: 'everything that a server offers' },
    { line: 'tenon list everything tools --json', shows: 'the tools with their schemas' },
    { line: 'tenon list everything --tool add', shows: 'one tool in full' },
  ],
  options: {
    tool: { type: 'text', value: 'name', help: 'Show this tool in full' },
    ...connectionOptions,
  },
  run: (call) =>
    withServer(call, async ({ client, words }) => {
      const { tool } = call.options
      if (tool !== undefined) {
        const found = await findByName('tool', tool, client.tools())
        return await call.result(found, () => showTool(found, call.terminal))
      }
      const kinds = kindsOf(words)
        // A list that was asked for by name is requested even if the server does not declare it.
        .filter((kind) => words.length > 0 || Object.hasOwn(client.server.capabilities, lists.get(kind)!.capability))
      const { found, failed } = await collectLists(client, kinds, call.signal)
      if (failed.size > 0) call.envelope.failed = Object.fromEntries(failed)
      await call.result(
        Object.fromEntries(found),
        () => {
          showLists(found, call.terminal)
          showFailures(failed, call.terminal)
        },
        incomplete(failed),
      )
    }),
})

/** The lists that can be had, and why the others cannot; fails if there is none. */
async function collectLists(
  client: Client,
  kinds: readonly string[],
  signal: AbortSignal,
): Promise<{ found: Map<string, object[]>; failed: Map<string, Explained> }> {
  const found = new Map<string, object[]>()
  const failed = new Map<string, Explained>()
  let first: unknown
  for (const kind of kinds) {
    try {
      found.set(kind, await collect(lists.get(kind)!.items(client)))
    } catch (error) {
      signal.throwIfAborted()
      const explained = explain(error)
      // Servers declare resources without having heard of templates.
      if (kind === 'templates' && explained.rpc?.code === ErrorCode.MethodNotFound) found.set(kind, [])
      else {
        first ??= error
        failed.set(kind, explained)
      }
    }
  }
  const nothing = [...found.values()].every((items) => items.length === 0)
  if (nothing && failed.size > 0) throw first
  return { found, failed }
}

/** The failure of the command, if a list failed: its exit code is the one of the first. */
function incomplete(failed: ReadonlyMap<string, Explained>): CommandFailure | undefined {
  const [first] = failed.values()
  if (first === undefined) return undefined
  const names = [...failed.keys()].join(', ')
  return new CommandFailure(first.exitCode, 'incomplete', `Not listed: ${names}. ${first.message}`, first.hint)
}

function showFailures(failed: ReadonlyMap<string, Explained>, terminal: Terminal): void {
  const { red, bold, dim } = terminal.notes
  for (const [kind, { message, hint }] of failed) {
    terminal.warn(say`${red(bold('error:'))} ${kind}: ${message}`)
    if (hint !== undefined) terminal.warn(say`${dim('hint:')} ${hint}`)
  }
}

function kindsOf(words: readonly string[]): string[] {
  const unknown = words.find((word) => !lists.has(word))
  if (unknown !== undefined) {
    const known = `Expected ${[...lists.keys()].join(', ')}.`
    throw usage(`Unknown list ${JSON.stringify(unknown)}`, didYouMean(unknown, lists.keys()) ?? known)
  }
  return words.length === 0 ? [...lists.keys()] : [...words]
}

function showLists(found: Map<string, object[]>, terminal: Terminal): void {
  let first = true
  for (const [kind, items] of found) {
    if (items.length === 0 && found.size > 1) continue
    if (!first) terminal.line()
    first = false
    terminal.line(say`${terminal.style.bold(kind)} ${terminal.style.dim(String(items.length))}`)
    const { row } = lists.get(kind)!
    const rows = items.map((item) => row(item as never))
    terminal.print(
      table(
        rows.map(([name, ...rest]) => [terminal.style.cyan(name!), ...rest]),
        terminal.columns,
        '  ',
      ),
    )
  }
  if (first) terminal.note(say`The server offers nothing to list.`)
}

const firstLine = (text: string | undefined): string => text?.trim().split('\n')[0] ?? ''

function toolRow({ name, inputSchema, description, title }: Tool): string[] {
  return [`${name}(${signature(inputSchema)})`, firstLine(description ?? title)]
}

function resourceRow({
  uri,
  name,
  mimeType,
  description,
}: { [member in 'uri' | 'name' | 'mimeType' | 'description']?: string }): string[] {
  return [uri ?? '', mimeType ?? '', firstLine(description ?? name)]
}

function templateRow({
  uriTemplate,
  name,
  description,
}: { [member in 'uriTemplate' | 'name' | 'description']?: string }): string[] {
  return [uriTemplate ?? '', firstLine(description ?? name)]
}

function promptRow({
  name,
  arguments: args,
  description,
}: {
  name: string
  arguments?: { name: string; required?: boolean }[]
  description?: string
}): string[] {
  const written = (args ?? []).map((one) => `${one.name}${one.required ? '' : '?'}`).join(', ')
  return [`${name}(${written})`, firstLine(description)]
}

function showTool(tool: Tool, terminal: Terminal): void {
  const { bold, dim } = terminal.style
  const { readOnly, destructive, idempotent, openWorld } = toolFacts(tool)
  const hints = [
    readOnly ? 'only reads' : destructive ? 'may destroy' : 'writes',
    ...(idempotent ? ['harmless to repeat'] : []),
    ...(openWorld ? ['reaches the outside world'] : []),
  ]
  terminal.line(say`${bold(tool.name)}${tool.title ? `  ${tool.title}` : ''}`)
  if (tool.description) terminal.line(paragraph(tool.description))
  terminal.line(dim(`It says of itself: ${hints.join(', ')}.`))
  terminal.line()
  terminal.line(bold('arguments'))
  terminal.line(showJson(tool.inputSchema, terminal.style))
  if (!tool.outputSchema) return
  terminal.line()
  terminal.line(bold('result'))
  terminal.line(showJson(tool.outputSchema, terminal.style))
}
