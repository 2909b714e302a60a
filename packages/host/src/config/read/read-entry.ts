import type { EntryFormat, TimeMember, TransportKind } from '../hosts/entry-format.ts'
import type { AuthHints, HeaderFromEnv, ServerEntry, Source, Transport, UrlTransport } from '../model.ts'
import { targetTransport } from '../paste/command-line.ts'
import { describeType, type Problem } from '../problem.ts'
import { EntryFields } from './entry-fields.ts'
import { isTree, type Tree } from './tree.ts'

/** An entry, or only its problems. */
interface ReadEntry {
  entry?: ServerEntry
  problems: Problem[]
}

/** Reads one entry as a host writes it. */
export function readEntry(name: string, value: unknown, format: EntryFormat, source: Source): ReadEntry {
  if (!isTree(value)) {
    const message = `expected an object with a command or a URL, found ${describeType(value)}`
    return { problems: [{ code: 'shape', message, path: source.path }] }
  }
  const fields = new EntryFields(flat(value), source.path)
  fields.know(format.silent ?? [])
  const transport = readTransport(fields, format)
  if (transport === undefined) return { problems: fields.problems }
  const entry: ServerEntry = { name, source, transport, ...readRest(fields, format), problems: fields.problems }
  reportUnused(fields, format, transport)
  return { entry, problems: [] }
}

/** Some put how a server is reached into a member of its own. */
function flat(value: Tree): Tree {
  const { transport, command, ...rest } = value
  if (isTree(transport)) return flat({ ...transport, ...rest, ...(command !== undefined && { command }) })
  if (!isTree(command)) return value
  // As older versions of Zed write it: `{ "command": { "path": …, "args": …, "env": … } }`.
  const { path, ...members } = command
  return { ...rest, ...members, command: path }
}

function readTransport(fields: EntryFields, format: EntryFormat): Transport | undefined {
  const said = readKind(fields, format)
  if (said === 'unknown') return undefined
  const target = format.target === undefined ? undefined : fields.text([format.target])
  if (target !== undefined) return withMembers(targetTransport(target), fields, format)
  const stdio = said === undefined || said === 'stdio' ? readStdio(fields, format) : undefined
  const found = stdio ?? (said === 'stdio' ? undefined : readUrl(fields, format, said))
  if (found === undefined) fields.report('shape', `expected ${expectedMember(format, said)}, found none`)
  return found
}

/** The transport that the entry names; undefined if none, `unknown` if only its host can use it. */
function readKind(fields: EntryFields, format: EntryFormat): TransportKind | 'unknown' | undefined {
  const name = format.type?.names.find((candidate) => fields.has(candidate))
  if (format.type === undefined || name === undefined) return undefined
  const word = fields.text([name])
  if (word === undefined) return undefined
  const words = Object.entries(format.type.words) as [TransportKind, readonly string[]][]
  const found = words.find(([, all]) => all.includes(word))?.[0]
  if (found === undefined) {
    const known = words.flatMap(([, [first]]) => first ?? []).join(', ')
    fields.report('unsupported', `expected one of ${known}; whatever else there is, only its host can use`, [name])
  }
  return found ?? 'unknown'
}

function expectedMember(format: EntryFormat, said: TransportKind | undefined): string {
  const urls = format.urls.map(({ name }) => name)
  const names = said === 'stdio' ? format.command : said === undefined ? [...format.command, ...urls] : urls
  return names.join(' or ')
}

function readStdio(fields: EntryFields, format: EntryFormat): Transport | undefined {
  const name = format.command.find((candidate) => fields.has(candidate))
  if (name === undefined) return undefined
  const words = format.commandIsList
    ? fields.texts([name])
    : [fields.text([name]), ...(fields.texts([format.args]) ?? [])]
  const [command, ...args] = words?.filter((word) => word !== undefined) ?? []
  if (command === undefined || command.trim() === '') return undefined
  return withMembers({ kind: 'stdio', command, args, env: {} }, fields, format)
}

function readUrl(fields: EntryFields, format: EntryFormat, said: TransportKind | undefined): Transport | undefined {
  const member = format.urls.find(({ name }) => fields.has(name))
  const url = member && fields.text([member.name])
  if (member === undefined || url === undefined || url.trim() === '') return undefined
  const implied = /^wss?:/i.test(url) ? 'websocket' : member.kind
  const kind = said === undefined || said === 'stdio' ? implied : said
  return withMembers({ kind, url: url.trim(), headers: {} }, fields, format)
}

/** Adds the members that belong to a command or a URL. */
function withMembers(transport: Transport, fields: EntryFields, format: EntryFormat): Transport {
  if (transport.kind !== 'stdio') return withHeaders(transport, fields, format)
  const envName = format.env.find((candidate) => fields.has(candidate))
  const env = envName && fields.record([envName])
  const envFromHost = format.envFromHost && readNames(fields, format.envFromHost)
  const cwd = format.cwd && fields.text([format.cwd])
  const envFile = format.envFile && fields.text([format.envFile])
  return {
    ...transport,
    ...(env && { env }),
    ...(envFromHost && envFromHost.length > 0 && { envFromHost }),
    ...(cwd && { cwd }),
    ...(envFile && { envFile }),
  }
}

/** Names of variables; Codex also writes `{ name, source }`. */
function readNames(fields: EntryFields, member: string): string[] | undefined {
  const value = fields.at([member])
  if (!Array.isArray(value)) return fields.texts([member])
  return value.map((item) => (isTree(item) ? item.name : item)).filter((name) => typeof name === 'string')
}

