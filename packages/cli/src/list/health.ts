import type { ServerEntry } from '@tenon/host/config'
import type { Client } from '@tenon/sdk/client'
import type { CommandCall } from '../command.ts'
import { CommandFailure, ExitCode } from '../exit.ts'
import { type Explained, explain } from '../explain.ts'
import { builtInName } from '../server/built-in.ts'
import { readServers } from '../server/configured.ts'
import { openServer } from '../server/connect.ts'
import type { connectionOptions } from '../server/options.ts'
import { silentCall } from '../server/silent-call.ts'
import type { Style } from '../terminal/style.ts'
import { table } from '../terminal/table.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { type Part, say } from '../terminal/text.ts'
import { collect } from '../values/find-by-name.ts'

type Call = CommandCall<typeof connectionOptions & { all: { type: 'flag'; help: string } }>

/** The state of a server: usable, waiting for the user, or why not. */
type State = 'ok' | 'login' | 'input' | 'timeout' | 'failed' | 'off' | 'not tried'

interface Health {
  name: string
  state: State
  /** The file that names it. */
  file?: string
  revision?: string
  tools?: number
  resources?: number
  prompts?: number
  /** The time until the server answered. */
  ms?: number
  error?: Explained
}

/** How many servers are tried at the same time. */
const atOnce = 8
/** How long one server may take; a first start with npx or uvx is slow. */
const patienceMs = 30_000

/** Tries all servers of the config files, and shows them side by side. */
export async function showHealth(call: Call): Promise<void> {
  const { terminal } = call
  const found = await readServers(call.options.config, terminal)
  const entries = found.entries.filter(({ shadowedBy }) => shadowedBy === undefined)
  const servers = entries.length === 0 && call.options.config === undefined ? [undefined] : entries
  const results = await terminal.activity.during(say`Trying ${servers.length} servers`, () =>
    inParallel(servers, (entry) => healthOf(call, entry)),
  )
  call.signal.throwIfAborted()
  await call.result(
    { servers: results, problems: found.problems },
    () => show(results, entries.length, terminal),
    failureOf(results),
  )
}

async function inParallel<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const left = [...items.entries()]
  const worker = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) results[next[0]] = await work(next[1])
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return results
}

async function healthOf(call: Call, entry: ServerEntry | undefined): Promise<Health> {
  const { name = builtInName, source, disabled } = entry ?? {}
  const about = { name, ...(source?.file !== undefined && { file: source.file }) }
  if (disabled) return { ...about, state: 'off' }
  // A folder of somebody else must not have its programs started, nor be sent values of the environment, by a look around.
  if (source?.scope === 'project' && !call.options.all) return { ...about, state: 'not tried' }
  const late = AbortSignal.timeout(
    call.options.timeout === Infinity ? 2 ** 31 - 1 : (call.options.timeout ?? patienceMs),
  )
  try {
    return { ...about, ...(await tried(call, name, AbortSignal.any([call.signal, late]))) }
  } catch (thrown) {
    const error = explain(thrown)
    const isLate = error.exitCode === ExitCode.Timeout || late.aborted
    return { ...about, state: isLate ? 'timeout' : (states.get(error.code) ?? 'failed'), error }
  }
}

const states: ReadonlyMap<string, State> = new Map([
  ['unauthorized', 'login'],
  ['missing_input', 'input'],
])

async function tried(call: Call, name: string, signal: AbortSignal): Promise<Omit<Health, 'name'>> {
  const began = performance.now()
  const { client } = await openServer(silentCall(call, [name], signal), {}, [name])
  const ms = Math.round(performance.now() - began)
  const end = (): void => void client.close()
  signal.addEventListener('abort', end, { once: true })
  try {
    const { revision, capabilities } = client.server
    const count = (kind: 'tools' | 'resources' | 'prompts'): Promise<number> =>
      Object.hasOwn(capabilities, kind) ? countOf(client, kind, signal) : Promise.resolve(0)
    const [tools, resources, prompts] = [await count('tools'), await count('resources'), await count('prompts')]
    return { state: 'ok', revision, tools, resources, prompts, ms }
  } finally {
    signal.removeEventListener('abort', end)
    await client.close()
  }
}

const countOf = async (client: Client, kind: 'tools' | 'resources' | 'prompts', signal: AbortSignal): Promise<number> =>
  (await collect<unknown>(client[kind]({ signal }))).length

function show(results: readonly Health[], configured: number, terminal: Terminal): void {
  const { dim } = terminal.style
  const head = ['server', 'state', 'revision', 'tools', 'resources', 'prompts', '   ms'].map((word) => dim(word))
  const rows = results.map((one) => rowOf(one, terminal.style))
  terminal.print(table([head, ...rows], terminal.columns))
  const { red, bold, dim: faint } = terminal.notes
  for (const { name, error } of results) {
    if (error === undefined) continue
    terminal.warn(say`${red(bold('error:'))} ${name}: ${error.message.split('\n')[0]!}`)
    if (error.hint !== undefined) terminal.note(say`${faint('hint:')} ${error.hint.split('\n')[0]!}`)
  }
  const untried = results.filter(({ state }) => state === 'not tried').length
  if (untried > 0) terminal.note(faint(`${untried} of this folder's files not tried; --all starts their programs.`))
  if (configured === 0) terminal.note(faint(`No servers are configured; ${builtInName} is built in.`))
}

const colours = { ok: 'green', login: 'yellow', input: 'yellow', timeout: 'red', failed: 'red' } as const

function rowOf({ name, state, revision = '', tools, resources, prompts, ms }: Health, style: Style): Part[] {
  const number = (value: number | undefined, width: number): string => String(value ?? '').padStart(width)
  const colour = Object.hasOwn(colours, state) ? style[colours[state as keyof typeof colours]] : style.dim
  return [
    style.cyan(name),
    colour(state),
    revision,
    number(tools, 'tools'.length),
    number(resources, 'resources'.length),
    number(prompts, 'prompts'.length),
    number(ms, 5),
  ]
}

function failureOf(results: readonly Health[]): CommandFailure | undefined {
  const failed = results.filter(({ error }) => error !== undefined)
  const [first] = failed
  if (first?.error === undefined) return undefined
  const names = failed.map(({ name }) => name).join(', ')
  const code = first.state === 'timeout' ? ExitCode.Timeout : first.error.exitCode
  return new CommandFailure(code, 'incomplete', `Not usable: ${names}`, 'The member error of each says why.')
}
