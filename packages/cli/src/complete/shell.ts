import { type Command, commonOptions } from '../command.ts'
import { commandNames, loadCommand } from '../commands.ts'
import { isKept } from '../keep/kept-channel.ts'
import type { OptionTable } from '../line/options.ts'
import { splitWords } from '../repl/split.ts'
import { makeCall } from '../run.ts'
import { builtInName } from '../server/built-in.ts'
import { readServers } from '../server/configured.ts'
import { openServer } from '../server/connect.ts'
import { resolveTarget } from '../server/target.ts'
import { type Surroundings, Terminal } from '../terminal/terminal.ts'
import { isPlain, join, say } from '../terminal/text.ts'
import { candidates, optionBefore, withoutOptions } from './candidates.ts'
import { Catalog } from './catalog.ts'
import { fileCandidates } from './files.ts'

/** The timeout of a completion in milliseconds: Tab does not wait for a slow server. */
const patience = ({ env }: Surroundings): number => Number(env.TENON_COMPLETE_WAIT) || 1_500

/** Words that come first in commands without a target. */
const ownWords = new Map([
  ['completion', ['bash', 'zsh', 'fish', 'powershell']],
  ['auth', ['login', 'status', 'logout']],
])

/** Answers a shell: `bash|zsh|fish|powershell`, where the cursor is, and the line. Never throws. */
export async function completeForShell(argv: readonly string[], surroundings: Surroundings): Promise<void> {
  const [shell = '', point = '', line = ''] = argv
  const at = Number(point) || line.length
  const found = await lineCandidates(line.slice(0, at), line.slice(at), surroundings).catch(() => undefined)
  if (found === undefined) return
  const skipped = shell === 'bash' ? brokenOff(found.current) : 0
  const lines = found.words
    // Names come from servers: only plain text goes into a command line.
    .filter(isPlain)
    .map((word) => quotings.get(shell)?.(word.slice(skipped)) ?? word)
  surroundings.output.writeResult(join(lines.map((word) => say`${word}\n`)))
}

/** Bash completes the text after the last `=` or `:`. */
const brokenOff = (current: string): number => Math.max(current.lastIndexOf('='), current.lastIndexOf(':')) + 1

const quoted = (word: string): string => word.replace(/[^\p{L}\p{N}_@%+=:,./-]/gu, '\\$&')

// PowerShell takes typographic quotes for quotes too, and a comma for a list.
const quotedForPowerShell = (word: string): string =>
  /^[\p{L}\p{N}_%+=:./-]+$/u.test(word) ? word : `'${word.replace(/['\u2018-\u201b]/g, '$&$&')}'`

/** The shells that put a candidate into the line as it is. */
const quotings: ReadonlyMap<string, (word: string) => string> = new Map([
  ['bash', quoted],
  ['powershell', quotedForPowerShell],
])

interface Found {
  current: string
  words: string[]
}

async function lineCandidates(before: string, after: string, surroundings: Surroundings): Promise<Found> {
  const split = splitWords(before)
  const isNew = split.lastAt === before.length
  const typed = split.words.slice(split.words.findIndex((word) => /(?:^|[\\/])tenon(?:\.js)?$/.test(word)) + 1)
  const current = isNew ? '' : (typed.pop() ?? '')
  const [name, ...words] = typed
  const found = name === undefined ? firstWords() : await laterWords(name, words, current, after, surroundings)
  return { current, words: [...new Set(found)].filter((word) => word.startsWith(current)).sort() }
}

const firstWords = (): string[] => [...commandNames(), 'help', '--help', '--version']

