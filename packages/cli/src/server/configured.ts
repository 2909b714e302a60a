import { resolve } from 'node:path'
import type { Discovered, ServerEntry } from '@tenon/host/config'
import type { HeaderRecord } from '@tenon/sdk/client'
import type { CommandCall } from '../command.ts'
import { CommandFailure, ExitCode } from '../exit.ts'
import { didYouMean } from '../line/did-you-mean.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { say } from '../terminal/text.ts'
import type { connectionOptions } from './options.ts'
import { headers, placeIn, type ResolvedTarget, variables } from './target.ts'

type Options = typeof connectionOptions

/** The servers of one file, or of all hosts on this machine. */
export async function readServers(file: string | undefined, terminal: Terminal): Promise<Discovered> {
  const { discoverServers, readConfig } = await import('@tenon/host/config')
  const { cwd, env } = terminal.surroundings
  if (file === undefined) return await discoverServers({ cwd, env })
  const path = resolve(cwd, file)
  const { entries, problems } = await readConfig(path)
  if (entries.length === 0 && problems.length > 0) throw broken(problems.map(describe))
  return { entries, problems, files: [] }
}

/** A server that a config file has a name for. */
export async function configuredTarget(
  call: CommandCall<Options>,
  name: string,
): Promise<Omit<ResolvedTarget, 'words'>> {
  const { expand, findServer, toTarget } = await import('@tenon/host/config')
  const { terminal } = call
  const { cwd, env } = terminal.surroundings
  const found = await readServers(call.options.config, terminal)
  const entry = findServer(found.entries, name)
  if (entry === undefined) throw unknown(name, found)
  tellAbout(entry, found.entries, terminal)
  const resolved = await expand(entry, { cwd, env })
  for (const { text, why } of resolved.unresolved) {
    terminal.warn(say`${terminal.notes.yellow('warning:')} ${name}: ${text} stays as it is: ${why}`)
  }
  const { target, options } = toTarget(resolved)
  const { url } = resolved.transport as { url?: string }
  return {
    ...(typeof target === 'string' ? urlTarget(call, target, options) : processTarget(call, target, options)),
    label: name,
    ...(url !== undefined && URL.canParse(url) && { url: new URL(url) }),
  }
}

function urlTarget(
  call: CommandCall<Options>,
  target: string,
  options: ResolvedTarget['options'],
): Pick<ResolvedTarget, 'target' | 'options'> {
  return {
    target,
    options: {
      ...options,
      headers: { ...(options.headers as HeaderRecord | undefined), ...headers(call.options.header) },
    },
  }
}

function processTarget(
  call: CommandCall<Options>,
  target: Exclude<ResolvedTarget['target'], string>,
  options: ResolvedTarget['options'],
): Pick<ResolvedTarget, 'target' | 'options'> {
  const { env, cwd } = call.options
  const { surroundings } = call.terminal
  const place = placeIn(surroundings)
  return {
    target: {
      ...place,
      ...target,
      env: { ...place.env, ...target.env, ...variables(env, surroundings.env) },
      ...(cwd !== undefined && { cwd: resolve(surroundings.cwd, cwd) }),
    },
    options,
  }
}

/** A project can name a server like one of the user's own, so a note says which one is used. */
function tellAbout(entry: ServerEntry, entries: readonly ServerEntry[], terminal: Terminal): void {
  const { notes } = terminal
  if (entry.disabled)
    terminal.note(notes.dim(`${entry.name} is switched off in ${entry.source.file}; it is used all the same.`))
  const hidden = entries.find((other) => other.shadowedBy === entry.source)
  if (hidden)
    terminal.note(notes.dim(`${entry.name} is the one of ${entry.source.file}, not the one of ${hidden.source.file}.`))
}

function unknown(name: string, { entries, problems }: Discovered): CommandFailure {
  const names = entries.map((entry) => entry.name)
  const looked = names.length === 0 ? 'No servers are configured.' : `There are ${[...new Set(names)].join(', ')}.`
  const hint = [
    didYouMean(name, names) ?? looked,
    'A URL begins with https://, and a program stands after --.',
    ...problems.filter(({ code }) => code === 'syntax' || code === 'unreadable').map(describe),
  ].join('\n')
  return new CommandFailure(
    ExitCode.Usage,
    'unknown_server',
    `No config file has a server named ${JSON.stringify(name)}`,
    hint,
  )
}

const broken = (problems: string[]): CommandFailure => new CommandFailure(ExitCode.Usage, 'config', problems.join('\n'))

const describe = ({ file, line, column, message }: Discovered['problems'][number]): string =>
  `${[file, line, column].filter((part) => part !== undefined).join(':')}: ${message}`
