import type {
  ClientAuth,
  ConnectOptions,
  HeaderSource,
  ProcessTarget,
  RootsSource,
  ServerTarget,
} from '@tenon/sdk/client'
import { checkLimits } from '../check-limits.ts'
import type { ServerEntry, ToolFilter } from '../config/model.ts'
import type { Discovered } from '../config/read/discover.ts'
import { HostError } from '../host-error.ts'

/** Pauses and attempts of a server that does not start, or ends by itself. */
export interface RestartSettings {
  /** Failures in a row without a stable time in between; then only calls try again. 5. */
  maxAttempts?: number
  /** The pause before the second attempt; it doubles with each further one. 250. */
  backoffMs?: number
  /** The longest pause. 30,000. */
  maxBackoffMs?: number
  /** A server that ran this long counts as stable. 30,000. */
  stableMs?: number
}

/** Bounds on the model requests of one server. */
export interface SamplingSettings {
  /** The most tokens of one answer; a larger wish is lowered. 4,096. */
  maxTokens?: number
  /** The most tokens of all answers while the host runs. 100,000. */
  maxTotalTokens?: number
  /** Whether each request is asked for, until an answer is for the session. True. */
  ask?: boolean
}

/** Settings that every server has, however it is reached. */
export interface ServerSettings {
  /** The folders that this server, and no other, is told of. */
  roots?: RootsSource
  auth?: ClientAuth
  /** Silence longer than this fails a call. */
  timeoutMs?: number
  /** A call never takes longer than this. */
  maxTotalMs?: number
  /** How long starting may take, lists included. 60,000. */
  startTimeoutMs?: number
  /** The conversation to try first; see `connect`. */
  prefer?: 'newest' | 'session'
  /** Its hints about tools are believed, and read-only tools run without a question. */
  trusted?: boolean
  /** `now`, the default, starts it with the host; `lazy` with the first call. */
  start?: 'now' | 'lazy'
  /** The tools that exist for this host, as patterns with `*`. */
  tools?: ToolFilter
  /** Model requests of the server; false answers none. */
  sampling?: SamplingSettings | false
  restart?: RestartSettings
  /** Everything else that `connect` takes, such as `revisions`, `keepAlive` and `onMessage`. */
  connect?: Omit<ConnectOptions, 'elicit' | 'sample' | 'roots' | 'auth' | 'signal'>
}

/** A server that is started as a process. */
export interface ProcessConfig extends ServerSettings, Pick<ProcessTarget, 'command' | 'args' | 'env' | 'inheritEnv'> {
  cwd?: string
}

/** A server at a URL. */
export interface UrlConfig extends ServerSettings {
  url: string
  headers?: HeaderSource
}

/** A server in this process, as `createServer` makes it. */
export interface DefinitionConfig extends ServerSettings {
  server: ServerTarget
}

/** An entry of a config file, with settings of its own. Its variables are filled in, unless `expand` has done that. */
export interface EntryConfig extends ServerSettings {
  entry: ServerEntry
}

export type ServerConfig = ProcessConfig | UrlConfig | DefinitionConfig | EntryConfig

/** A server of the configuration: its settings, a URL, a server definition, or an entry of a config file. */
export type ServerInput = ServerConfig | ServerEntry | ServerTarget | URL | string

/** The servers of a host, by name; or those of config files. */
export type ServersInput = { readonly [name: string]: ServerInput } | readonly ServerEntry[] | Discovered

/** The servers by name. Of config files only the entries that are switched on and not shadowed. */
export function serversOf(input: ServersInput): Map<string, ServerConfig> {
  const entries = entriesOf(input)
  if (entries === undefined) {
    return new Map(Object.entries(input).map(([name, server]) => [name, toServerConfig(name, server as ServerInput)]))
  }
  const used = entries.filter(({ disabled, shadowedBy }) => !disabled && shadowedBy === undefined)
  return new Map(used.map((entry) => [entry.name, { entry }]))
}

function entriesOf(input: ServersInput): readonly ServerEntry[] | undefined {
  if (Array.isArray(input)) return input
  const { entries } = input as Partial<Discovered>
  return Array.isArray(entries) ? entries : undefined
}

const maxNameLength = 200

/** Brings the forms in which a server may be given into one. */
export function toServerConfig(name: string, input: ServerInput): ServerConfig {
  if (name === '' || name.length > maxNameLength) {
    throw new HostError(
      'invalid_argument',
      `servers: expected a name of 1 to ${maxNameLength} characters, got ${name.length}`,
    )
  }
  if (typeof input === 'string' || input instanceof URL) return { url: String(input) }
  if (typeof input === 'object' && input !== null) {
    if ('transport' in input && 'source' in input) return { entry: input }
    if ('command' in input || 'url' in input || 'server' in input || 'entry' in input) return withLimits(name, input)
    if ('connect' in input && typeof input.connect === 'function') return { server: input as ServerTarget }
  }
  const expected = 'a URL, { command }, { url }, { server } or an entry of a config file'
  throw new HostError('invalid_argument', `servers.${name}: expected ${expected}, got ${describe(input)}`)
}

/** Wrong limits are noticed here, and not when they would be reached. */
function withLimits(name: string, config: ServerConfig): ServerConfig {
  const { timeoutMs, maxTotalMs, startTimeoutMs, restart = {}, sampling } = config
  const what = `servers.${name}`
  checkLimits({ timeoutMs, maxTotalMs, startTimeoutMs }, what)
  checkLimits(restart, `${what}.restart`)
  const { ask: _, ...tokens } = sampling || {}
  checkLimits(tokens, `${what}.sampling`)
  return config
}

const describe = (value: unknown): string =>
  typeof value === 'object' && value !== null
    ? `an object with the members ${Object.keys(value).join(', ') || 'none'}`
    : String(value)
