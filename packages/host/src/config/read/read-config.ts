import { readFile, stat } from 'node:fs/promises'
import type { ConfigFile } from '../hosts/config-files.ts'
import { formatOf, hostByPath, hostByShape } from '../hosts/detect-host.ts'
import { entryFormats } from '../hosts/entry-formats.ts'
import { hostOf } from '../hosts/hosts.ts'
import type { HostId, InputDefinition, Scope, ServerEntry } from '../model.ts'
import type { Problem } from '../problem.ts'
import { entriesOf, type FoundRoot, rootsIn, strayServers } from './entry-roots.ts'
import { inputsFor, inputsIn, readInputs } from './inputs.ts'
import { type Format, type Parsed, parseText } from './parse-text.ts'
import { withPositions } from './problem-positions.ts'
import { readEntry } from './read-entry.ts'
import { isTree, mergeTrees, type Tree } from './tree.ts'

/** Known facts about a text. The others are detected from its name and its content. */
export interface ReadOptions {
  host?: HostId
  scope?: Scope
  format?: Format
  /** Named in problems and in entries. */
  file?: string
  /** The folder of the project that the file belongs to. */
  folder?: string
  /** Only entries of these projects are read; those of all projects by default. */
  projects?: readonly string[]
}

/** The contents of a config file. */
export interface Config {
  host: HostId
  entries: ServerEntry[]
  /** Of the file as a whole, and of entries that cannot be used; those of usable entries are with them. */
  problems: Problem[]
}

/** How large a file may be. Claude Code keeps histories in its own, which grows to megabytes. */
const maxBytes = 32 * 1024 * 1024
/** How many entries of a file are read. */
const maxEntries = 1_000

/** Reads a config file. Never throws: every error is among the problems. */
export async function readConfig(file: string | ConfigFile, options: ReadOptions = {}): Promise<Config> {
  const known: ReadOptions = typeof file === 'string' ? { file, ...options } : { ...file, ...options }
  const path = typeof file === 'string' ? file : file.file
  const host = known.host ?? hostByPath(path)
  const secrets = host && hostOf(host).secrets?.(path)
  const [text, over] = await Promise.all([readText(path), secrets ? readText(secrets) : undefined])
  if (typeof text !== 'string') return { host: host ?? 'generic', entries: [], problems: [text] }
  const laidOver = over === undefined ? undefined : await secretsIn(over, secrets!)
  const config = await readValue(text, { ...known, ...(host && { host }) }, laidOver?.value)
  if (laidOver?.problem) config.problems.push({ ...laidOver.problem, file: secrets! })
  return config
}

/** The contents of the secrets file, if there is one. */
async function secretsIn(text: string | Problem, file: string): Promise<Parsed> {
  if (typeof text === 'string') return parseText(text, formatOf(file))
  return text.message === reasons.get('ENOENT') ? { value: undefined } : { value: undefined, problem: text }
}

/** Reads the text of a config file. */
export const readConfigText = (text: string, options: ReadOptions = {}): Promise<Config> => readValue(text, options)

async function readValue(text: string, options: ReadOptions, laidOver?: unknown): Promise<Config> {
  const plain = text.startsWith('\uFEFF') ? text.slice(1) : text
  const format = options.format ?? (options.file ? formatOf(options.file) : hostOf(options.host ?? 'generic').format)
  const { value, problem } = await parseText(plain, format)
  const config = problem ? failed(problem, options) : readTree(mergeTrees(value, laidOver), format, options)
  return positioned(config, plain, format, options.file)
}

const failed = (problem: Problem, { host = 'generic' }: ReadOptions): Config => ({
  host,
  entries: [],
  problems: [problem],
})

/** Reads a parsed text. */
export function readTree(value: unknown, format: Format, options: ReadOptions): Config {
  const host = options.host ?? hostByShape(value, format)
  const config: Config = { host, entries: [], problems: [] }
  if (value !== undefined && !isTree(value)) {
    config.problems.push({ code: 'shape', message: 'expected an object at the top', path: [] })
  }
  const roots = rootsIn(value, host, options)
  for (const root of roots) readRoot(root, config, options)
  if (roots.length === 0) config.problems.push(...strayServers(value, host))
  return withInputs(config, inputsIn(value, entryFormats[host]))
}

/** Reads entries that stand alone, outside of any file. */
export function readEntries(host: HostId, entries: Tree, inputs?: unknown): Config {
  const config: Config = { host, entries: [], problems: [] }
  readRoot({ path: [], entries: entriesOf(entries), problems: [] }, config, {})
  return withInputs(config, readInputs(inputs))
}

function withInputs(config: Config, inputs: readonly InputDefinition[]): Config {
  const byId = new Map(inputs.map((input) => [input.id, input]))
  for (const entry of config.entries) Object.assign(entry, inputsFor(entry, byId))
  return config
}

function readRoot(root: FoundRoot, config: Config, { file, scope = 'user', folder }: ReadOptions): void {
  config.problems.push(...root.problems)
  if (root.entries.length > maxEntries) {
    config.problems.push({ code: 'too_large', message: `has more than ${maxEntries} servers`, path: root.path })
  }
  const { title } = hostOf(config.host)
  for (const [name, value, step] of root.entries.slice(0, maxEntries)) {
    const place = { host: config.host, title, scope: root.scope ?? scope, path: [...root.path, ...step] }
    const project = root.folder ?? folder
    const source = { ...place, ...(file !== undefined && { file }), ...(project !== undefined && { folder: project }) }
    const { entry, problems } = readEntry(name, value, entryFormats[config.host], source)
    config.problems.push(...problems)
    if (entry) config.entries.push(entry)
  }
}

async function positioned(config: Config, text: string, format: Format, file?: string): Promise<Config> {
  const named = (problem: Problem): Problem => (file === undefined ? problem : { ...problem, file })
  const all = [config, ...config.entries]
  const found = await withPositions(
    all.flatMap(({ problems }) => problems),
    text,
    format,
  )
  let start = 0
  for (const owner of all) {
    const end = start + owner.problems.length
    owner.problems = found.slice(start, end).map(named)
    start = end
  }
  return config
}

/** The text of a file, or why it cannot be had. */
async function readText(file: string): Promise<string | Problem> {
  try {
    const info = await stat(file)
    // Reading a pipe would block.
    if (!info.isFile()) return { code: 'unreadable', message: 'is not a file', file }
    if (info.size > maxBytes) return { code: 'too_large', message: `is larger than ${maxBytes} bytes`, file }
    return await readFile(file, 'utf8')
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException
    return { code: 'unreadable', message: reasons.get(code) ?? `cannot be read: ${code}`, file }
  }
}

const reasons: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'does not exist'],
  ['EACCES', 'may not be read by this user'],
  ['EPERM', 'may not be read by this user'],
  ['ELOOP', 'is a link that leads to itself'],
  ['EISDIR', 'is a folder'],
])