async function laterWords(
  name: string,
  words: readonly string[],
  current: string,
  after: string,
  surroundings: Surroundings,
): Promise<string[]> {
  if (name === 'help') return commandNames()
  const command = await loadCommand(name)
  // Words after `--` belong to another program.
  if (command === undefined || words.includes('--')) return []
  const options: OptionTable = { ...command.options, ...commonOptions }
  if (current.startsWith('-') && current !== '-') return Object.keys(options).map((option) => `--${option}`)
  const option = optionBefore(words, options)
  if (option !== undefined && option !== 'tool') return await optionValues(option, options, current, surroundings)
  const own = ownWords.get(name)
  if (own) return withoutOptions(words, options).length === 0 ? own : []
  if (serverCommands.has(name)) return await serverNames(words, surroundings)
  if (!Object.hasOwn(options, 'revision')) return []
  // It takes any number of servers, and nothing of theirs.
  if (name === 'chat') return await serverNames(words, surroundings)
  const program = programIn(after)
  const [target] = withoutOptions(words, options)
  if (program !== undefined) return await offered(command, words, current, program, surroundings)
  const names = target === undefined || name === 'call' ? await serverNames(words, surroundings) : []
  if (target === undefined) {
    const server = name === 'call' ? serverIn(current, names) : undefined
    if (server === undefined) return names
    const tools = await offered(command, [...words, server], current.slice(server.length + 1), undefined, surroundings)
    return tools.map((tool) => `${server}.${tool}`)
  }
  const server = serverIn(target, names)
  const split = server === undefined ? [target] : [server, target.slice(server.length + 1)]
  const at = words.indexOf(target)
  const parts = [...words.slice(0, at), ...split, ...words.slice(at + 1)]
  return await offered(command, parts, current, undefined, surroundings)
}

/** The server of `server.tool`, unless the whole word is the name of one. */
const serverIn = (word: string, names: readonly string[]): string | undefined =>
  names.includes(word)
    ? undefined
    : names.filter((name) => word.startsWith(`${name}.`)).sort((a, b) => b.length - a.length)[0]

/** Commands whose words are names of servers, and nothing of theirs. */
const serverCommands = new Set([
  ...['servers', 'up', 'down', 'enable', 'disable', 'remove'],
  ...['install', 'uninstall', 'link', 'export'],
])

async function optionValues(
  option: string,
  options: OptionTable,
  current: string,
  { cwd }: Surroundings,
): Promise<string[]> {
  const spec = options[option]!
  if (spec.type === 'choice') return [...spec.choices]
  if ('value' in spec && /^host/.test(spec.value ?? '')) {
    const { knownHosts } = await import('@tenon/host/config')
    const before = current.slice(0, current.lastIndexOf(',') + 1)
    return knownHosts.map(({ id }) => `${before}${id}`)
  }
  return 'value' in spec && /file|folder|answer/.test(spec.value ?? '') ? await fileCandidates(current, cwd) : []
}

/** The program after the cursor. */
function programIn(after: string): string[] | undefined {
  const { words } = splitWords(after)
  const at = words.indexOf('--')
  return at < 0 || at === words.length - 1 ? undefined : words.slice(at)
}

async function serverNames(words: readonly string[], surroundings: Surroundings): Promise<string[]> {
  const at = words.findIndex((word) => word === '--config' || word === '-c')
  const terminal = new Terminal(surroundings, { quiet: true })
  const { entries } = await readServers(at < 0 ? undefined : words[at + 1], terminal)
  return [...new Set([...entries.map(({ name }) => name), ...(at < 0 ? [builtInName] : [])])]
}

/** Completions from the server, if it answers in time. */
async function offered(
  command: Command,
  words: readonly string[],
  current: string,
  program: string[] | undefined,
  surroundings: Surroundings,
): Promise<string[]> {
  const timeoutMs = patience(surroundings)
  const signal = AbortSignal.timeout(timeoutMs)
  const late = new Promise<string[]>((resolve) => signal.addEventListener('abort', () => resolve([]), { once: true }))
  const ask = async (): Promise<string[]> => {
    const call = makeCall(command, [...words, ...(program ?? [])], surroundings, signal)
    // Tab must not start a program, least of all one of a folder's config file. A kept one runs already.
    if (surroundings.env.TENON_COMPLETE !== 'start' && !(await isKept(call))) {
      const { target } = await resolveTarget(call)
      if (typeof target !== 'string') return []
    }
    const { client } = await openServer(call)
    const catalog = new Catalog(client, { signal, timeoutMs })
    const table = { ...command.options, ...commonOptions }
    const own = program ? words : withoutTarget(words, table)
    return await candidates(
      { command: command.name, words: own, current, options: table, cwd: surroundings.cwd },
      catalog,
    )
  }
  return await Promise.race([ask(), late])
}

/** The words without the first that is no option. */
function withoutTarget(words: readonly string[], options: OptionTable): string[] {
  const at = words.indexOf(withoutOptions(words, options)[0]!)
  return [...words.slice(0, at), ...words.slice(at + 1)]
}
