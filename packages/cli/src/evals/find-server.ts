import type { ServerInput } from '@tenon/host'
import type { ServerSpec } from '@tenon/replay'
import type { CommandCall } from '../command.ts'
import { usage } from '../exit.ts'
import { absentOptions, type OptionTable } from '../line/options.ts'
import { hasCredentials, storedAuth } from '../login/stored-auth.ts'
import { hasTokens } from '../login/token-store.ts'
import { readServers } from '../server/configured.ts'
import { inheritedPlace } from '../server/environment.ts'
import { inputsOf, refuseUnknownInputs } from '../server/inputs.ts'
import { connectionOptions, targetOptions } from '../server/options.ts'
import { type ResolvedTarget, resolveTarget } from '../server/target.ts'

export const evalServerOptions = {
  server: {
    type: 'list',
    short: 's',
    value: 'target',
    help: 'A server for a file that names none: a URL, or a configured name; several are possible',
  },
  input: targetOptions.input,
  config: { type: 'text', short: 'c', value: 'file', help: 'Find the names of servers in this file' },
} as const satisfies OptionTable

type Call = CommandCall<typeof evalServerOptions>

/** The name of the program after `--`. */
const programName = 'server'

/** The servers that the command line names, for a file that has none. */
export function serversOfLine({ options, command }: Call): Map<string, ServerSpec> {
  const servers = new Map<string, ServerSpec>()
  for (const word of options.server) {
    const name = URL.canParse(word) && /^(?:https?|wss?):/i.test(word) ? new URL(word).hostname : word
    if (servers.has(name)) throw usage(`--server: two servers have the name ${JSON.stringify(name)}`)
    servers.set(name, { name, config: word })
  }
  if (command !== undefined) servers.set(programName, { name: programName })
  if (servers.size > 0) return servers
  throw usage('The file names no server', 'Give one with --server, or a program after --.')
}

/** Finds servers: as the file says, by a name of a config file, or the program after `--`. */
export const findEvalServer =
  (call: Call) =>
  async (spec: ServerSpec): Promise<ServerInput> => {
    const { byItself } = await import('@tenon/host/evals')
    const { command, url, config } = spec
    if (url !== undefined) return byItself(spec)
    if (command !== undefined) {
      const place = await inheritedPlace('network', call.terminal.surroundings)
      return { ...place, ...byItself(spec), env: { ...place.env, ...spec.env } } as ServerInput
    }
    const input = await inputsFor(config, call)
    const options = { ...absentOptions(connectionOptions), ...call.options, input }
    const asked = { ...call, options, command: config === undefined ? call.command : undefined }
    const words = config === undefined ? [] : [config]
    return inputOf(await resolveTarget(asked, words), call)
  }

/** Fails for an input that none of the servers of a file has. */
export async function checkInputs(servers: Iterable<ServerSpec>, { options, terminal }: Call): Promise<void> {
  if (options.input.length === 0) return
  const { findServer } = await import('@tenon/host/config')
  const { entries } = await readServers(options.config, terminal)
  const named = [...servers].flatMap(({ config }) => (config && findServer(entries, config)) || [])
  refuseUnknownInputs(options.input, named)
}

/** The inputs of the command line for one server. */
async function inputsFor(name: string | undefined, { options, terminal }: Call): Promise<string[]> {
  if (name === undefined || options.input.length === 0) return []
  const { findServer } = await import('@tenon/host/config')
  const entry = findServer((await readServers(options.config, terminal)).entries, name)
  return entry ? inputsOf(options.input, entry) : []
}

function inputOf({ target, options, url }: ResolvedTarget, { terminal, signal }: Call): ServerInput {
  const { headers, ...connect } = options
  const isLoggedIn = url && !hasCredentials(headers)
  const auth = isLoggedIn && storedAuth(url, terminal, signal, hasTokens(terminal.surroundings.env))
  const common = { connect, ...(auth && { auth }) }
  if (typeof target === 'string') return { url: target, ...(headers && { headers }), ...common }
  return { ...target, ...common } as ServerInput
}
