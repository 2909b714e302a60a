import type { ConnectOptions, ProcessTarget, ServerTarget } from '@tenon/sdk/client'
import type { ServerEntry } from '../config/model.ts'
import { toTarget } from '../config/target.ts'
import { expand, type ResolvedEntry } from '../config/variables/expand.ts'
import { HostError } from '../host-error.ts'
import type { ServerConfig } from './server-config.ts'

/** The parts of a resolved entry that trust is bound to; of the environment and the headers only the names. */
export type EntryIdentity =
  | {
      readonly command: string
      readonly args: readonly string[]
      readonly cwd?: string
      readonly env: readonly string[]
    }
  | { readonly url: string; readonly headers: readonly string[] }

/** A server that can be connected to. */
export interface ResolvedTarget {
  readonly target: ProcessTarget | ServerTarget | string
  readonly options: ConnectOptions
  /** Undefined for a server in this process. */
  readonly identity: EntryIdentity | undefined
  /** Whether the entry is from a file, and not from the program itself. */
  readonly isFromFile: boolean
}

/** Fills in the variables of an entry. Nothing is started. */
export async function resolveTarget(name: string, config: ServerConfig): Promise<ResolvedTarget> {
  if ('server' in config) return { target: config.server, options: {}, identity: undefined, isFromFile: false }
  if ('command' in config) {
    const { command, args = [], env = {}, inheritEnv, cwd } = config
    const folder = cwd === undefined ? {} : { cwd }
    const target = { command, args, env, ...(inheritEnv !== undefined && { inheritEnv }), ...folder }
    return { target, options: {}, identity: processIdentity(target), isFromFile: false }
  }
  if ('url' in config) {
    const { url, headers } = config
    const names = typeof headers === 'object' ? namesOf(headers as object) : []
    const options = headers === undefined ? {} : { headers }
    return { target: url, options, identity: { url, headers: names }, isFromFile: false }
  }
  // Values are taken as they are: one that looks like a variable is none.
  const entry = isResolved(config.entry) ? config.entry : await expand(config.entry)
  const [missing] = entry.unresolved
  if (missing !== undefined) {
    throw new HostError('invalid_argument', `servers.${name}: ${missing.text} has no value: ${missing.why}`)
  }
  const { target, options } = toTarget(entry)
  if (typeof target !== 'string') return { target, options, identity: processIdentity(target), isFromFile: true }
  const { url, headers } = entry.transport as Extract<typeof entry.transport, { url: string }>
  return { target, options, identity: { url, headers: namesOf(headers) }, isFromFile: true }
}

const isResolved = (entry: ServerEntry): entry is ResolvedEntry => Array.isArray((entry as ResolvedEntry).unresolved)

const namesOf = (record: object): string[] => Object.keys(record).sort()

function processIdentity({ command, args = [], env = {}, cwd }: ProcessTarget): EntryIdentity {
  return { command, args: [...args], ...(cwd !== undefined && { cwd }), env: namesOf(env) }
}
