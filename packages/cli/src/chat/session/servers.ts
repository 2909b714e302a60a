import { basename, extname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ProcessConfig, ServerConfig, ServerSettings } from '@tenon/host'
import type { ServerEntry } from '@tenon/host/config'
import type { ProcessTarget, ServerDescription } from '@tenon/sdk/client'
import type { CommandCall } from '../../command.ts'
import { usage } from '../../exit.ts'
import { absentOptions } from '../../line/options.ts'
import { hasCredentials, storedAuth } from '../../login/stored-auth.ts'
import { hasTokens } from '../../login/token-store.ts'
import { builtInName, builtInTarget } from '../../server/built-in.ts'
import { readServers, tellAbout, unknownServer } from '../../server/configured.ts'
import { inheritedPlace } from '../../server/environment.ts'
import { expandEntry, expandQuietly, inputsOf, refuseUnknownInputs } from '../../server/inputs.ts'
import { targetOptions } from '../../server/options.ts'
import { resolveTarget } from '../../server/target.ts'
import { showLog } from '../../show/log.ts'
import { say } from '../../terminal/text.ts'
import { version } from '../../version.ts'
import type { ChatCall } from '../options.ts'

export type ChatServers = { [name: string]: ServerConfig }

/** The servers of the command line: names, URLs, a program after `--`; all that are configured if there are none. */
export async function chatServers(call: ChatCall): Promise<ChatServers> {
  const settings = await settingsOf(call)
  const servers = new Map<string, ServerConfig>()
  const add = (name: string, config: ServerConfig): void => void servers.set(unused(name, servers), config)
  refuseStrayOptions(call)
  await refuseStrayInputs(call)
  for (const word of call.words) {
    if (isUrl(word)) add(new URL(word).hostname, await urlConfig(call, word, settings))
    else add(word, { ...(await namedConfig(call, word)), ...settings })
  }
  if (call.command) add(programName(call.command), { ...(await programConfig(call)), ...settings })
  if (servers.size === 0) for (const entry of await startable(call)) add(entry.name, { entry, ...settings })
  return Object.fromEntries(servers)
}

const isUrl = (word: string): boolean => /^(?:https?|wss?):\/\//i.test(word) && URL.canParse(word)

/** Options for one kind of server, where no server of that kind is named, would be ignored without a word. */
function refuseStrayOptions({ options, words, command }: ChatCall): void {
  const forUrls = {
    '--header': options.header.length > 0,
    '--ca': options.ca.length > 0,
    '--insecure': options.insecure,
  }
  const [stray] = Object.entries(forUrls).find(([, isGiven]) => isGiven) ?? []
  if (stray !== undefined && !words.some(isUrl)) throw usage(`${stray} is for URLs, and none is named`)
  if ((options.env.length > 0 || options.cwd !== undefined) && !command) {
    throw usage('--env and --cwd are for the program after --, and there is none')
  }
}

/** Each server takes the inputs that it has; one that none has is a mistake. */
async function refuseStrayInputs({ options, words, command, terminal }: ChatCall): Promise<void> {
  if (options.input.length === 0) return
  const { findServer } = await import('@tenon/host/config')
  const { entries } = await readServers(options.config, terminal)
  const named = words.filter((word) => !isUrl(word)).flatMap((word) => findServer(entries, word) ?? [])
  refuseUnknownInputs(options.input, words.length === 0 && command === undefined ? entries : named)
}

/** Settings that all servers have. */
async function settingsOf({ options, terminal }: ChatCall): Promise<ServerSettings> {
  const { root, timeout, revision, prefer, verbose } = options
  const { notes, surroundings } = terminal
  const traffic = verbose ? new (await import('../../show/traffic.ts')).Traffic(terminal) : undefined
  const roots = root.map((folder) => ({ uri: pathToFileURL(resolve(surroundings.cwd, folder)).href }))
  return {
    ...(roots.length > 0 && { roots }),
    ...(timeout !== undefined && { timeoutMs: timeout }),
    ...(prefer !== undefined && { prefer: prefer as 'newest' | 'session' }),
    // A person may take time to answer, and has Ctrl-C.
    maxTotalMs: Infinity,
    connect: {
      info: { name: 'tenon', title: 'Tenon', version },
      ...(revision !== undefined && { revisions: [revision as ServerDescription['revision']] }),
      onWarning: (message) => terminal.note(say`${notes.yellow('warning:')} ${message}`),
      ...(options['log-level'] !== undefined && { onLog: (message) => terminal.note(showLog(message, notes)) }),
      ...traffic?.options,
    },
  }
}

