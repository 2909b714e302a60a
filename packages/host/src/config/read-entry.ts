import { targetTransport } from './command-line.ts'
import { Fields } from './fields.ts'
import type { AuthHints, HeaderFromEnv, ServerEntry, Source, Transport, UrlTransport } from './model.ts'
import { kindOf, type Problem } from './problem.ts'
import type { Shape, TimeMember, TransportKind } from './shape.ts'
import { isTree, type Tree } from './tree.ts'

/** An entry, or nothing but what is wrong with it. */
export interface ReadEntry {
  entry?: ServerEntry
  problems: Problem[]
}

/** Reads one entry as a host writes it. */
export function readEntry(name: string, value: unknown, shape: Shape, source: Source): ReadEntry {
  if (!isTree(value)) {
    const message = `expected an object with a command or a URL, found ${kindOf(value)}`
    return { problems: [{ code: 'shape', message, path: source.path }] }
  }
  const fields = new Fields(flat(value), source.path)
  fields.know(shape.silent ?? [])
  const transport = readTransport(fields, shape)
  if (transport === undefined) return { problems: fields.problems }
  const entry: ServerEntry = { name, source, transport, ...readRest(fields, shape), problems: fields.problems }
  reportUnused(fields, shape, transport)
  return { entry, problems: [] }
}

/** Some put how a server is reached into a member of its own. */
function flat(value: Tree): Tree {
  const { transport, ...rest } = value
  return isTree(transport) ? { ...transport, ...rest } : value
}

function readTransport(fields: Fields, shape: Shape): Transport | undefined {
  const said = readKind(fields, shape)
  if (said === 'unknown') return undefined
  const target = shape.target === undefined ? undefined : fields.text([shape.target])
  if (target !== undefined) return withMembers(targetTransport(target), fields, shape)
  const stdio = said === undefined || said === 'stdio' ? readStdio(fields, shape) : undefined
  const found = stdio ?? (said === 'stdio' ? undefined : readUrl(fields, shape, said))
  if (found === undefined) fields.report('shape', `expected ${expectedMember(shape, said)}, found none`)
  return found
}

/** What the entry says it is; undefined if it does not say, `unknown` if only its host can use it. */
function readKind(fields: Fields, shape: Shape): TransportKind | 'unknown' | undefined {
  const name = shape.type?.names.find((candidate) => fields.has(candidate))
  if (shape.type === undefined || name === undefined) return undefined
  const word = fields.text([name])
  if (word === undefined) return undefined
  const words = Object.entries(shape.type.words) as [TransportKind, readonly string[]][]
  const found = words.find(([, all]) => all.includes(word))?.[0]
  if (found === undefined) {
    const known = words.flatMap(([, [first]]) => first ?? []).join(', ')
    fields.report('unsupported', `expected one of ${known}; whatever else there is, only its host can use`, [name])
  }
  return found ?? 'unknown'
}

function expectedMember(shape: Shape, said: TransportKind | undefined): string {
  const urls = shape.urls.map(({ name }) => name)
  const names = said === 'stdio' ? shape.command : said === undefined ? [...shape.command, ...urls] : urls
  return names.join(' or ')
}

function readStdio(fields: Fields, shape: Shape): Transport | undefined {
  const name = shape.command.find((candidate) => fields.has(candidate))
  if (name === undefined) return undefined
  const words = shape.commandIsList
    ? fields.texts([name])
    : [fields.text([name]), ...(fields.texts([shape.args]) ?? [])]
  const [command, ...args] = words?.filter((word) => word !== undefined) ?? []
  if (command === undefined || command.trim() === '') return undefined
  return withMembers({ kind: 'stdio', command, args, env: {} }, fields, shape)
}

function readUrl(fields: Fields, shape: Shape, said: TransportKind | undefined): Transport | undefined {
  const member = shape.urls.find(({ name }) => fields.has(name))
  const url = member && fields.text([member.name])
  if (member === undefined || url === undefined || url.trim() === '') return undefined
  const implied = /^wss?:/i.test(url) ? 'websocket' : member.kind
  const kind = said === undefined || said === 'stdio' ? implied : said
  return withMembers({ kind, url: url.trim(), headers: {} }, fields, shape)
}

/** What goes with a command or a URL. */
function withMembers(transport: Transport, fields: Fields, shape: Shape): Transport {
  if (transport.kind !== 'stdio') return withHeaders(transport, fields, shape)
  const envName = shape.env.find((candidate) => fields.has(candidate))
  const env = envName && fields.record([envName])
  const envFromHost = shape.envFromHost && readNames(fields, shape.envFromHost)
  const cwd = shape.cwd && fields.text([shape.cwd])
  const envFile = shape.envFile && fields.text([shape.envFile])
  return {
    ...transport,
    ...(env && { env }),
    ...(envFromHost && envFromHost.length > 0 && { envFromHost }),
    ...(cwd && { cwd }),
    ...(envFile && { envFile }),
  }
}

