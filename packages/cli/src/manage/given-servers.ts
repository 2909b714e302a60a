import { existsSync } from 'node:fs'
import { isAbsolute, resolve } from 'node:path'
import type { Problem, ServerEntry, Transport } from '@tenon/host/config'
import type { CommandCall } from '../command.ts'
import { CommandFailure, ExitCode, usage } from '../exit.ts'
import type { OptionTable } from '../line/options.ts'
import { headers } from '../server/target.ts'
import type { Surroundings } from '../terminal/terminal.ts'
import { isPlain } from '../terminal/text.ts'

/** The options that describe a server which no file has yet. */
export const serverOptions = {
  header: { type: 'list', short: 'H', value: 'name: value', help: 'Send this header with every request to the URL' },
  env: {
    type: 'list',
    short: 'e',
    value: 'NAME[=value]',
    help: 'A variable for the program; without a value the one that you have when it starts',
  },
  cwd: { type: 'text', value: 'folder', help: 'Start the program in this folder' },
} as const satisfies OptionTable

type Call = CommandCall<typeof serverOptions>

/** How much pasted text is read from standard input. */
const maxPasteBytes = 1024 * 1024

/** The servers that the words of a command describe: a URL, a program after `--`, a pasted text, or `-` for standard input. */
export async function givenServers(call: Call): Promise<ServerEntry[]> {
  const { words, command, terminal } = call
  if (command !== undefined) {
    if (words.length > 1) throw usage('Expected one name before --', 'tenon add <name> -- <program> [argument…]')
    const line: Transport = { kind: 'stdio', command: command[0]!, args: command.slice(1), env: {} }
    return [named(words[0], await entryOf(line), call)]
  }
  const text = words.at(-1)
  if (text === undefined || words.length > 2 || (words.length === 1 && !isDescription(text))) throw incomplete(text)
  const name = words.length === 2 ? words[0] : undefined
  const entries = await pasted(text === '-' ? await standardInput(terminal.surroundings) : text)
  if (entries.length > 1 && name !== undefined)
    throw usage(`The text has ${entries.length} servers, and there is one name`, 'Leave the name out.')
  return entries.map((entry) => named(name, entry, call))
}

/** A name alone describes no server. */
const isDescription = (text: string): boolean => text === '-' || /[\s{:/]/.test(text)

const incomplete = (name: string | undefined): CommandFailure =>
  usage(
    'Expected a URL, a program after --, or a text to paste',
    `For example: tenon add ${name ?? 'time'} -- uvx mcp-server-time, or - for a text on standard input.`,
  )

async function entryOf(transport: Transport): Promise<ServerEntry> {
  const { parsePasted, summaryOf } = await import('@tenon/host/config')
  const source = { host: 'generic', title: '', scope: 'user', path: [] } as const
  const entry: ServerEntry = { name: 'server', source, transport, problems: [] }
  // The name that a person would give it.
  const [guessed] = (await parsePasted(summaryOf(entry))).entries
  return { ...entry, name: guessed?.name ?? entry.name }
}

async function pasted(text: string): Promise<ServerEntry[]> {
  const { describeProblem, parsePasted } = await import('@tenon/host/config')
  const { entries, problems } = await parsePasted(text)
  const all: Problem[] = [...problems]
  if (all.length === 0) return entries
  const lines = all.map(describeProblem).join('\n')
  const hint = 'Paste a config file or a part of one, an install link, a URL, or a command.'
  throw new CommandFailure(ExitCode.Usage, 'config', `The text cannot be used: ${lines}`, hint)
}

async function standardInput({ stdin }: Surroundings): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of stdin as AsyncIterable<Buffer | string>) {
    chunks.push(Buffer.from(chunk))
    bytes += chunks.at(-1)!.length
    if (bytes > maxPasteBytes) throw usage(`The text has more than ${maxPasteBytes} bytes`)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** The entry under its name, with the options of the command line. */
function named(name: string | undefined, entry: ServerEntry, { options, terminal }: Call): ServerEntry {
  const called = name ?? entry.name
  if (!isPlain(called) || called.trim() !== called || called === '' || called.length > 100 || called.startsWith('-'))
    throw usage(`Expected a name of at most 100 characters, got ${JSON.stringify(called.slice(0, 100))}`)
  const { cwd } = terminal.surroundings
  return withFullPaths({ ...entry, name: called, transport: withOptions(entry.transport, options, cwd) }, cwd)
}

function withOptions(transport: Transport, options: Call['options'], here: string): Transport {
  const { env, header, cwd } = options
  if (transport.kind !== 'stdio') {
    if (env.length > 0 || cwd !== undefined) throw usage('--env and --cwd are for programs, and this is a URL')
    return { ...transport, headers: { ...transport.headers, ...headers(header) } }
  }
  if (header.length > 0) throw usage('--header: a program gets no headers', 'Give it variables with --env NAME=value.')
  const pairs = env.map((line) => /^([^=]+)(?:=(.*))?$/s.exec(line) ?? wrongVariable(line))
  const given = pairs
    .filter(([, , value]) => value !== undefined)
    .map(([, name, value]): [string, string] => [name!, value!])
  const passed = pairs.filter(([, , value]) => value === undefined).map(([, name]) => name!)
  return {
    ...transport,
    env: { ...transport.env, ...Object.fromEntries(given) },
    ...(passed.length > 0 && { envFromHost: [...(transport.envFromHost ?? []), ...passed] }),
    ...(cwd !== undefined && { cwd: resolve(here, cwd) }),
  }
}

function wrongVariable(line: string): never {
  throw usage(`--env: expected NAME=value or NAME, got ${JSON.stringify(line)}`)
}

/** Paths of files that are here are written in full: hosts start programs in folders of their own. */
export function withFullPaths(entry: ServerEntry, folder: string): ServerEntry {
  const { transport } = entry
  if (transport.kind !== 'stdio' || transport.cwd !== undefined) return entry
  const full = (word: string): string => {
    const isPath = /[\\/]/.test(word) || /\.(?:[cm]?[jt]s|py|sh|jar)$/.test(word)
    const path = resolve(folder, word)
    return isPath && !isAbsolute(word) && !word.startsWith('-') && existsSync(path) ? path : word
  }
  return { ...entry, transport: { ...transport, command: full(transport.command), args: transport.args.map(full) } }
}
