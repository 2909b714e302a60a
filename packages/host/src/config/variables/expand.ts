import { readFile, stat } from 'node:fs/promises'
import { entryFormats } from '../hosts/entry-formats.ts'
import { type Env, foldersOf, pathsOf, variablesOf, type Whereabouts } from '../hosts/folders.ts'
import type { InputDefinition, ServerEntry, StdioTransport, Transport } from '../model.ts'
import { mapTexts, syntaxOf, textsOf } from './entry-texts.ts'
import { parseEnvFile } from './env-file.ts'
import { partsOf, type TextPart, type Variable } from './syntaxes.ts'

/** The sources of variables. */
export interface ExpandOptions extends Whereabouts {
  /** Answers that are known already, by the id of the input. */
  inputs?: ReadonlyMap<string, string> | Readonly<Record<string, string>>
  /** Asks the user; undefined leaves the input without a value. */
  askInput?(input: InputDefinition): string | undefined | Promise<string | undefined>
  /** Reads the files that entries refer to: `envFile` and `${file:…}`. False reads none. */
  readFile?: ((file: string) => Promise<string>) | false
}

/** A variable that stays in the entry as it was written, because there is nothing to put in its place. */
export interface Unresolved {
  /** As written, such as `${TOKEN}`. */
  text: string
  variable: Variable
  /** The path in the entry. */
  path: readonly (string | number)[]
  why: string
}

/** An entry with its variables filled in. */
export interface ResolvedEntry extends ServerEntry {
  unresolved: Unresolved[]
}

type Value = { value: string } | { why: string }

/** Fills in the variables of an entry, by the rules of the host that it was written for. Nothing is run. */
export async function expand(entry: ServerEntry, options: ExpandOptions = {}): Promise<ResolvedEntry> {
  const lookup = new Lookup(entry, options)
  const unresolved: Unresolved[] = []
  const filled = new Map<string, string>()
  for (const { text, path } of textsOf(entry)) {
    const parts = expands(entry, path) ? partsOf(text, syntaxOf(entry)) : [text]
    const values = await inTurn(parts, (part) => fill(part, path, lookup, unresolved))
    filled.set(JSON.stringify(path), values.join(''))
  }
  const mapped = mapTexts(entry, (text, path) => filled.get(JSON.stringify(path)) ?? text)
  const transport = await completed(mapped, lookup, unresolved)
  return { ...mapped, transport, unresolved }
}

const expands = ({ source }: ServerEntry, path: readonly (string | number)[]): boolean => {
  const only = entryFormats[source.host].variablesOnlyIn
  return only === undefined || only.includes(String(path[0]))
}

/** One after the other: the user is asked one question at a time. */
async function inTurn<T, R>(items: readonly T[], run: (item: T) => R | Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (const item of items) results.push(await run(item))
  return results
}

async function fill(
  part: TextPart,
  path: readonly (string | number)[],
  lookup: Lookup,
  unresolved: Unresolved[],
): Promise<string> {
  if (typeof part === 'string') return part
  const found = await lookup.find(part.variable)
  if ('value' in found) return found.value
  unresolved.push({ text: part.text, variable: part.variable, path, why: found.why })
  return part.text
}

/** Adds the variables, headers, files and the start folder that the entry refers to. */
async function completed(entry: ServerEntry, lookup: Lookup, unresolved: Unresolved[]): Promise<Transport> {
  const { transport } = entry
  const take = (name: string, path: readonly (string | number)[]): string | undefined => {
    const found = lookup.env(name)
    if ('value' in found) return found.value
    unresolved.push({ text: name, variable: { kind: 'env', name }, path, why: found.why })
    return undefined
  }
  if (transport.kind === 'stdio') return completedProcess(transport, lookup, take, unresolved)
  const { headersFromEnv = {}, ...rest } = transport
  const taken = Object.entries(headersFromEnv).map(([header, { variable, prefix = '' }]) => {
    const value = take(variable, ['headersFromEnv', header])
    return value === undefined ? undefined : ([header, prefix + value] as const)
  })
  return {
    ...rest,
    headers: Object.fromEntries([...Object.entries(rest.headers), ...taken.filter((pair) => pair !== undefined)]),
  }
}