/** Names of variables; Codex also writes `{ name, source }`. */
function readNames(fields: Fields, member: string): string[] | undefined {
  const value = fields.at([member])
  if (!Array.isArray(value)) return fields.texts([member])
  return value.map((item) => (isTree(item) ? item.name : item)).filter((name) => typeof name === 'string')
}

function withHeaders(transport: UrlTransport, fields: Fields, shape: Shape): UrlTransport {
  const sources = shape.headers.map((path) => fields.record(path))
  const headers: Record<string, string> = sources.find((found) => found !== undefined) ?? {}
  const bearer = shape.bearer && fields.text(shape.bearer)
  const authorized = bearer === undefined ? headers : { Authorization: `Bearer ${bearer}`, ...headers }
  const fromEnv = new Map<string, HeaderFromEnv>()
  const variable = shape.bearerFromEnv && fields.text([shape.bearerFromEnv])
  if (variable) fromEnv.set('Authorization', { variable, prefix: 'Bearer ' })
  const named = shape.headersFromEnv && fields.record([shape.headersFromEnv])
  for (const [header, name] of Object.entries(named || {})) fromEnv.set(header, { variable: name })
  const variables = shape.variablesOnlyIn?.includes('headers') ? readVariables(fields, shape) : undefined
  return {
    ...transport,
    headers: authorized,
    ...(fromEnv.size > 0 && { headersFromEnv: Object.fromEntries(fromEnv) }),
    ...(variables && { variables }),
  }
}

/** Variables for headers; those that are only named are looked up like any other. */
function readVariables(fields: Fields, shape: Shape): Record<string, string> | undefined {
  if (shape.envFromHost !== undefined) fields.know([shape.envFromHost])
  const variables = fields.record([shape.env[0]!])
  return variables === undefined || Object.keys(variables).length === 0 ? undefined : variables
}

/** Everything that is not about reaching the server. */
function readRest(fields: Fields, shape: Shape): Partial<ServerEntry> {
  const off = (shape.switches ?? []).filter(({ name, off }) => fields.flag([name]) === off).length > 0
  const timeoutMs = readTime(fields, shape.timeout)
  const startTimeoutMs = readTime(fields, shape.startTimeout)
  const auth = readAuth(fields, shape)
  const allow = shape.allow && readAllowed(fields, shape.allow)
  const deny = shape.deny && fields.texts([shape.deny])
  return {
    ...(off && { disabled: true }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(startTimeoutMs !== undefined && { startTimeoutMs }),
    ...(auth && { auth }),
    ...((allow || deny) && { tools: { ...(allow && { allow }), ...(deny && { deny }) } }),
  }
}

/** A list of no tools, or one with a star, is how some hosts say all of them. */
function readAllowed(fields: Fields, member: string): string[] | undefined {
  const tools = fields.texts([member])
  return tools === undefined || tools.length === 0 || tools.includes('*') ? undefined : tools
}

function readTime(fields: Fields, time: TimeMember | undefined): number | undefined {
  if (time === undefined) return undefined
  // An object here holds several limits, each in a member of its own.
  const path = isTree(fields.at(time.path)) ? time.alsoAt : time.path
  const value = path && fields.number(path)
  return value === undefined ? undefined : value * (time.unit === 's' ? 1_000 : 1)
}

function readAuth(fields: Fields, { auth: usual, alsoAuth, scopesAreText }: Shape): AuthHints | undefined {
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
function readScopes(fields: Fields, path: readonly string[], asText: boolean): string[] | undefined {
  const value = fields.at(path)
  if (typeof value === 'string') return value.split(/[\s,]+/).filter((scope) => scope !== '')
  return Array.isArray(value) || !asText ? fields.texts(path) : fields.text(path)?.split(' ')
}

function reportUnused(fields: Fields, shape: Shape, transport: Transport): void {
  for (const name of fields.unread()) {
    const why = shape.ignored && Object.hasOwn(shape.ignored, name) ? shape.ignored[name] : undefined
    if (shape.programs?.includes(name))
      fields.report('not_run', 'names a program; nothing is run to find headers', [name])
    else if (why !== undefined) fields.report('ignored', why, [name])
    else fields.report('ignored', reasonFor(name, shape, transport), [name])
  }
}

/** Why a member that the table has was not asked for, or that nobody knows it. */
function reasonFor(name: string, shape: Shape, { kind }: Transport): string {
  const ofUrl = [...shape.urls.map((url) => url.name), ...shape.headers.map(([first]) => first)]
  const ofProcess = [...shape.command, shape.args, ...shape.env, shape.cwd, shape.envFile]
  if (kind === 'stdio' && ofUrl.includes(name)) return 'says nothing about a process'
  if (kind !== 'stdio' && ofProcess.includes(name)) return 'says nothing about a URL'
  return 'is not known here'
}
