import { type Command, commonOptions } from '../command.ts'
import { commandNames, loadCommand } from '../commands.ts'
import type { OptionTable } from '../line/options.ts'
import { splitWords } from '../repl/split.ts'
import { makeCall } from '../run.ts'
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
  ['completion', ['bash', 'zsh', 'fish']],
  ['auth', ['login', 'status', 'logout']],
])

/** Answers a shell: `bash|zsh|fish`, where the cursor is, and the line. Never throws. */
export async function completeForShell(argv: readonly string[], surroundings: Surroundings): Promise<void> {
  const [shell = '', point = '', line = ''] = argv
  const at = Number(point) || line.length
  const found = await lineCandidates(line.slice(0, at), line.slice(at), surroundings).catch(() => undefined)
  if (found === undefined) return
  const skipped = shell === 'bash' ? brokenOff(found.current) : 0
  const lines = found.words
    // Names come from servers: only plain text goes into a command line.
    .filter(isPlain)
    .map((word) => (shell === 'bash' ? quoted(word.slice(skipped)) : word))
  surroundings.output.writeResult(join(lines.map((word) => say`${word}\n`)))
}

/** Bash completes the text after the last `=` or `:`. */
const brokenOff = (current: string): number => Math.max(current.lastIndexOf('='), current.lastIndexOf(':')) + 1

const quoted = (word: string): string => word.replace(/[^\p{L}\p{N}_@%+=:,./-]/gu, '\\$&')

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
  if (!Object.hasOwn(options, 'revision')) return []
  const program = programIn(after)
  if (program === undefined && withoutOptions(words, options).length === 0)
    return await serverNames(words, surroundings)
  return await offered(command, words, current, program, surroundings)
}

async function optionValues(
  option: string,
  options: OptionTable,
  current: string,
  { cwd }: Surroundings,
): Promise<string[]> {
  const spec = options[option]!
  if (spec.type === 'choice') return [...spec.choices]
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
  return entries.map(({ name }) => name)
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
    const { target } = await resolveTarget(call)
    // Tab must not start a program, least of all one of a folder's config file.
    if (typeof target !== 'string' && surroundings.env.TENON_COMPLETE !== 'start') return []
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