async function completedProcess(
  { envFile, envFromHost = [], ...transport }: StdioTransport,
  lookup: Lookup,
  take: (name: string, path: readonly (string | number)[]) => string | undefined,
  unresolved: Unresolved[],
): Promise<StdioTransport> {
  const env = new Map<string, string>()
  if (envFile !== undefined) {
    const found = await lookup.file(envFile)
    const variable: Variable = { kind: 'file', name: envFile }
    if ('why' in found) unresolved.push({ text: envFile, variable, path: ['envFile'], why: found.why })
    else for (const [name, value] of parseEnvFile(found.value)) env.set(name, value)
  }
  for (const [index, name] of envFromHost.entries()) {
    const value = take(name, ['envFromHost', index])
    if (value !== undefined) env.set(name, value)
  }
  for (const [name, value] of Object.entries(transport.env)) env.set(name, value)
  const cwd = lookup.startFolder(transport.cwd)
  return { ...transport, env: Object.fromEntries(env), ...(cwd !== undefined && { cwd }) }
}

/** How large a file may be that an entry refers to. */
const maxFileBytes = 1024 * 1024

/** Finds values of variables for one entry. */
class Lookup {
  readonly #entry: ServerEntry
  readonly #options: ExpandOptions
  readonly #home: string
  readonly #folder: string
  readonly #paths: ReturnType<typeof pathsOf>
  readonly #variable: (name: string) => string | undefined
  readonly #answers: Map<string, string>

  constructor(entry: ServerEntry, options: ExpandOptions) {
    const { env = process.env, inputs = {} } = options
    const { cwd, home, platform } = foldersOf(options)
    this.#entry = entry
    this.#options = options
    this.#home = home
    this.#folder = entry.source.folder ?? cwd
    this.#paths = pathsOf(platform)
    this.#variable = variablesOf(withOwn(env, entry), platform)
    this.#answers = new Map(inputs instanceof Map ? inputs : Object.entries(inputs))
  }

  async find(variable: Variable): Promise<Value> {
    switch (variable.kind) {
      case 'env':
        return this.env(variable.name, variable.fallback)
      case 'input':
        return this.#input(variable.name)
      case 'file':
        return this.file(variable.name, (text) => text.trim())
      case 'place':
        return { value: this.#places()[variable.name] }
      case 'other':
        return { why: 'only its host can find it; nothing is run here' }
    }
  }

  env(name: string, fallback?: string): Value {
    const value = this.#variable(name) ?? fallback
    return value === undefined ? { why: `${name} is not set` } : { value }
  }

  async file(file: string, read: (text: string) => string = (text) => text): Promise<Value> {
    const { readFile: open = openFile } = this.#options
    if (open === false) return { why: 'files are not read' }
    try {
      return { value: read(await open(this.#resolve(file))) }
    } catch (error) {
      return { why: `the file cannot be read: ${(error as NodeJS.ErrnoException).code ?? (error as Error).message}` }
    }
  }

  /** The folder in which a process starts: that of the project, if the entry belongs to one. */
  startFolder(cwd: string | undefined): string | undefined {
    return cwd === undefined ? this.#entry.source.folder : this.#resolve(cwd)
  }

  async #input(id: string): Promise<Value> {
    const input = this.#entry.inputs?.find((candidate) => candidate.id === id) ?? { id, type: 'promptString' as const }
    const known = this.#answers.get(id)
    if (known !== undefined) return { value: known }
    if (input.type === 'command') return { why: 'is the output of a command of its host; nothing is run here' }
    const answer = await this.#options.askInput?.(input)
    if (answer === undefined) return { why: 'nobody has answered' }
    // One question, however often the entry refers to it.
    this.#answers.set(id, answer)
    return { value: answer }
  }

  #resolve(path: string): string {
    const { resolve, join, isAbsolute } = this.#paths
    if (/^~(?=[\\/]|$)/.test(path)) return join(this.#home, path.slice(1))
    return isAbsolute(path) ? path : resolve(this.#folder, path)
  }

  #places(): Record<Extract<Variable, { kind: 'place' }>['name'], string> {
    return {
      workspaceFolder: this.#folder,
      workspaceFolderBasename: this.#paths.basename(this.#folder),
      userHome: this.#home,
      pathSeparator: this.#paths.sep,
    }
  }
}

/** The environment, with the entry's own variables for headers. */
const withOwn = (env: Env, { transport }: ServerEntry): Env =>
  transport.kind === 'stdio' || transport.variables === undefined ? env : { ...env, ...transport.variables }

async function openFile(file: string): Promise<string> {
  const info = await stat(file)
  if (!info.isFile()) throw new Error('not a file')
  if (info.size > maxFileBytes) throw new Error(`larger than ${maxFileBytes} bytes`)
  return readFile(file, 'utf8')
}
