import { loggingLevels } from '@tenon/sdk/client'
import { nearest } from '@tenon/sdk/display'
import type { CommandCall } from '../command.ts'
import { commandGroups, loadCommand } from '../commands.ts'
import { CommandFailure, ExitCode, usage } from '../exit.ts'
import { runCommand, showFailure } from '../run.ts'
import type { connectionOptions } from '../server/options.ts'
import { table } from '../terminal/table.ts'
import { say } from '../terminal/text.ts'
import type { ReplSession } from './session.ts'
import { splitWords } from './split.ts'

/** The commands that work on the connection that is open, and those that are only here. */
export const sharedCommands = ['call', 'read', 'prompt', 'list', 'info', 'complete', 'ping', 'tasks'] as const

type Builtin = (words: readonly string[], line: LineContext) => Promise<void>

interface LineContext {
  session: ReplSession
  call: CommandCall<typeof connectionOptions>
  signal: AbortSignal
}

const builtins = new Map<string, { usage: string; summary: string; run: Builtin }>([
  ['log', { usage: 'log <level>', summary: 'Show log messages from this level on', run: setLogLevel }],
  ['watch', { usage: 'watch <uri>…', summary: 'Show when resources change', run: watch }],
  ['unwatch', { usage: 'unwatch [uri]', summary: 'Stop watching', run: unwatch }],
  ['reconnect', { usage: 'reconnect', summary: 'Connect anew', run: reconnect }],
  ['help', { usage: 'help [command]', summary: 'Show this, or more about a command', run: help }],
  ['quit', { usage: 'quit', summary: 'Leave; so does Ctrl-D', run: async () => {} }],
])

export const lineCommands: readonly string[] = [...sharedCommands, ...builtins.keys()]

export const isQuit = (text: string): boolean => /^\s*(?:quit|exit)\s*$/.test(text)

/** Runs one line; answers its exit code and never throws. */
export async function runLine(text: string, line: LineContext): Promise<number> {
  const { call, session } = line
  const { terminal } = call
  const { words } = splitWords(text)
  try {
    const [first, ...rest] = words
    if (first === undefined) return ExitCode.Ok
    refuseStandardInput(words)
    const builtin = builtins.get(first)
    if (builtin && first !== 'help' && first !== 'reconnect') assertConnected(session)
    if (builtin) {
      await builtin.run(rest, line)
      return ExitCode.Ok
    }
    assertConnected(session)
    const argv = (sharedCommands as readonly string[]).includes(first) ? words : await asCall(words, session)
    const [name, ...args] = argv
    const command = (await loadCommand(name!))!
    const { catalog: _, ...shared } = session.connected!
    const all = call.options.json ? ['--json', ...args] : args
    return await runCommand(command, all, terminal.surroundings, line.signal, shared)
  } catch (thrown) {
    return showFailure(thrown, { command: words[0] }, terminal, call.options.json)
  }
}

/** The lines come from there. */
function refuseStandardInput(words: readonly string[]): void {
  const taken = words.find((word) => /^-$|^(?:[^=]*=)?@-$/.test(word))
  if (taken !== undefined)
    throw usage(`${taken}: standard input has the commands here`, 'Write the arguments, or @file.')
}

function assertConnected(session: ReplSession): void {
  if (session.connected) return
  throw new CommandFailure(ExitCode.Unreachable, 'closed', 'There is no connection', 'Type reconnect for a new one.')
}

/** A line that begins with the name of a tool calls it. */
async function asCall(words: readonly string[], session: ReplSession): Promise<string[]> {
  const [first] = words
  const tools = (await session.connected!.catalog.tools()).map(({ name }) => name)
  if (tools.includes(first!)) return ['call', ...words]
  const meant = nearest(first!, [...lineCommands, ...tools])
  throw usage(
    `${JSON.stringify(first)} is neither a command nor a tool`,
    meant.length > 0 ? `Did you mean ${meant.join(' or ')}?` : 'Type help for the commands, list tools for the tools.',
  )
}

async function setLogLevel([word]: readonly string[], { session, signal, call }: LineContext): Promise<void> {
  const level = loggingLevels.find((known) => known === word)
  if (level === undefined) throw usage(`Expected one of ${loggingLevels.join(', ')}, got ${JSON.stringify(word ?? '')}`)
  await session.connected!.client.setLoggingLevel(level, { signal })
  call.terminal.note(say`Log messages are shown from ${level} on.`)
}

async function watch(uris: readonly string[], { session, call }: LineContext): Promise<void> {
  if (uris.length === 0) throw usage('Expected the URI of a resource', 'list resources lists them.')
  for (const uri of uris) await session.watch(uri)
  call.terminal.note(say`Watching ${uris.join(', ')}.`)
}

async function unwatch([uri]: readonly string[], { session, call }: LineContext): Promise<void> {
  const ended = await session.unwatch(uri)
  call.terminal.note(ended === 1 ? say`One watch less.` : say`${ended} watches less.`)
}

async function reconnect(_words: readonly string[], { session }: LineContext): Promise<void> {
  await session.close()
  await session.connect()
}

async function help([name]: readonly string[], { call }: LineContext): Promise<void> {
  const { terminal } = call
  if (name !== undefined && (sharedCommands as readonly string[]).includes(name)) {
    const { commandHelp } = await import('../line/help.ts')
    terminal.print(commandHelp((await loadCommand(name))!, terminal))
    return
  }
  const rows = commandGroups.flatMap(({ commands }) => commands)
  const shared = sharedCommands.flatMap((shared) => rows.filter((row) => row.name === shared))
  const lines = [
    ['<tool> [argument…]', 'Call a tool'],
    ...shared.map((row) => [`${row.name} …`, row.summary]),
    ...[...builtins.values()].map((row) => [row.usage, row.summary]),
  ]
  terminal.print(table(lines, terminal.columns, '  '))
}
