import { resolve } from 'node:path'
import type { Discovered, ServerEntry } from '@tenon/host/config'
import type { HeaderRecord } from '@tenon/sdk/client'
import type { CommandCall } from '../command.ts'
import { CommandFailure, ExitCode } from '../exit.ts'
import { didYouMean } from '../line/did-you-mean.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { builtInName, builtInTarget } from './built-in.ts'
import { givenVariables, inheritedPlace } from './environment.ts'
import { expandEntry } from './inputs.ts'
import type { targetOptions } from './options.ts'
import { sessionMemory } from './session-memory.ts'
import { headers, type ResolvedTarget } from './target.ts'
import { whereaboutsOf } from './whereabouts.ts'

type Options = typeof targetOptions

/** The servers of one file, or of all hosts on this machine. */
export async function readServers(file: string | undefined, terminal: Terminal): Promise<Discovered> {
  const { discoverServers, readConfig } = await import('@tenon/host/config')
  const { surroundings } = terminal
  if (file === undefined) return await discoverServers(whereaboutsOf(surroundings))
  const path = resolve(surroundings.cwd, file)
  const { entries, problems } = await readConfig(path)
  if (entries.length === 0 && problems.length > 0) throw broken(problems.map(describe))
  return { entries, problems, files: [] }
}

/** A server that a config file has a name for. */
export async function configuredTarget(
  call: CommandCall<Options>,
  name: string,
): Promise<Omit<ResolvedTarget, 'words'>> {
  const { findServer, toTarget } = await import('@tenon/host/config')
  const { terminal } = call
  const found = await readServers(call.options.config, terminal)
  const entry = findServer(found.entries, name)
  if (entry === undefined) {
    // A file that was named is the only place to look.
    if (name !== builtInName || call.options.config !== undefined) throw unknownServer(name, found)
    return { ...(await processTarget(call, builtInTarget(), {})), label: name }
  }
  tellAbout(entry, name === entry.name ? found.entries : [], terminal)
  const resolved = await expandEntry(call, withoutReplaced(entry, call.options))
  const { target, options } = toTarget(resolved)
  const { url } = resolved.transport as { url?: string }
  return {
    ...(typeof target === 'string' ? urlTarget(call, target, options) : await processTarget(call, target, options)),
    label: name,
    ...(url !== undefined && URL.canParse(url) && { url: new URL(url) }),
  }
}

/** The entry without the variables and headers that the command line gives: their placeholders need no value. */
function withoutReplaced(entry: ServerEntry, { env, header }: CommandCall<Options>['options']): ServerEntry {
  const { transport } = entry
  const without = (record: Record<string, string>, isGiven: (name: string) => boolean): Record<string, string> =>
    Object.fromEntries(Object.entries(record).filter(([name]) => !isGiven(name)))
  if (transport.kind === 'stdio') {
    const names = new Set(env.map((line) => line.split('=')[0]))
    return { ...entry, transport: { ...transport, env: without(transport.env, (name) => names.has(name)) } }
  }
  const names = new Set(Object.keys(headers(header)).map((name) => name.toLowerCase()))
  const left = without(transport.headers, (name) => names.has(name.toLowerCase()))
  return { ...entry, transport: { ...transport, headers: left } }
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

async function processTarget(
  call: CommandCall<Options>,
  target: Exclude<ResolvedTarget['target'], string>,
  options: ResolvedTarget['options'],
): Promise<Pick<ResolvedTarget, 'target' | 'options'>> {
  const { cwd } = call.options
  const { surroundings } = call.terminal
  const place = await inheritedPlace('network', surroundings)
  return {
    target: {
      ...target,
      ...place,
      ...(target.cwd !== undefined && { cwd: target.cwd }),
      env: { ...place.env, ...target.env, ...(await givenVariables(call.options, surroundings)) },
      ...(cwd !== undefined && { cwd: resolve(surroundings.cwd, cwd) }),
    },
    options,
  }
}

/** A project can name a server like one of the user's own, so a note says which of the `entries` is used. */
export function tellAbout(entry: ServerEntry, entries: readonly ServerEntry[], terminal: Terminal): void {
  const { told } = sessionMemory(terminal.surroundings.output)
  const tell = (text: string): void => {
    if (!told.has(text)) terminal.note(terminal.notes.dim(text))
    told.add(text)
  }
  if (entry.disabled) tell(`${entry.name} is switched off in ${entry.source.file}; it is used all the same.`)
  // The same server in several hosts is no surprise.
  const hidden = entries.filter((other) => other.shadowedBy === entry.source && !isSame(other, entry))
  const files = hidden.map(({ source }) => source.file).join(' or ')
  if (hidden.length > 0) tell(`${entry.name} is the one of ${entry.source.file}, not the one of ${files}.`)
}

const isSame = (one: ServerEntry, other: ServerEntry): boolean =>
  JSON.stringify(one.transport) === JSON.stringify(other.transport)

/** The failure of a name that no file has: with the reason if a file has it and it cannot be used. */
export function unknownServer(name: string, { entries, problems }: Discovered): CommandFailure {
  const own = problems.filter(({ path = [] }) => path.includes(name))
  if (own.length > 0) {
    const message = `The server ${JSON.stringify(name)} cannot be used`
    return new CommandFailure(ExitCode.Usage, 'config', [message, ...own.map(describe)].join('\n'), 'Change its entry.')
  }
  const names = entries.map((entry) => entry.name)
  const looked =
    names.length === 0
      ? `No servers are configured; ${builtInName} is built in.`
      : `There are ${[...new Set(names)].join(', ')}.`
  const hint = [
    meantTarget(name) ?? didYouMean(name, [...names, builtInName]) ?? looked,
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

/** A word that is an address without its scheme, or a program without `--`. */
function meantTarget(word: string): string | undefined {
  if (/^(?:localhost|\d+(?:\.\d+){3}|\[[\da-f:]+\]|[\w-]+(?:\.[\w-]+)+):\d+(?:\/|$)/i.test(word))
    return `Did you mean http://${word}?`
  if (/^(?:[\w-]+\.)+[a-z]{2,}\/\S*$/i.test(word) && !word.startsWith('.')) return `Did you mean https://${word}?`
  if (/\s/.test(word)) return `Did you mean -- ${word}?`
  if (/\.(?:[cm]?js|[cm]?ts)$/i.test(word)) return `Did you mean -- node ${word}?`
  if (/\.py$/i.test(word)) return `Did you mean -- python ${word}?`
  return /^\.{0,2}\//.test(word) ? `Did you mean -- ${word}?` : undefined
}

const broken = (problems: string[]): CommandFailure => new CommandFailure(ExitCode.Usage, 'config', problems.join('\n'))

const describe = ({ file, line, column, path = [], message }: Discovered['problems'][number]): string =>
  [[file, line, column].filter((part) => part !== undefined).join(':'), path.join('.'), message]
    .filter((part) => part !== '')
    .join(': ')
