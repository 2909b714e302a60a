import type { EntryFormat, TransportKind } from './hosts/entry-format.ts'
import { entryFormats } from './hosts/entry-formats.ts'
import { hostOf } from './hosts/hosts.ts'
import type { HostId, ServerEntry, StdioTransport, UrlTransport } from './model.ts'
import { ConfigError, type Problem } from './problem.ts'
import type { Format } from './read/parse-text.ts'
import type { Tree } from './read/tree.ts'
import { syntaxOf } from './variables/entry-texts.ts'
import { partsOf, type Syntax, syntaxes, type TextPart, type Variable } from './variables/syntaxes.ts'

/** An entry as a host writes it. */
export interface Snippet {
  host: HostId
  format: Format
  /** The text for the host's file, from the top. */
  text: string
  /** The entry alone. */
  value: Tree
  /** Members that the host cannot express. */
  lost: Problem[]
}

/** Writes an entry as another host does. Throws a `ConfigError` if the host cannot reach such a server at all. */
export async function toSnippet(entry: ServerEntry, host: HostId): Promise<Snippet> {
  const writer = new Writer(entry, host)
  const value = writer.write()
  const { format } = hostOf(host)
  return { host, format, text: await printTree(wrapped(entry, host, value), format), value, lost: writer.lost }
}

/** The entry where it belongs in a file. */
function wrapped(entry: ServerEntry, host: HostId, value: Tree): Tree {
  const { roots, variables } = entryFormats[host]
  const root = roots.find(({ readOnly }) => !readOnly) ?? roots[0]!
  const entries = root.list ? [{ name: entry.name, ...value }] : Object.fromEntries([[entry.name, value]])
  const tree = root.path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), entries) as Tree
  return variables === 'vscode' && entry.inputs ? { ...tree, inputs: entry.inputs } : tree
}

async function printTree(tree: Tree, format: Format): Promise<string> {
  if (format === 'toml') return (await import('smol-toml')).stringify(tree)
  if (format === 'yaml') return (await import('yaml')).stringify(tree)
  return `${JSON.stringify(tree, null, 2)}\n`
}

type Path = readonly (string | number)[]

/** Collects the members of one entry, and the losses. */
class Writer {
  readonly lost: Problem[] = []
  readonly #entry: ServerEntry
  readonly #title: string
  readonly #format: EntryFormat
  readonly #from: Syntax
  readonly #to: Syntax
  readonly #members = new Map<string, unknown>()

  constructor(entry: ServerEntry, host: HostId) {
    this.#entry = entry
    this.#title = hostOf(host).title
    this.#format = entryFormats[host]
    this.#from = syntaxOf(entry)
    this.#to = syntaxes[this.#format.variables]
  }