function withHeaders(transport: UrlTransport, fields: EntryFields, format: EntryFormat): UrlTransport {
  const sources = format.headers.map((path) => fields.record(path))
  const headers: Record<string, string> = sources.find((found) => found !== undefined) ?? {}
  const bearer = format.bearer && fields.text(format.bearer)
  const authorized = bearer === undefined ? headers : { Authorization: `Bearer ${bearer}`, ...headers }
  const fromEnv = new Map<string, HeaderFromEnv>()
  const variable = format.bearerFromEnv && fields.text([format.bearerFromEnv])
  if (variable) fromEnv.set('Authorization', { variable, prefix: 'Bearer ' })
  const named = format.headersFromEnv && fields.record([format.headersFromEnv])
  for (const [header, name] of Object.entries(named || {})) fromEnv.set(header, { variable: name })
  const variables = format.variablesOnlyIn?.includes('headers') ? readVariables(fields, format) : undefined
  return {
    ...transport,
    headers: authorized,
    ...(fromEnv.size > 0 && { headersFromEnv: Object.fromEntries(fromEnv) }),
    ...(variables && { variables }),
  }
}

/** Variables for headers; those that are only named are looked up like any other. */
function readVariables(fields: EntryFields, format: EntryFormat): Record<string, string> | undefined {
  if (format.envFromHost !== undefined) fields.know([format.envFromHost])
  const variables = fields.record([format.env[0]!])
  return variables === undefined || Object.keys(variables).length === 0 ? undefined : variables
}

/** Everything that is not about reaching the server. */
function readRest(fields: EntryFields, format: EntryFormat): Partial<ServerEntry> {
  const off = (format.switches ?? []).filter(({ name, off }) => fields.flag([name]) === off).length > 0
  const timeoutMs = readTime(fields, format.timeout)
  const startTimeoutMs = readTime(fields, format.startTimeout)
  const auth = readAuth(fields, format)
  const allow = format.allow && readAllowed(fields, format.allow)
  const deny = format.deny && fields.texts([format.deny])
  return {
    ...(off && { disabled: true }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(startTimeoutMs !== undefined && { startTimeoutMs }),
    ...(auth && { auth }),
    ...((allow || deny) && { tools: { ...(allow && { allow }), ...(deny && { deny }) } }),
  }
}

/** A list of no tools, or one with a star, is how some hosts say all of them. */
function readAllowed(fields: EntryFields, member: string): string[] | undefined {
  const tools = fields.texts([member])
  return tools === undefined || tools.length === 0 || tools.includes('*') ? undefined : tools
}

function readTime(fields: EntryFields, time: TimeMember | undefined): number | undefined {
  if (time === undefined) return undefined
  // An object here holds several limits, each in a member of its own.
  const path = isTree(fields.at(time.path)) ? time.alsoAt : time.path
  const value = path && fields.number(path)
  return value === undefined ? undefined : value * (time.unit === 's' ? 1_000 : 1)
}

function readAuth(fields: EntryFields, { auth: usual, alsoAuth, scopesAreText }: EntryFormat): AuthHints | undefined {
  if (usual === undefined) return undefined
  const newer = Object.entries(alsoAuth ?? {}).filter(([, path]) => fields.at(path) !== undefined)
  const paths: typeof usual = { ...usual, ...Object.fromEntries(newer) }
  const auth: AuthHints = {}
  for (const name of ['clientId', 'clientSecret', 'metadataUrl', 'resource'] as const) {
    const value = paths[name] && fields.text(paths[name])
    if (value) auth[name] = value
  }
  const callbackPort = paths.callbackPort && fields.number(paths.callbackPort)
  if (callbackPort) auth.callbackPort = callbackPort
  const scopes = paths.scopes && readScopes(fields, paths.scopes, scopesAreText === true)
  if (scopes && scopes.length > 0) auth.scopes = scopes
  return Object.keys(auth).length === 0 ? undefined : auth
}

/** Scopes are a list here and one string there; either is understood. */
function readScopes(fields: EntryFields, path: readonly string[], asText: boolean): string[] | undefined {
  const value = fields.at(path)
  if (typeof value === 'string') return value.split(/[\s,]+/).filter((scope) => scope !== '')
  return Array.isArray(value) || !asText ? fields.texts(path) : fields.text(path)?.split(' ')
}

function reportUnused(fields: EntryFields, format: EntryFormat, transport: Transport): void {
  for (const name of fields.unread()) {
    const why = format.ignored && Object.hasOwn(format.ignored, name) ? format.ignored[name] : undefined
    if (format.programs?.includes(name))
      fields.report('not_run', 'names a program; nothing is run to find headers', [name])
    else if (why !== undefined) fields.report('ignored', why, [name])
    else fields.report('ignored', reasonFor(name, format, transport), [name])
  }
}

/** The reason why a member was not read. */
function reasonFor(name: string, format: EntryFormat, { kind }: Transport): string {
  const ofUrl = [...format.urls.map((url) => url.name), ...format.headers.map(([first]) => first)]
  const ofProcess = [...format.command, format.args, ...format.env, format.cwd, format.envFile]
  if (kind === 'stdio' && ofUrl.includes(name)) return 'says nothing about a process'
  if (kind !== 'stdio' && ofProcess.includes(name)) return 'says nothing about a URL'
  return 'is not known here'
}