async function namedConfig(call: ChatCall, name: string): Promise<ServerConfig> {
  const { findServer } = await import('@tenon/host/config')
  const { terminal, options } = call
  const found = await readServers(options.config, terminal)
  const entry = findServer(found.entries, name)
  if (entry) {
    tellAbout(entry, name === entry.name ? found.entries : [], terminal)
    const inputs = inputsOf(options.input, entry)
    return { entry: await expandEntry(targetCall(call), entry, inputs) }
  }
  if (name !== builtInName || options.config !== undefined) throw unknownServer(name, found)
  return processConfig({ ...(await inheritedPlace('network', terminal.surroundings)), ...builtInTarget() })
}

const targetCall = (call: ChatCall): CommandCall<typeof targetOptions> => ({
  ...call,
  options: { ...absentOptions(targetOptions), ...call.options },
})

const processConfig = ({ command, args, env, cwd, inheritEnv }: ProcessTarget): ProcessConfig => ({
  command,
  ...(inheritEnv !== undefined && { inheritEnv }),
  ...(args && { args }),
  ...(env && { env }),
  ...(cwd !== undefined && { cwd }),
})

async function urlConfig(call: ChatCall, url: string, settings: ServerSettings): Promise<ServerConfig> {
  const { terminal, signal } = call
  const { header, ca, insecure } = call.options
  const { options } = await resolveTarget({
    ...call,
    words: [url],
    command: undefined,
    options: { ...call.options, ...absentOptions(targetOptions), header, ca, insecure },
  })
  const { headers, agent } = options
  return {
    ...settings,
    ...(agent && { connect: { ...settings.connect, agent } }),
    url,
    ...(headers && Object.keys(headers).length > 0 && { headers }),
    ...(!hasCredentials(headers) && {
      auth: storedAuth(new URL(url), terminal, signal, hasTokens(terminal.surroundings.env)),
    }),
  }
}

async function programConfig(call: ChatCall): Promise<ServerConfig> {
  const { env, 'env-file': files, cwd } = call.options
  const given = { env, 'env-file': files, cwd }
  const { target } = await resolveTarget({
    ...call,
    words: [],
    options: { ...call.options, ...absentOptions(targetOptions), ...given },
  })
  return processConfig(target as ProcessTarget)
}

const runners = /^(?:node|nodejs|npx|bunx?|deno|tsx|uvx?|pipx|python[\d.]*|ruby|java|docker|run|exec|-y)$/

/** A name for a program: `npx -y @scope/server-files .` is `server-files`. */
export function programName(command: readonly string[]): string {
  const bare = (word: string): string => basename(word, extname(word))
  const word = command.find((word) => !word.startsWith('-') && !runners.test(bare(word))) ?? command[0]!
  return bare(word.replace(/(.)@[\w.-]+$/, '$1')) || 'program'
}

/** The name, or one with a number where it is taken. */
function unused(name: string, taken: ReadonlyMap<string, unknown>): string {
  for (let number = 1; ; number++) {
    const free = number === 1 ? name : `${name}-${number}`
    if (!taken.has(free)) return free
  }
}

/** The configured servers that are switched on and whose variables all have values. */
async function startable(call: ChatCall): Promise<ServerEntry[]> {
  const { options, terminal } = call
  const { entries } = await readServers(options.config, terminal)
  const usable: ServerEntry[] = []
  for (const entry of entries) {
    if (entry.disabled || entry.shadowedBy !== undefined) continue
    const resolved = await expandQuietly(targetCall(call), entry)
    const [missing] = resolved.unresolved
    if (missing === undefined) usable.push(resolved)
    else
      terminal.note(
        say`${terminal.notes.yellow('left out:')} ${entry.name}: ${missing.text} has no value: ${missing.why}`,
      )
  }
  if (usable.length > 0) {
    terminal.note(terminal.notes.dim(`Using ${usable.map(({ name }) => name).join(', ')}.`))
    return usable
  }
  throw usage(
    'No servers are configured that could be started',
    'Name some: tenon chat everything, tenon chat https://example.com/mcp, tenon chat -- npx my-server; or try --demo.',
  )
}