  write(): Tree {
    const { transport, tools, auth, timeoutMs, startTimeoutMs } = this.#entry
    for (const [name, value] of Object.entries(this.#format.constants ?? {})) this.#put([name], value)
    if (this.#format.ownName) this.#put([this.#format.ownName], this.#entry.name)
    if (transport.kind === 'stdio') this.#process(transport)
    else this.#url(transport)
    if (this.#entry.disabled) this.#switchOff()
    this.#time('timeoutMs', timeoutMs, this.#format.timeout)
    this.#time('startTimeoutMs', startTimeoutMs, this.#format.startTimeout)
    this.#optional('tools.allow', tools?.allow, this.#format.allow && [this.#format.allow])
    this.#optional('tools.deny', tools?.deny, this.#format.deny && [this.#format.deny])
    for (const [name, value] of Object.entries(auth ?? {})) this.#auth(name as keyof typeof auth, value)
    return treeFrom(this.#members)
  }

  #process({ command, args, env, envFromHost = [], cwd, envFile }: StdioTransport): void {
    const format = this.#format
    this.#kind('stdio', format.command[0]!)
    const words = [this.#say(command, ['command']), ...args.map((arg, index) => this.#say(arg, ['args', index]))]
    if (format.commandIsList) this.#put([format.command[0]!], words)
    else {
      this.#put([format.command[0]!], words[0])
      if (args.length > 0 || format.type?.always) this.#put([format.args], words.slice(1))
    }
    this.#env(env, envFromHost)
    this.#optional('cwd', cwd && this.#say(cwd, ['cwd']), format.cwd && [format.cwd])
    this.#optional('envFile', envFile && this.#say(envFile, ['envFile']), format.envFile && [format.envFile])
  }

  /** A variable that is only passed on is named in a list, where the host has one. */
  #env(env: Record<string, string>, envFromHost: readonly string[]): void {
    const { envFromHost: list, env: names } = this.#format
    const parts = new Map<string, TextPart[]>(
      Object.entries(env).map(([name, text]) => [name, partsOf(text, this.#from)]),
    )
    for (const name of envFromHost) parts.set(name, [reference(name)])
    const passed =
      list === undefined ? [] : [...parts].filter(([name, value]) => isReference(value, name)).map(([name]) => name)
    const said = [...parts].filter(([name]) => !passed.includes(name))
    if (said.length > 0)
      this.#put([names[0]!], Object.fromEntries(said.map(([name, value]) => [name, this.#print(value, ['env', name])])))
    if (list !== undefined && passed.length > 0) this.#put([list], passed)
  }

  #url({ kind, url, headers, headersFromEnv = {} }: UrlTransport): void {
    const member = this.#format.urls.find(({ writes }) => writes?.includes(kind))
    if (member === undefined) throw this.#unsupported(kind)
    this.#kind(kind, member.name)
    this.#put([member.name], this.#say(url, ['url']))
    const parts = new Map<string, TextPart[]>(
      Object.entries(headers).map(([name, text]) => [name, partsOf(text, this.#from)]),
    )
    for (const [name, { variable, prefix }] of Object.entries(headersFromEnv)) {
      parts.set(name, [...(prefix ? [prefix] : []), reference(variable)])
    }
    for (const [name, value] of parts) this.#header(name, value)
  }

  #header(name: string, value: readonly TextPart[]): void {
    const { headers, headersFromEnv, bearerFromEnv } = this.#format
    const [first, second] = value
    const bearer =
      value.length === 2 && first === 'Bearer ' && /^authorization$/i.test(name) ? variableIn(second) : undefined
    const only = value.length === 1 ? variableIn(first) : undefined
    if (bearerFromEnv !== undefined && bearer !== undefined) this.#put([bearerFromEnv], bearer)
    else if (headersFromEnv !== undefined && only !== undefined) this.#put([headersFromEnv, name], only)
    else this.#put([...headers[0]!, name], this.#print(value, ['headers', name]))
  }

  /** Says how the server is reached, where that is not obvious from the other members. */
  #kind(kind: TransportKind, member: string): void {
    const { type, urls } = this.#format
    if (type === undefined) return
    const implied = kind === 'stdio' || urls.find(({ name }) => name === member)?.kind === kind
    const word = type.words[kind]?.[0] ?? (kind === 'sse' ? type.words.http?.[0] : undefined)
    if (word === undefined) throw this.#unsupported(kind)
    if (type.always || !implied) this.#put([type.names[0]!], word)
  }

  #switchOff(): void {
    const [first] = this.#format.switches ?? []
    if (first) this.#put([first.name], first.off)
    else this.#lose('the entry is switched off, which cannot be said', ['disabled'])
  }

  #time(name: string, value: number | undefined, member: EntryFormat['timeout']): void {
    this.#optional(
      name,
      value && (member?.unit === 's' ? value / 1_000 : value),
      member?.readOnly ? undefined : member?.path,
    )
  }

  #auth(name: keyof NonNullable<ServerEntry['auth']>, value: unknown): void {
    const said = typeof value === 'string' ? this.#say(value, ['auth', name]) : value
    const joined = name === 'scopes' && this.#format.scopesAreText && Array.isArray(said) ? said.join(' ') : said
    this.#optional(`auth.${name}`, joined, this.#format.auth?.[name])
  }

  /** Writes a value if the host has a member for it, otherwise reports it as lost. */
  #optional(name: string, value: unknown, path: readonly string[] | '' | undefined): void {
    if (value === undefined || value === '') return
    if (path) this.#put(path, value)
    else this.#lose('there is no member for it', name.split('.'))
  }

  #say(text: string, path: Path): string {
    return this.#print(partsOf(text, this.#from), path)
  }

  #print(parts: readonly TextPart[], path: Path): string {
    const only = this.#format.variablesOnlyIn
    const printed = parts.map((part) => {
      if (typeof part === 'string') {
        if (partsOf(part, this.#to).some((other) => typeof other !== 'string'))
          this.#lose('it would be read as a variable', path)
        return part
      }
      const written = only === undefined || only.includes(String(path[0])) ? this.#to.write(part.variable) : undefined
      if (written === undefined) this.#lose(`${nameOf(part.variable)} would not be filled in`, path)
      return written ?? part.text
    })
    return printed.join('')
  }

  #put(path: readonly string[], value: unknown): void {
    let members = this.#members
    for (const name of path.slice(0, -1)) {
      const inner = members.get(name)
      const next: Map<string, unknown> = inner instanceof Map ? inner : new Map()
      members.set(name, next)
      members = next
    }
    members.set(path.at(-1)!, value)
  }

  #lose(why: string, path: Path): void {
    this.lost.push({ code: 'lost', message: `in ${this.#title} ${why}`, path: [this.#entry.name, ...path] })
  }

  #unsupported(kind: TransportKind): ConfigError {
    const means = kind === 'stdio' ? 'processes' : `servers by ${kind}`
    return new ConfigError({
      code: 'unsupported',
      message: `config files of ${this.#title} cannot name ${means}`,
      path: [this.#entry.name],
    })
  }
}

/** The name of a variable, without its default, which may be a secret. */
const nameOf = (variable: Variable): string =>
  variable.kind === 'other' ? 'what only the host knows' : `the variable ${variable.name}`

const reference = (name: string): TextPart => ({ variable: { kind: 'env', name }, text: `\${${name}}` })

const variableIn = (part: TextPart | undefined): string | undefined =>
  typeof part === 'object' && part.variable.kind === 'env' && part.variable.fallback === undefined
    ? part.variable.name
    : undefined

const isReference = (value: readonly TextPart[], name: string): boolean =>
  value.length === 1 && variableIn(value[0]) === name

const treeFrom = (members: ReadonlyMap<string, unknown>): Tree =>
  Object.fromEntries([...members].map(([name, value]) => [name, value instanceof Map ? treeFrom(value) : value]))
